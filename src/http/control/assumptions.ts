import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import {
  isSettingId,
  presetValue,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
} from '../../world/settings/index.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { SettingText } from './settings.ts'

export const Assumption = () =>
  titled('Assumption', {
    id: z.string(),
    contractRef: z.string(),
    question: z.string(),
    value: SettingText(),
    default: SettingText(),
    strict: SettingText().describe('Its value in the preset `contract`.'),
    options: z.union([z.string(), z.array(z.string()).readonly()]),
    why: z.string(),
    stated: z.boolean(),
  })
export type Assumption = z.output<ReturnType<typeof Assumption>>

export const assumptions = [
  operation('GET', '/_sandbox/assumptions', {
    id: 'listAssumptions',
    summary: 'List what the contract states or leaves open, and what this sandbox makes of it',
    answer: () => ListOf(Assumption()),
    handle: ({ world: { settings } }) =>
      toList(SETTING_IDS.map((id) => presentAssumption(settings, id))),
  }),
  operation('GET', '/_sandbox/assumptions/:id', {
    id: 'getAssumption',
    summary: 'Read one of them',
    answer: Assumption,
    errors: { 'not-found': 'There is no such setting.' },
    handle({ world, param }) {
      const id = param('id')
      if (isSettingId(id)) return presentAssumption(world.settings, id)
      throw new DomainError('not-found', `There is no setting ${id}.`, { field: 'id' })
    },
  }),
]

export function presentAssumption(settings: Settings, id: SettingId): Assumption {
  const setting = settingOf(id)
  return {
    id,
    contractRef: setting.ref,
    question: setting.question,
    value: setting.format(settings[id]),
    default: setting.format(setting.default),
    strict: setting.format(presetValue(id, 'contract')),
    options: setting.options,
    why: setting.why,
    stated: setting.stated ?? false,
  }
}
