import {
  DURATION_HELP,
  type Duration,
  describeDuration,
  formatDuration,
  INSTANT_HELP,
  parseDuration,
  parseInstant,
} from '../duration.ts'

export type SettingValue = string | number

/**
 * Operations and webhooks that a row concerns, by their ids in v2, whose counterparts in v1 are meant
 * as well; or `all`, `v1`, or  those that take a `key`, a `token`, a `body` or a `query`, or name a `user`.
 */
export type Concerned = readonly string[]

/** Where the status of a transaction shows. */
export const MOVING = ['listTransactions', 'getTransaction', 'onTransactionUpdate']
export const EVENTS = ['onUserUpdate', 'onTransactionUpdate']

/** What a reader of `/_sandbox/assumptions` learns about one setting. */
export interface Note {
  on: Concerned
  /** Whether the counterparts in v1 are not concerned. */
  notV1?: boolean
  /** Place in the contract. */
  ref: string
  question: string
  why: string
  /** True where the contract states the value; otherwise it is an assumption. */
  stated?: boolean
  /** The strictest reading of the contract, where that is not the default. */
  strict?: SettingValue
}

export interface Setting<
  Value extends SettingValue = SettingValue,
  Written extends SettingValue = SettingValue,
> extends Note {
  default: Value
  options: readonly string[] | string
  /** What is expected in place of a value that is none, where the options do not say it all. */
  describe?(value: SettingValue): string
  /** The value as the world uses it, or undefined when it is none. */
  parse(value: SettingValue): Value | undefined
  /** The value as people write it. */
  format(value: Value): Written
}

const asIs = <Value>(value: Value) => value

export function choice<const Options extends readonly [string, ...string[]]>(
  options: Options,
  note: Note & { strict?: NoInfer<Options[number]> },
): Setting<Options[number], Options[number]> {
  return {
    ...note,
    default: options[0],
    options,
    // A number, such as a status code, is as good as its text.
    parse: (value) => options.find((option) => option === String(value)),
    format: asIs,
  }
}

/** A length of time in ms. */
export function duration(text: Duration, note: Note): Setting<number, Duration> {
  return {
    ...note,
    default: parseDuration(text) ?? 0,
    options: DURATION_HELP,
    describe: describeDuration,
    // A command line can only say a number as a text.
    parse: (value) => parseDuration(/^\d{1,15}$/.test(String(value)) ? Number(value) : value),
    format: formatDuration,
  }
}

interface Bounded extends Note {
  least: number
  most: number
}

/** A whole number. */
export function count(value: number, { least, most, ...note }: Bounded): Setting<number, number> {
  return {
    ...note,
    default: value,
    options: `a whole number from ${least} to ${most}`,
    parse: (given) => {
      const number = toNumber(given)
      return Number.isInteger(number) && number >= least && number <= most ? number : undefined
    },
    format: asIs,
  }
}

/** A number with at most six decimals. */
export function amount(value: number, { least, most, ...note }: Bounded): Setting<number, number> {
  return {
    ...note,
    default: value,
    options: `a number from ${least} to ${most} with at most six decimals`,
    parse: (given) => {
      const number = toNumber(given)
      const exact = Math.round(number * 1e6) / 1e6 === number
      return exact && number >= least && number <= most ? number : undefined
    },
    format: asIs,
  }
}

export function text(
  value: string,
  pattern: RegExp,
  options: string,
  note: Note,
): Setting<string, string> {
  return {
    ...note,
    default: value,
    options,
    parse: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined),
    format: asIs,
  }
}

/** One of a few words, or an instant. */
export function choiceOrInstant<const Options extends readonly [string, ...string[]]>(
  options: Options,
  note: Note,
): Setting<string, Options[number] | `${number}-${string}Z`> {
  const words: readonly string[] = options
  return {
    ...note,
    default: options[0],
    options: `${options.join(' | ')} | ${INSTANT_HELP}`,
    parse: (given) =>
      typeof given === 'string' && (words.includes(given) || parseInstant(given) !== undefined)
        ? given
        : undefined,
    format: asIs,
  }
}

function toNumber(value: SettingValue): number {
  if (typeof value === 'number') return value
  return /^\d{1,15}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN
}

/** One error of the contract API. */
export interface ErrorRow {
  /** Default status; below 400 the call succeeds all the same. */
  status: number
  /** The field that it names, where that is always the same. */
  field: string
  /** Place in the contract. */
  ref: string
  /** Why a call gets it, for the documents. */
  says: string
  /** Operations that may answer with it. */
  on: Concerned
  /** The status in the preset `contract`, where that is another one. */
  strict?: number
  /** What a status of 200 means, where it is possible. */
  hidden?: string
  /** Whether the contract states the status. */
  stated?: boolean
  notV1?: boolean
  /** Whether HTTP has this error, rather than the service. */
  http?: boolean
}

type ErrorCells = readonly [
  status: number,
  field: string,
  says: string,
  more?: Pick<ErrorRow, 'strict' | 'hidden' | 'stated' | 'http' | 'notV1'>,
]

/** The errors of one place in the contract. */
export function errorsAt<Code extends string>(
  ref: string,
  on: ErrorRow['on'],
  errors: Record<Code, ErrorCells>,
): Record<Code, ErrorRow> {
  const rows = Object.entries<ErrorCells>(errors).map(([code, [status, field, says, more]]) => [
    code,
    { status, field, says, ref, on, ...more },
  ])
  return Object.fromEntries(rows)
}

/** The status of an error; 200 where the call may succeed all the same. */
export function status(row: ErrorRow): Setting<number, number> {
  const { status, on, ref, says, hidden, strict, stated } = row
  const range = 'a status from 400 to 499'
  return {
    on,
    ref,
    question: `${says.replace(/\.$/, '')}: which status?`,
    why: hidden === undefined ? 'Which status is not shown.' : `With 200, ${hidden}.`,
    ...(strict !== undefined && { strict }),
    ...(stated && { stated }),
    ...(row.notV1 && { notV1: true }),
    default: status,
    options: hidden === undefined ? range : `200, or ${range}`,
    parse(given) {
      const code = toNumber(given)
      const isError = Number.isInteger(code) && code >= 400 && code <= 499
      return isError || (hidden !== undefined && code === 200) ? code : undefined
    },
    format: asIs,
  }
}

/** The status of a success. */
export function success(statuses: readonly number[], note: Note): Setting<number, number> {
  return {
    ...note,
    default: statuses[0] ?? 200,
    options: statuses.map(String),
    parse: (given) => statuses.find((status) => String(status) === String(given)),
    format: asIs,
  }
}

/** Some of a list of names, in its order: `a,b`, or the words `all` and `none`. */
export function list(
  names: readonly string[],
  usual: readonly string[],
  note: Note,
): Setting<string, string> {
  const join = (chosen: readonly string[]) =>
    names.filter((name) => chosen.includes(name)).join(',') || 'none'
  return {
    ...note,
    default: join(usual),
    options: `all | none | a list of ${names.join(', ')}`,
    parse(given) {
      if (given === 'all') return join(names)
      const chosen = given === 'none' ? [] : String(given).split(/\s*,\s*/)
      return chosen.every((name) => names.includes(name)) ? join(chosen) : undefined
    },
    format: asIs,
  }
}

/** The names in the value of a list. */
export const namesIn = (value: string): readonly string[] =>
  value === 'none' ? [] : value.split(',')
