import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { setRates } from '../../world/quotes.ts'
import {
  formatSettings,
  isSettingId,
  KNOWN_IDS,
  presetValue,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
  type SettingValues as Values,
  whyOf,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { JsonSchema } from '../dialect.ts'
import { named } from '../named.ts'
import { lever } from './dialect.ts'
import { ListOf, toList } from './page.ts'

/** Settings to change; null is the default. */
export type SettingChanges = { [Id in keyof Values]?: Values[Id] | null | undefined }

/** Longest body with settings, in bytes: all there are take a tenth of it. */
const SETTINGS_BODY_MAX = 64 * 1024

const SettingText = () => z.union([z.string(), z.number()])
const AllSettings = () =>
  z.record(z.enum(KNOWN_IDS), SettingText()).meta({
    typeName: 'SettingValues',
    wire: () => ({ title: 'Settings', ...describeSettings(['string', 'number']) }),
  }) as unknown as z.ZodType<Values, Values>

const PatchSettings = () =>
  z.record(z.string(), SettingText().nullable()).meta({
    typeName: 'SettingChanges',
    wire: () => describeSettings(['string', 'number', 'null']),
  }) as z.ZodType<SettingChanges, SettingChanges>

/** Each setting as a field, with what it decides and its default. */
function describeSettings(type: string[]): JsonSchema {
  const fields = KNOWN_IDS.map((id) => {
    const { question, why, format, default: standard } = settingOf(id)
    return [id, { type, description: `${question} ${why}`, examples: [format(standard)] }]
  })
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false }
}

export const Assumption = () =>
  named('Assumption', {
    id: z.string(),
    contractRef: z.string().describe('Its place in the contract.'),
    question: z.string().describe('What the contract leaves open, or states.'),
    value: SettingText().describe('The value in this world.'),
    default: SettingText().describe('The value without a change.'),
    strict: SettingText().describe('Its value in the preset `contract`.'),
    options: z.union([z.string(), z.array(z.string()).readonly()]),
    why: z.string().describe('Why the default is what it is.'),
    stated: z.boolean().describe('Whether the contract states the default.'),
  })
export type Assumption = z.output<ReturnType<typeof Assumption>>

const Rate = () => z.strictObject({ cad: z.number() })
/** CAD per coin. */
export const CoinRates = () => z.strictObject({ USDC: Rate(), CADC: Rate() })
export type CoinRates = z.output<ReturnType<typeof CoinRates>>

export const settings = [
  lever('settings.get', 'getSettings', {
    summary: 'Read every setting with its value in this world',
    about: '`listAssumptions` says what each one means and which values it can have.',
    response: AllSettings,
    handle: ({ world }) => formatSettings(world.settings) as Values,
  }),
  lever('settings.set', 'patchSettings', {
    summary: 'Change settings, all or none; null is the default; what is scheduled already stays',
    about:
      'Null is the value of the preset, and `preset` changes that for all others. Calls from now on follow them, and so does the OpenAPI document of the contract.',
    tool: true,
    body: PatchSettings,
    bodyMax: SETTINGS_BODY_MAX,
    response: AllSettings,
    handle({ world, input }) {
      world.changeSettings(input.body as Record<string, SettingValue | null>)
      return formatSettings(world.settings) as Values
    },
  }),
  lever('assumptions.list', 'listAssumptions', {
    summary: 'List what the contract states or leaves open, and what this sandbox makes of it',
    about:
      'Each has the value that this world takes, the values there are and the reason for the default. `patchSettings` changes the value.',
    response: () => ListOf(Assumption()),
    handle: ({ world }) => toList(SETTING_IDS.map((id) => presentAssumption(world.settings, id))),
  }),
  lever('assumptions.get', 'getAssumption', {
    summary: 'Read one row of `listAssumptions`',
    about: 'The OpenAPI document of the contract links here from the operations that depend on it.',
    response: Assumption,
    errors: { 'not-found': 'There is no such setting.' },
    handle({ world, param }) {
      const id = param('id')
      if (isSettingId(id)) return presentAssumption(world.settings, id)
      throw new DomainError('not-found', `There is no setting ${id}.`, { field: 'id' })
    },
  }),
  lever('rates.get', 'getRates', {
    summary: 'Read what a coin costs now, in CAD',
    about: 'New quotes use these rates.',
    success: 'The rates, in CAD per coin.',
    response: CoinRates,
    handle: ({ world }) => world.rates,
  }),
  lever('rates.set', 'putRates', {
    summary: 'Set what a coin costs; one that is not sent stays, and so does what a quote locked',
    about: 'Quotes and limits follow from now on.',
    body: () => CoinRates().partial(),
    response: CoinRates,
    handle: ({ world, input }) => setRates(world, input.body),
  }),
]

export function presentAssumption(values: Settings, id: SettingId): Assumption {
  const { ref, question, options, stated = false, format, default: standard } = settingOf(id)
  return {
    ...{ id, contractRef: ref, question, options, why: whyOf(id), stated },
    value: format(values[id]),
    default: format(standard),
    strict: format(presetValue(id, 'contract')),
  }
}
