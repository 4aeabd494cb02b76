import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { setRates } from '../../world/quotes.ts'
import { changeSettings } from '../../world/settings/change.ts'
import {
  formatSettings,
  isSettingId,
  SETTING_IDS,
  type SettingId,
  settingOf,
} from '../../world/settings/index.ts'
import type { World } from '../../world/world.ts'
import { fields } from '../problems.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'

const Rate = () => z.strictObject({ cad: z.number() })
const Rates = () => z.strictObject({ USDC: Rate(), CADC: Rate() })
const SettingText = () => z.union([z.string(), z.number()])
const Settings = () => z.record(z.enum(SETTING_IDS), SettingText())
const Assumption = () =>
  z
    .strictObject({
      id: z.string(),
      contractRef: z.string(),
      question: z.string(),
      value: SettingText(),
      default: SettingText(),
      options: z.union([z.string(), z.array(z.string()).readonly()]),
      why: z.string(),
      stated: z.boolean(),
    })
    .meta({ title: 'Assumption' })

export const settings = [
  operation({
    id: 'getRates',
    method: 'GET',
    path: '/_sandbox/rates',
    summary: 'Read what a coin costs, in CAD',
    auth: requireControl,
    answer: Rates,
    handle: ({ world }) => world.rates,
  }),
  operation({
    id: 'putRates',
    method: 'PUT',
    path: '/_sandbox/rates',
    summary: 'Set what a coin costs; one that is not sent stays, and so does what a quote locked',
    auth: requireControl,
    body: () => fields({ USDC: Rate().optional(), CADC: Rate().optional() }),
    answer: Rates,
    handle: ({ world, input }) => setRates(world, input.body),
  }),
  operation({
    id: 'getSettings',
    method: 'GET',
    path: '/_sandbox/settings',
    summary: 'Read every setting',
    auth: requireControl,
    answer: Settings,
    handle: ({ world }) => formatSettings(world.settings),
  }),
  operation({
    id: 'patchSettings',
    method: 'PATCH',
    path: '/_sandbox/settings',
    summary: 'Change settings, all or none; null is the default; what is owed already stays',
    auth: requireControl,
    body: () => z.record(z.string(), SettingText().nullable()),
    answer: Settings,
    handle({ world, input }) {
      changeSettings(world, input.body)
      return formatSettings(world.settings)
    },
  }),
  operation({
    id: 'listAssumptions',
    method: 'GET',
    path: '/_sandbox/assumptions',
    summary: 'List what the contract states or leaves open, and what this sandbox makes of it',
    auth: requireControl,
    answer: () => z.strictObject({ items: z.array(Assumption()), total: z.int() }),
    handle({ world }) {
      const items = SETTING_IDS.map((id) => showAssumption(world, id))
      return { items, total: items.length }
    },
  }),
  operation({
    id: 'getAssumption',
    method: 'GET',
    path: '/_sandbox/assumptions/:id',
    summary: 'Read one of them',
    auth: requireControl,
    answer: Assumption,
    errors: { 'not-found': 'There is no such setting.' },
    handle({ world, param }) {
      const id = param('id')
      if (isSettingId(id)) return showAssumption(world, id)
      throw new DomainError('not-found', 'id', `There is no setting ${id}.`)
    },
  }),
]

function showAssumption(world: World, id: SettingId) {
  const setting = settingOf(id)
  return {
    id,
    contractRef: setting.ref,
    question: setting.question,
    value: setting.format(world.settings[id]),
    default: setting.format(setting.default),
    options: setting.options,
    why: setting.why,
    stated: setting.stated ?? false,
  }
}
