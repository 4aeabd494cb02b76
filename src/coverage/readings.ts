import { findError } from '../world/settings/errors.ts'
import { isSettingId, type SettingId, settingOf, strictValue } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/** Another way to read the contract: an option of a setting that it leaves open. */
export interface Reading {
  setting: SettingId
  value: SettingValue
  /** Value in the undisturbed run. */
  usual: SettingValue
  question: string
  why: string
  /** Place in the contract. */
  ref: string
  /** Operations and webhooks of the suite that it concerns. */
  operations: readonly string[]
}

/** `status.created=201`, as `--set` takes it. */
export const idOf = ({ setting, value }: Pick<Reading, 'setting' | 'value'>): string =>
  `${setting}=${value}`

/** Finds the setting of an id such as `status.created=201`, if the setting accepts that value. */
export function settingIn(id: string): SettingId | undefined {
  const setting = id.slice(0, id.indexOf('='))
  if (!isSettingId(setting)) return undefined
  const { parse, format } = settingOf(setting)
  const text = id.slice(setting.length + 1)
  const value = parse(text)
  return value !== undefined && String(format(value)) === text ? setting : undefined
}

/** Facts about a suite, from its undisturbed run. */
export interface Suite {
  /** Settings that concern the suite, each with the operations and webhooks that it uses. */
  concerned: ReadonlyMap<SettingId, readonly string[]>
  /** Situations that the suite has met. */
  met: ReadonlySet<string>
  /** Settings of the undisturbed run. */
  usual: Readonly<Record<string, SettingValue>>
  /** Settings that the command line gives, so that nothing about them is open. */
  given: readonly string[]
}

export interface Readings {
  /** Readings to try, the most likely first. */
  readings: readonly Reading[]
  /** Errors whose status is open and that the suite never meets, so that no run could tell. */
  neverMet: readonly SettingId[]
}

/** Every reading that concerns a suite and that no sentence of the contract excludes. */
export function listReadings(suite: Suite): Readings {
  const open = [...suite.concerned.keys()].filter((id) => isOpen(id, suite))
  const neverMet = open.filter((id) => isNeverMet(id, suite))
  const readings = open
    .filter((id) => !neverMet.includes(id))
    .flatMap((id) => readingsOf(id, suite))
    .sort((a, b) => rankOf(a) - rankOf(b))
  return { readings, neverMet }
}

/** Settings about the sandbox itself, or about what people and banks do. */
export const NO_READINGS: readonly string[] = [
  'tokens.time',
  'webhooks.time',
  'webhooks.body',
  'cors',
  'transactions.settlement',
  'transactions.fundsAfter',
  'transactions.settleAfter',
] satisfies readonly SettingId[]

const isOpen = (id: SettingId, { given }: Suite) =>
  !settingOf(id).stated && !NO_READINGS.includes(id) && !given.includes(id)

/** The error of a setting `status.<error>`. */
const errorOf = (id: SettingId) =>
  id.startsWith('status.') ? id.slice('status.'.length) : undefined

function isNeverMet(id: SettingId, { met, usual }: Suite): boolean {
  const code = errorOf(id)
  if (code === undefined || findError(code) === undefined || Number(usual[id]) < 400) return false
  return ![...met].some((situation) => situation.endsWith(`/${code}`))
}

function readingsOf(setting: SettingId, suite: Suite): Reading[] {
  const { format, parse, question, why, ref } = settingOf(setting)
  const usual = suite.usual[setting] ?? ''
  const values = optionsOf(setting, suite)
    .flatMap((value) => parse(value) ?? [])
    .map((value) => format(value))
  const operations = suite.concerned.get(setting) ?? []
  return [...new Set(values)]
    .filter((value) => value !== usual && !isExcluded(setting, value))
    .map((value) => ({ setting, value, usual, question, why, ref, operations }))
}

/** Candidates, which may include the usual value and values that the setting does not accept. */
function optionsOf(setting: SettingId, suite: Suite): readonly SettingValue[] {
  const { options } = settingOf(setting)
  if (typeof options !== 'string') return options
  const strict = strictValue(setting)
  const neighbours = NEIGHBOURS[setting]
  if (neighbours) return [strict, ...neighbours]
  const error = findError(errorOf(setting) ?? '')
  if (error) return [strict, 200, NEIGHBOUR_STATUSES[error.status] ?? 400]
  const usual = settingOf(setting).parse(suite.usual[setting] ?? '')
  if (typeof usual === 'number') return [strict, halfOf(usual), usual * 2]
  return [strict, ...oneFewer(String(usual), suite)]
}

const halfOf = (value: number) => (Number.isInteger(value) ? Math.floor(value / 2) : value / 2)

/** Lists with one name removed; a label is removed only if the suite orders on its network. */
function oneFewer(list: string, { met }: Suite): string[] {
  const names = list.split(',')
  const isUsed = (name: string) => !/^(USDC|CADC)/.test(name) || met.has(networkOf(name))
  return names.filter(isUsed).map((name) => names.filter((each) => each !== name).join(','))
}

const networkOf = (label: string) => `network-${label.split('-').at(-1)}`

/** Statuses that a provider could use as well, by that of the sandbox. */
const NEIGHBOUR_STATUSES: Readonly<Record<number, number>> = { 400: 422, 401: 403, 410: 404 }

/** Values next to the usual one, where half and double of it mean nothing. */
const NEIGHBOURS: Readonly<Partial<Record<SettingId, readonly SettingValue[]>>> = {
  'requests.perMinute': [60],
  'transactions.expiryLag': ['1m'],
  'names.headerPrefix': ['X-Platform'],
  'names.securityAnswerField': ['securityAnswer'],
}

/** Returns true for an option that a sentence of the contract excludes. */
const isExcluded = (setting: SettingId, value: SettingValue): boolean =>
  settingOf(setting).excluded?.some(({ excludes }) => excludes(value)) ?? false

/** Ranks readings by likelihood: other names and the strictest first, an odd status last. */
function rankOf({ setting, value, ref }: Reading): number {
  const { options, format, default: standard } = settingOf(setting)
  const strict = strictValue(setting)
  if (setting.startsWith('names.')) return 0
  if (strict !== standard && value === format(strict)) return 0
  if (setting === 'status.created') return 1
  if (typeof options !== 'string') return 2
  if (setting.startsWith('status.')) return 3
  return ref.startsWith('Limits') || typeof value === 'number' ? 4 : 5
}
