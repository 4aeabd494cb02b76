import { DURATION_HELP, type Duration, formatDuration, parseDuration } from '../duration.ts'
import type { ContractOperationId, WebhookId } from './operations.ts'

export type SettingValue = string | number

export type Concerned = readonly (ContractOperationId | WebhookId)[]

/** A sentence of the contract, and the values that it excludes. */
export interface Exclusion {
  excludes(value: SettingValue): boolean
  sentence: string
}

/** What a setting decides, and the reason for its default. */
interface Note {
  /** Operations and webhooks that it concerns. */
  on?: Concerned
  question: string
  why: string
  /** True where the contract states the default; otherwise it is an assumption. */
  stated?: boolean
  excluded?: readonly Exclusion[]
}

export interface SettingRow<Value extends SettingValue, Written extends SettingValue = Value>
  extends Note {
  /** Its place in the contract. */
  ref: string
  default: Value
  options: readonly string[] | string
  /** Parses a value for the world; undefined if it is invalid. */
  parse(value: SettingValue): Value | undefined
  format(value: Value): Written
}

export interface Setting<
  Value extends SettingValue = SettingValue,
  Written extends SettingValue = Value,
> extends SettingRow<Value, Written> {
  on: Concerned
}

/** Rows that concern the same operations. */
export const on = <Rows extends object>(operations: Concerned, rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, { ...row, on: operations }]),
  ) as Rows

/** Says which options a sentence of the contract excludes. */
export const except = (sentence: string, ...options: SettingValue[]): Exclusion => ({
  sentence,
  excludes: (value) => options.includes(value),
})

/** Says which option is the only one that a sentence of the contract leaves. */
export const only = (sentence: string, option: SettingValue): Exclusion => ({
  sentence,
  excludes: (value) => value !== option,
})

const asIs = <Value>(value: Value) => value

/** A choice of words. */
export function choice<const Options extends readonly [string, ...string[]]>(
  options: Options,
  ref: string,
  note: Note,
): SettingRow<Options[number]> {
  const parse = (value: SettingValue) => options.find((option) => option === String(value))
  return { ...note, ref, default: options[0], options, parse, format: asIs }
}

/** A choice of numbers, each of which may also be given as text. */
export function numbers<const Options extends readonly [number, ...number[]]>(
  options: Options,
  ref: string,
  note: Note,
): SettingRow<Options[number]> {
  const parse = (value: SettingValue) => options.find((option) => String(option) === String(value))
  return { ...note, ref, default: options[0], options: options.map(String), parse, format: asIs }
}

export const duration = (
  text: Duration,
  ref: string,
  note: Note,
): SettingRow<number, Duration> => ({
  ...note,
  ref,
  default: parseDuration(text) ?? 0,
  options: DURATION_HELP,
  // The command line passes numbers as text.
  parse: (value) => parseDuration(/^\d{1,15}$/.test(String(value)) ? Number(value) : value),
  format: formatDuration,
})

interface Bounds extends Note {
  min?: number
  max?: number
}

export const count = (value: number, ref: string, note: Bounds) =>
  numberRow(value, ref, note, { noun: 'a whole number', isExact: Number.isInteger })

export const amount = (value: number, ref: string, note: Bounds) =>
  numberRow(value, ref, note, {
    noun: 'a number',
    more: ' with at most six decimals',
    isExact: (number) => Math.round(number * 1e6) / 1e6 === number,
  })

function numberRow(
  value: number,
  ref: string,
  { min = 0, max = 1e9, ...note }: Bounds,
  kind: { noun: string; more?: string; isExact(number: number): boolean },
): SettingRow<number> {
  const options = `${kind.noun} from ${min} to ${max}${kind.more ?? ''}`
  const parse = (given: SettingValue) => {
    const number = toNumber(given)
    return kind.isExact(number) && number >= min && number <= max ? number : undefined
  }
  return { ...note, ref, default: value, options, parse, format: asIs }
}

interface Accepted extends Note {
  options: string
  accepts(given: string): boolean
}

/** Any text that is accepted. */
export function text<Written extends string = string>(
  value: Written,
  ref: string,
  { accepts, ...note }: Accepted,
): SettingRow<string, Written> {
  const parse = (given: SettingValue) =>
    typeof given === 'string' && accepts(given) ? given : undefined
  return { ...note, ref, default: value, parse, format: (kept) => kept as Written }
}

/** A selection from a list of names, in its order: `a,b`, `all` or `none`. */
export function list(
  names: readonly string[],
  usual: readonly string[],
  ref: string,
  note: Note,
): SettingRow<string> {
  const join = (chosen: readonly string[]) =>
    names.filter((name) => chosen.includes(name)).join(',') || 'none'
  const parse = (given: SettingValue) => {
    if (given === 'all') return join(names)
    const chosen = given === 'none' ? [] : String(given).split(/\s*,\s*/)
    return chosen.every((name) => names.includes(name)) ? join(chosen) : undefined
  }
  const options = `all | none | a list of ${names.join(', ')}`
  return { ...note, ref, default: join(usual), options, parse, format: asIs }
}

export const namesIn = (value: string): readonly string[] =>
  value === 'none' ? [] : value.split(',')

export function toNumber(value: SettingValue): number {
  if (typeof value === 'number') return value
  return /^\d{1,15}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN
}
