import * as z from 'zod'
import { type GivenSettings, SETTING_IDS, settingOf } from '../world/settings/index.ts'
import { Filter, Flag, Listed, ListOf } from './pages.ts'
import { type Cell, nameFields } from './row.ts'
import { type JsonSchema, named, notForAgents, record } from './schema.ts'

/** Settings to change; null or `default` restores the default. */
export type SettingChanges = {
  [Id in keyof GivenSettings]?: GivenSettings[Id] | 'default' | null | undefined
}

/** Longest body with settings, in bytes: ten times what all settings take. */
const SETTINGS_BODY_MAX = 64 * 1024

const SettingText = () => z.union([z.string(), z.number()])

const PatchSettings = () =>
  z.record(z.string(), SettingText().nullable()).meta({
    typeName: 'SettingChanges',
    wire: describeChanges,
    forAgents: { additionalProperties: { type: ['string', 'number', 'null'] } },
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
    description: 'Sets every setting; individual settings override it.',
  }
  const properties = { preset, ...Object.fromEntries(fields) }
  return { type: 'object', properties, additionalProperties: false }
}

export const SettingRecord = () =>
  named('SettingRecord', {
    id: z.string().describe('Id of the setting.'),
    contractRef: notForAgents(z.string().describe('Its place in the contract.')),
    question: z.string().describe('What the contract leaves open, or states.'),
    value: SettingText().describe('The value in this world.'),
    default: SettingText().describe('The default value.'),
    strict: notForAgents(SettingText().describe('Its value with `--contract-only`.')),
    options: z
      .union([z.string(), z.array(z.string()).readonly()])
      .describe('Possible values, or their format.'),
    why: notForAgents(z.string().describe('Why the default is what it is.')),
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

const settingCells = ({ id, value, options }: SettingRecord): Cell[] => [
  ...[id, value],
  typeof options === 'string' ? options : options.join(' | '),
]

const rateCells = ({ USDC, CADC }: CoinRates) => ({ USDC: USDC.cad, CADC: CADC.cad })

export const settings = {
  'settings.list': {
    id: 'listSettings',
    method: 'GET',
    path: '/settings',
    result: 'items',
    summary: 'List the settings: what the contract leaves open, and what this sandbox does',
    about:
      'Each has its value in this world, the possible values and the reason for the default. `patchSettings` changes the value.',
    words: ['settings', { field: 'q', label: 'FILTER', isOptional: true, isMany: true }],
    example: 'settings quotes',
    columns: settingCells,
    worksAlone: true,
    tool: true,
    query: () => ({
      ...Listed(),
      q: Filter().describe('Only settings with these words in their id or question.'),
      changed: Flag().optional().describe('Only settings that differ from their default.'),
      open: Flag().optional().describe('Only settings that the contract does not state.'),
    }),
    response: () =>
      ListOf(SettingRecord()).extend({
        unknown: z
          .string()
          .optional()
          .describe('When no setting matches `q`: the one that was probably meant.'),
      }),
  },
  'settings.get': {
    id: 'getSetting',
    method: 'GET',
    path: '/settings/:id',
    params: { id: 'Id of the setting.' },
    summary: 'Read one setting',
    words: ['settings', { field: 'id', known: SETTING_IDS }],
    example: 'settings quotes.ttl',
    worksAlone: true,
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
    summary:
      'Change settings, all or nothing; the value `default` restores a setting’s default; scheduled tasks are unaffected',
    about:
      'Null, or `default`, restores the default, and `preset` changes all settings that are not sent individually. The change applies to new calls.',
    done: nameFields('Settings'),
    words: ['settings', { pairs: 'ID=VALUE' }],
    example: 'settings quotes.ttl=5m',
    columns: settingCells,
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
    summary: 'Show the current prices of coins, in CAD',
    about: 'New quotes use these rates.',
    words: ['rates'],
    columns: rateCells,
    success: 'The rates, in CAD per coin.',
    response: CoinRates,
  },
  'rates.set': {
    id: 'putRates',
    method: 'PUT',
    path: '/rates',
    summary: 'Set the prices of coins; omitted prices and locked quotes are unaffected',
    about: 'New quotes and limits use the new rates.',
    done: 'Rates',
    words: ['rates', { pairs: 'COIN=PRICE' }],
    example: 'rates USDC=1.38',
    columns: rateCells,
    body: () => CoinRates().partial(),
    response: CoinRates,
  },
} as const
