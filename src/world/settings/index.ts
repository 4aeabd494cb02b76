import { DomainError } from '../domain-error.ts'
import { DURATION_HELP, durationHelp } from '../duration.ts'
import { suggest } from '../nearest.ts'
import { toVisible, wordList } from '../word-list.ts'
import { CREDENTIALS } from './credentials.ts'
import { ERROR_STATUSES } from './errors.ts'
import { PEOPLE, SERVICE } from './rows.ts'
import type { Setting, SettingValue } from './setting.ts'
import { TRADING } from './trading.ts'

/** Every number and choice that can be changed, by name. What is settled is in `constants.ts`. */
const SETTINGS = { ...PEOPLE, ...TRADING, ...SERVICE, ...ERROR_STATUSES, ...CREDENTIALS }
type Known = typeof SETTINGS

export type SettingId = keyof Known
/** Settings as the world uses them. */
export type Settings = {
  readonly [Id in SettingId]: Known[Id] extends Pick<Setting<infer Value>, 'default'>
    ? Value
    : never
}

type Digits<Text> = Text extends `${infer Whole extends number}` ? Whole : never
type Written<Of> = Of extends { format(value: never): infer Text } ? Text | Digits<Text> : never
/** Values as people write them. A number, such as a status code, may also be given as text. */
export type SettingValues = { [Id in SettingId]: Written<Known[Id]> }
/** Values as they may be given. */
export type GivenSettings = Partial<SettingValues & { preset: 'default' | 'contract' }>

/** The strictest value of each setting, where that is not the default (`--contract-only`). */
const CONTRACT_ONLY = {
  'users.create.required': 'all',
  'users.visibility': 'integrator',
  'access.subject': 'refuse',
  'quotes.labels': 'USDC,USDC-ETH,CADC',
  'transactions.required': 'all',
  'webhooks.url': 'https-only',
  'webhooks.withoutSecret': 'suppressed',
  'v1.sunset': 'contract',
  'body.mediaType': 'application/json',
  'responses.fields': 'contract',
  'status.unknown-field': 400,
  'status.quote-spent': 400,
  'status.quote-amount': 400,
  'status.too-many-decimals': 400,
  'auth.updateUser': 'token',
  'auth.createKycLink': 'token',
  'auth.getRequirements': 'token',
  'auth.v1PriceQuote': 'key',
} as const satisfies Partial<SettingValues>

export const SETTING_IDS = Object.keys(SETTINGS) as SettingId[]

export const isSettingId = (id: string): id is SettingId => Object.hasOwn(SETTINGS, id)

export const settingOf = (id: SettingId): Setting => SETTINGS[id] as unknown as Setting

/** Settings that concern an operation or a webhook. */
export function settingsOn(id: string): SettingId[] {
  const isNamed = (setting: SettingId) =>
    settingOf(setting).on.some((concerned) => concerned === id)
  return SETTING_IDS.filter(isNamed)
}

type SomeSettings = Readonly<Record<string, SettingValue>>

const DEFAULTS: SomeSettings = Object.fromEntries(
  SETTING_IDS.map((id) => [id, settingOf(id).default]),
)

/** Sets of values that `preset` stands for, wherever settings are given. */
const PRESETS: Readonly<Record<string, SomeSettings>> = {
  default: DEFAULTS,
  contract: { ...DEFAULTS, ...parseEach(CONTRACT_ONLY) },
}

/** The defaults with some settings changed. */
export const toSettings = (changed: SomeSettings): Settings =>
  ({ ...DEFAULTS, ...changed }) as Settings

export const strictValue = (id: SettingId): SettingValue => PRESETS.contract?.[id] ?? ''

/** Parses settings as people write them. `preset` sets every setting; those given next to it win. */
export function parseSettings({ preset, ...single }: SomeSettings): SomeSettings {
  const parsed = parseEach(single)
  if (preset === undefined) return parsed
  const values = PRESETS[preset]
  if (values !== undefined) return { ...values, ...parsed }
  const message = `preset must be ${wordList(Object.keys(PRESETS), 'or')}, not ${JSON.stringify(preset)}.`
  throw new DomainError('invalid', message, { field: 'preset' })
}

function parseEach(given: SomeSettings): SomeSettings {
  const entries = Object.entries(given).map(([id, value]) => [id, parseSetting(id, value)] as const)
  return Object.fromEntries(entries)
}

function parseSetting(id: string, value: SettingValue): SettingValue {
  if (!isSettingId(id)) {
    throw new DomainError('invalid', describeUnknownSetting(id), { field: id })
  }
  const { parse, options } = settingOf(id)
  const parsed = parse(value)
  if (parsed !== undefined) return parsed
  const listed = [options].flat().flatMap((option) => option.split(' | '))
  const accepted = options === DURATION_HELP ? durationHelp(value) : wordList(listed, 'or')
  const message = `${id} must be ${accepted}, not ${JSON.stringify(value)}.`
  throw new DomainError('invalid', message, { field: id })
}

export const describeUnknownSetting = (id: string): string =>
  `There is no setting ${toVisible(id)}${suggest(id, SETTING_IDS)}`

export function formatSettings(settings: Settings): SettingValues {
  const entries = SETTING_IDS.map((id) => [id, settingOf(id).format(settings[id])])
  return Object.fromEntries(entries) as SettingValues
}

/** A warning about v1 ends where somebody chose what happens, even if it is the default. */
const KEPT: SettingId = 'v1.sunset'

/** Returns the settings that differ from their defaults. */
export const changesIn = (settings: SomeSettings): Record<string, SettingValue> =>
  Object.fromEntries(
    Object.entries(settings).filter(([id, value]) => id === KEPT || value !== DEFAULTS[id]),
  )

/** Applies changes to what differs from the defaults; null goes back to the default. */
export function layerChanges(
  changed: SomeSettings,
  request: Readonly<Record<string, SettingValue | null>>,
): Record<string, SettingValue> {
  const sent = Object.entries(request).map(([id, value]) => [id, value ?? defaultOf(id)] as const)
  const { [KEPT]: kept, ...others } = changesIn({
    ...changed,
    ...parseSettings(Object.fromEntries(sent)),
  })
  return kept === undefined || request[KEPT] === null ? others : { ...others, [KEPT]: kept }
}

/** An id that is unknown is refused where the value is parsed. */
const defaultOf = (id: string): SettingValue => (id === 'preset' ? 'default' : (DEFAULTS[id] ?? ''))
