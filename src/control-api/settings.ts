import * as z from 'zod'
import { type GivenSettings, SETTING_IDS, settingOf } from '../world/settings/index.ts'
import { ListOf } from './pages.ts'
import { nameFields } from './row.ts'
import { type JsonSchema, named, record } from './schema.ts'

/** Settings to change; null is the default. */
export type SettingChanges = {
  [Id in keyof GivenSettings]?: GivenSettings[Id] | null | undefined
}

/** Longest body with settings, in bytes: ten times what all settings take. */
const SETTINGS_BODY_MAX = 64 * 1024

const SettingText = () => z.union([z.string(), z.number()])

const PatchSettings = () =>
  z.record(z.string(), SettingText().nullable()).meta({
    typeName: 'SettingChanges',
    wire: describeChanges,
  }) as z.ZodType<SettingChanges, SettingChanges>

/** Each setting as a field, with what it decides and its default. */
function describeChanges(): JsonSchema {
  const type = ['string', 'number', 'null']
  const fields = SETTING_IDS.map((id): [string, object] => {
    const { question, why, format, default: standard } = settingOf(id)
    return [id, { type, description: `${question} ${why}`, examples: [format(standard)] }]
  })
  const preset = {
    type,
    enum: ['default', 'contract', null],
    description: 'Sets every setting; those beside it win.',
  }
  const properties = { preset, ...Object.fromEntries(fields) }
  return { type: 'object', properties, additionalProperties: false }
}

export const SettingRecord = () =>
  named('SettingRecord', {
    id: z.string().describe('Id of the setting.'),
    contractRef: z.string().describe('Its place in the contract.'),
    question: z.string().describe('What the contract leaves open, or states.'),
    value: SettingText().describe('The value in this world.'),
    default: SettingText().describe('The value without a change.'),
    strict: SettingText().describe('Its value with `--contract-only`.'),
    options: z
      .union([z.string(), z.array(z.string()).readonly()])
      .describe('The values that it can have, or their form.'),
    why: z.string().describe('Why the default is what it is.'),
    stated: z.boolean().describe('Whether the contract states the default.'),
  })
export type SettingRecord = z.output<ReturnType<typeof SettingRecord>>

const Rate = () => record({ cad: z.number().describe('CAD per coin.') })

/** CAD per coin. */
export const CoinRates = () =>
  record({
    USDC: Rate().describe('The rate of USDC.'),
    CADC: Rate().describe('The rate of CADC.'),
  })
export type CoinRates = z.output<ReturnType<typeof CoinRates>>

export const settings = {
  'settings.list': {
    id: 'listSettings',
    method: 'GET',
    path: '/settings',
    result: 'items',
    summary: 'List what the contract states or leaves open, and what this sandbox does',
    about:
      'Each has the value that this world takes, the values there are and the reason for the default. `patchSettings` changes the value.',
    response: () => ListOf(SettingRecord()),
  },
  'settings.get': {
    id: 'getSetting',
    method: 'GET',
    path: '/settings/:id',
    params: { id: 'Id of the setting.' },
    summary: 'Read one row of `listSettings`',
    about:
      'The OpenAPI document of the contract names the settings that each operation depends on.',
    response: SettingRecord,
    errors: { 'not-found': 'There is no such setting.' },
  },
  'settings.set': {
    id: 'patchSettings',
    method: 'PATCH',
    path: '/settings',
    result: 'items',
    summary: 'Change settings, all or none; null restores the default; scheduled tasks stay',
    about:
      'Null restores the default, and `preset` changes all settings that are not sent one by one. New calls follow the change.',
    done: nameFields('Settings'),
    tool: true,
    body: PatchSettings,
    bodyMax: SETTINGS_BODY_MAX,
    success: 'The settings that were sent, and those that `preset` changed.',
    response: () => ListOf(SettingRecord()),
  },
  'rates.get': {
    id: 'getRates',
    method: 'GET',
    path: '/rates',
    summary: 'Read what a coin costs now, in CAD',
    about: 'New quotes use these rates.',
    success: 'The rates, in CAD per coin.',
    response: CoinRates,
  },
  'rates.set': {
    id: 'putRates',
    method: 'PUT',
    path: '/rates',
    summary: 'Set what coins cost; a rate left out stays, and so does a locked quote',
    about: 'New quotes and limits use the new rates.',
    done: 'Rates',
    body: () => CoinRates().partial(),
    response: CoinRates,
  },
} as const
