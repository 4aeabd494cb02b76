import { DomainError } from '../domain-error.ts'
import { suggest } from '../nearest.ts'
import { ERROR_STATUSES } from './errors.ts'
import { CREDENTIALS, FIELDS, SUCCESS_STATUSES } from './operations.ts'
import { PEOPLE, SERVICE } from './rows.ts'
import { choice, type Setting, type SettingValue } from './setting.ts'
import { TRADING } from './trading.ts'

/** Every number and choice that the contract states or leaves open, by name. */
const SETTINGS = {
  ...PEOPLE,
  ...TRADING,
  ...SERVICE,
  ...ERROR_STATUSES,
  ...SUCCESS_STATUSES,
  ...CREDENTIALS,
  ...FIELDS,
}

/** The preset that gives the default of each setting. It is passed and stored like a setting. */
const PRESET = choice(['default', 'contract'], 'What the service does', {
  on: ['all'],
  question: 'Which values do settings have that were not set?',
  why: '`contract` is the strictest reading of the contract. Choosing one sets every setting; settings given with it, or later, win.',
})

type Known = typeof SETTINGS & { preset: typeof PRESET }
const KNOWN: Known = { preset: PRESET, ...SETTINGS }

export type SettingId = keyof typeof SETTINGS
/** The preset, and settings as the world uses them. */
export type Settings = {
  readonly [Id in keyof Known]: Known[Id] extends Pick<Setting<infer Value>, 'default'>
    ? Value
    : never
}

type Digits<Text> = Text extends `${infer Whole extends number}` ? Whole : never
type Written<Of> = Of extends { format(value: never): infer Text } ? Text | Digits<Text> : never
/** Values as people write them. A number, such as a status code, may also be given as text. */
export type SettingValues = { [Id in keyof Known]: Written<Known[Id]> }

export const SETTING_IDS = Object.keys(SETTINGS) as SettingId[]
/** Ids that may be given and are read back. */
export const KNOWN_IDS: readonly (keyof Known)[] = ['preset', ...SETTING_IDS]

export const isSettingId = (id: string): id is SettingId => Object.hasOwn(SETTINGS, id)

export const settingOf = (id: keyof Known): Setting => KNOWN[id] as unknown as Setting

type SomeSettings = Readonly<Record<string, SettingValue>>

const PRESETS: Record<'default' | 'contract', Record<string, SettingValue>> = {
  default: Object.fromEntries(KNOWN_IDS.map((id) => [id, settingOf(id).default])),
  contract: Object.fromEntries(
    KNOWN_IDS.map((id) => [id, settingOf(id).strict ?? settingOf(id).default]),
  ),
}

const presetOf = (preset: SettingValue | null = null) =>
  PRESETS[preset === 'contract' ? 'contract' : 'default']

/** The values of the preset with some settings changed. */
export const toSettings = (changed: SomeSettings): Settings =>
  ({ ...presetOf(changed.preset), ...changed }) as Settings

/** Value of a setting when only the preset is given. */
export const presetValue = (id: string, preset?: SettingValue | null): SettingValue =>
  presetOf(preset)[id] ?? ''

/** Why a setting has its value, and whether the preset `contract` has a stricter one. */
export function whyOf(id: SettingId): string {
  const { why, stated, strict } = settingOf(id)
  return stated || strict !== undefined ? why : `${why} No stricter reading.`
}

/**
 * Layers settings. A preset in the upper layer sets every setting, so nothing of the lower one
 * stays.
 */
export const layerSettings = (below: SomeSettings, above: SomeSettings): SomeSettings =>
  above.preset === undefined ? { ...below, ...above } : above

/** Settings as people write them, as the world uses them. */
export function parseSettings(given: SomeSettings): Record<string, SettingValue> {
  const entries = Object.entries(given).map(([id, value]) => [id, parseSetting(id, value)] as const)
  return Object.fromEntries(entries)
}

function parseSetting(id: string, value: SettingValue): SettingValue {
  if (!Object.hasOwn(KNOWN, id)) {
    const message = `There is no setting ${id}${suggest(id, KNOWN_IDS)}`
    throw new DomainError('invalid', message, { field: id })
  }
  const { parse, options } = settingOf(id as SettingId)
  const parsed = parse(value)
  if (parsed !== undefined) return parsed
  const message = `${id} must be ${[options].flat().join(' | ')}, not ${JSON.stringify(value)}.`
  throw new DomainError('invalid', message, { field: id })
}

export function formatSettings(settings: Settings): Record<string, SettingValue> {
  return Object.fromEntries(KNOWN_IDS.map((id) => [id, settingOf(id).format(settings[id])]))
}

/** Applies changes to the differences from the preset; null goes back to the preset. */
export function layerChanges(
  changed: SomeSettings,
  request: Readonly<Record<string, SettingValue | null>>,
): Record<string, SettingValue> {
  const { preset = changed.preset ?? null } = request
  const sent = Object.entries(request).map(([id, value]) => [id, value ?? presetValue(id, preset)])
  const layered = layerSettings(changed, parseSettings(Object.fromEntries(sent)))
  return Object.fromEntries(
    Object.entries(layered).filter(([id, value]) => value !== presetValue(id, layered.preset)),
  )
}
