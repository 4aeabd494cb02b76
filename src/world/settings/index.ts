import { DomainError } from '../domain-error.ts'
import { findNearest } from '../nearest.ts'
import { ERROR_STATUSES } from './errors.ts'
import { KYB } from './kyb.ts'
import { KYC } from './kyc.ts'
import { LIMITS } from './limits.ts'
import { LOGIN } from './login.ts'
import { CREDENTIALS, FIELDS, SUCCESS_STATUSES } from './operations.ts'
import { PRESET } from './preset.ts'
import { QUOTES } from './quotes.ts'
import { REQUESTS } from './requests.ts'
import type { Setting, SettingValue } from './setting.ts'
import { TRANSACTIONS } from './transactions.ts'
import { USERS } from './users.ts'
import { V1 } from './v1.ts'
import { WEBHOOKS } from './webhooks.ts'

/** Every number and choice that the contract states or leaves open, by name. */
export const SETTINGS = {
  ...PRESET,
  ...USERS,
  ...LOGIN,
  ...KYC,
  ...QUOTES,
  ...TRANSACTIONS,
  ...LIMITS,
  ...KYB,
  ...WEBHOOKS,
  ...V1,
  ...ERROR_STATUSES,
  ...SUCCESS_STATUSES,
  ...CREDENTIALS,
  ...FIELDS,
  ...REQUESTS,
}

export type SettingId = keyof typeof SETTINGS
export type Settings = {
  readonly [Id in SettingId]: (typeof SETTINGS)[Id] extends Setting<infer Value> ? Value : never
}

type Digits<Text> = Text extends `${infer Whole extends number}` ? Whole : never
/** A value as people write it; a number, such as a status code, is as good as its text. */
type Written<Of> = Of extends Setting<infer _, infer Text> ? Text | Digits<Text> : never
/** Settings as people write them. */
export type SettingValues = { [Id in SettingId]: Written<(typeof SETTINGS)[Id]> }

export const SETTING_IDS = Object.keys(SETTINGS) as SettingId[]

export const isSettingId = (id: string): id is SettingId => Object.hasOwn(SETTINGS, id)

export const settingOf = (id: SettingId): Setting => SETTINGS[id] as unknown as Setting

type SomeSettings = Readonly<Record<string, SettingValue>>

/** The values of each preset, worked out once. */
const PRESETS: Record<'default' | 'contract', Record<string, SettingValue>> = {
  default: Object.fromEntries(SETTING_IDS.map((id) => [id, settingOf(id).default])),
  contract: Object.fromEntries(
    SETTING_IDS.map((id) => [id, settingOf(id).strict ?? settingOf(id).default]),
  ),
}

const presetOf = (preset: SettingValue | null = null) =>
  PRESETS[preset === 'contract' ? 'contract' : 'default']

/** The values of the preset with some settings changed. */
export const toSettings = (changed: SomeSettings): Settings =>
  ({ ...presetOf(changed.preset), ...changed }) as Settings

/** What a setting is when only the preset is given. */
export const presetValue = (id: SettingId, preset?: SettingValue | null): SettingValue =>
  presetOf(preset)[id] ?? settingOf(id).default

/** Why a setting has its value, and whether the preset `contract` has a stricter one. */
export function whyOf(id: SettingId): string {
  const { why, stated, strict } = settingOf(id)
  return stated || strict !== undefined ? why : `${why} No stricter reading.`
}

/** Settings on top of others. A preset among them sets every setting, so none of the others stays. */
export const layerSettings = (below: SomeSettings, above: SomeSettings): SomeSettings =>
  above.preset === undefined ? { ...below, ...above } : above

/** More than there are, so that a longer list need not be looked at. */
export const SETTINGS_MAX = 1_000

/** Throws for settings that are too many to be any, before anything looks at each. */
export function assertFewSettings(given: unknown): void {
  if (given === null || typeof given !== 'object') return
  let count = 0
  for (const _ in given) {
    if (++count <= SETTINGS_MAX) continue
    const message = `At most ${SETTINGS_MAX} settings may be given at once.`
    throw new DomainError('invalid', message, { field: 'settings' })
  }
}

/** Settings as people write them, as the world uses them. */
export function parseSettings(given: Readonly<Record<string, SettingValue>>) {
  const parsed: Record<string, SettingValue> = {}
  for (const [id, value] of Object.entries(given)) {
    if (!isSettingId(id)) {
      throw new DomainError('invalid', `There is no setting ${id}${didYouMean(id)}`, { field: id })
    }
    const setting = settingOf(id)
    const parsedValue = setting.parse(value)
    if (parsedValue === undefined) {
      const { options, describe = () => [options].flat().join(' | ') } = setting
      throw new DomainError(
        'invalid',
        `${id} must be ${describe(value)}, not ${JSON.stringify(value)}.`,
        { field: id },
      )
    }
    parsed[id] = parsedValue
  }
  return parsed
}

function didYouMean(id: string): string {
  const nearest = findNearest(id, SETTING_IDS)
  if (nearest !== undefined) return `; did you mean ${nearest}?`
  const [area = ''] = id.split('.')
  const near = SETTING_IDS.filter((known) => known.startsWith(`${area}.`))
  return near.length > 0 ? `; under ${area} there are ${near.join(', ')}.` : '.'
}

/** The settings as people write them. */
export function formatSettings(settings: Settings): Record<string, SettingValue> {
  return Object.fromEntries(SETTING_IDS.map((id) => [id, settingOf(id).format(settings[id])]))
}
