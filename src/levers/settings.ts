import * as z from 'zod'
import { KNOWN_IDS, settingOf, type SettingValues as Values } from '../world/settings/index.ts'
import { ListOf } from './pages.ts'
import { type JsonSchema, named } from './schema.ts'

/** Settings to change; null is the default. */
export type SettingChanges = { [Id in keyof Values]?: Values[Id] | null | undefined }

/** Longest body with settings, in bytes: ten times what all settings take. */
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
    id: z.string().describe('Id of the setting.'),
    contractRef: z.string().describe('Its place in the contract.'),
    question: z.string().describe('What the contract leaves open, or states.'),
    value: SettingText().describe('The value in this world.'),
    default: SettingText().describe('The value without a change.'),
    strict: SettingText().describe('Its value in the preset `contract`.'),
    options: z
      .union([z.string(), z.array(z.string()).readonly()])
      .describe('The values that it can have, or their form.'),
    why: z.string().describe('Why the default is what it is.'),
    stated: z.boolean().describe('Whether the contract states the default.'),
  })
export type Assumption = z.output<ReturnType<typeof Assumption>>

const Rate = () => z.strictObject({ cad: z.number().describe('CAD per coin.') })

/** CAD per coin. */
export const CoinRates = () =>
  z.strictObject({
    USDC: Rate().describe('The rate of USDC.'),
    CADC: Rate().describe('The rate of CADC.'),
  })
export type CoinRates = z.output<ReturnType<typeof CoinRates>>

export const settings = {
  'settings.get': {
    id: 'getSettings',
    summary: 'Read every setting with its value in this world',
    about: '`listAssumptions` says what each one means and which values it can have.',
    response: AllSettings,
  },
  'settings.set': {
    id: 'patchSettings',
    summary: 'Change settings, all or none; null restores the default; scheduled tasks stay',
    about:
      'Null restores the value of the preset, and `preset` changes all settings that were not set one by one. New calls follow the change, and so does the OpenAPI document of the contract.',
    tool: true,
    body: PatchSettings,
    bodyMax: SETTINGS_BODY_MAX,
    response: AllSettings,
  },
  'assumptions.list': {
    id: 'listAssumptions',
    summary: 'List what the contract states or leaves open, and what this sandbox does',
    about:
      'Each has the value that this world takes, the values there are and the reason for the default. `patchSettings` changes the value.',
    response: () => ListOf(Assumption()),
  },
  'assumptions.get': {
    id: 'getAssumption',
    params: { id: 'Id of the setting.' },
    summary: 'Read one row of `listAssumptions`',
    about: 'The OpenAPI document of the contract links here from the operations that depend on it.',
    response: Assumption,
    errors: { 'not-found': 'There is no such setting.' },
  },
  'rates.get': {
    id: 'getRates',
    summary: 'Read what a coin costs now, in CAD',
    about: 'New quotes use these rates.',
    success: 'The rates, in CAD per coin.',
    response: CoinRates,
  },
  'rates.set': {
    id: 'putRates',
    summary: 'Set what coins cost; a rate left out stays, and so does a locked quote',
    about: 'New quotes and limits use the new rates.',
    body: () => CoinRates().partial(),
    response: CoinRates,
  },
} as const
