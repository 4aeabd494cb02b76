import { DURATION_HELP, type Duration, formatDuration, parseDuration } from '../duration.ts'

export type SettingValue = string | number

/**
 * Operations and webhooks that a row concerns, by their v2 ids, which include the v1 counterparts.
 * Or groups: `all`, `v1`, or operations that take a `key`, a `token`, a `body` or a `query`, or
 * name a `user`.
 */
export type Concerned = readonly string[]

/** Places where the status of a transaction shows. */
export const MOVING = ['listTransactions', 'getTransaction', 'onTransactionUpdate']
export const EVENTS = ['onUserUpdate', 'onTransactionUpdate']
export const HOOKS = [
  'onV1UserVerified',
  'onV1TransactionInitiated',
  'onV1TransactionComplete',
  'onV1TransactionStatusUpdate',
]

/** Facts about one setting for a reader of `/_sandbox/settings`. */
interface Note {
  on?: Concerned
  /** Excludes the counterparts in v1. */
  notV1?: boolean
  question: string
  why: string
  /** True where the contract states the value; otherwise it is an assumption. */
  stated?: boolean
  /** The strictest reading of the contract, where that is not the default. */
  strict?: SettingValue
}

export interface SettingRow<Value extends SettingValue, Written extends SettingValue = Value>
  extends Note {
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

const asIs = <Value>(value: Value) => value

/** A choice of words. A number, such as a status, may be given as such or as text. */
export function choice<const Options extends readonly [string, ...string[]]>(
  options: Options,
  ref: string,
  note: Note & { strict?: NoInfer<Options[number]> },
): SettingRow<Options[number]> {
  const parse = (value: SettingValue) => options.find((option) => option === String(value))
  return { ...note, ref, default: options[0], options, parse, format: asIs }
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
