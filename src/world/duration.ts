const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
export const HOUR = UNITS.h
export const DAY = UNITS.d

type Unit = keyof typeof UNITS
/** A length of time: `500ms`, `90s`, `10m`, `1h`, `2d`, `PT1H`, or a number of ms. */
export type Duration = number | `${number}${Unit}` | `P${string}`

const SHORT = /^(\d+)(ms|s|m|h|d)$/
const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

export const NO_DATE = 'must be a real date in the form YYYY-MM-DD'

/** Longest length accepted anywhere: a hundred years. */
export const DURATION_MAX = 36_525 * DAY

export const DURATION_HELP = 'a length of time such as 90s, 10m, 1h, 2d, PT1H or a number of ms'

/** Returns the milliseconds; undefined for text or a number that is not a length of time. */
export function parseDuration(value: string | number): number | undefined {
  const ms = toMs(value)
  if (ms === undefined || !Number.isSafeInteger(ms) || ms < 0 || ms > DURATION_MAX) return undefined
  return ms
}

/** What a length of time must be, for a value that `parseDuration` does not take. */
export const durationHelp = (value: unknown): string =>
  Number(toMs(value)) > DURATION_MAX ? 'at most 36525d (100 years)' : DURATION_HELP

const toMs = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : parseText(String(value))

function parseText(text: string): number | undefined {
  const short = SHORT.exec(text)
  if (short) return Number(short[1]) * UNITS[short[2] as Unit]
  const iso = ISO.exec(text)
  if (!iso || text.endsWith('P') || text.endsWith('T')) return undefined
  const counts = iso.slice(1).map((part) => Number(part ?? 0))
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = counts
  return (weeks * 7 + days) * UNITS.d + hours * UNITS.h + minutes * UNITS.m + seconds * UNITS.s
}

/** The shortest of the forms that `parseDuration` reads, in its largest whole unit. */
export function formatDuration(ms: number): `${number}${Unit}` {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms > 0 && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`
  }
  return `${ms}ms`
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/

/** Range of instants. Even three of the longest durations later, the year has four digits. */
export const INSTANT_MIN = 0
export const INSTANT_MAX = Date.UTC(9700, 0, 1) - 1

export const INSTANT_HELP = 'an instant such as 2026-07-01T12:00:00Z (in UTC, from 1970 to 9699)'

/** An ISO 8601 instant in UTC as milliseconds since 1970. */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined
  const instant = Date.parse(text)
  const real = Number.isFinite(instant) && isRealDate(text.slice(0, 10))
  return real && instant >= INSTANT_MIN && instant <= INSTANT_MAX ? instant : undefined
}

export const formatInstant = (instant: number): string => new Date(instant).toISOString()

/** Returns true if `YYYY-MM-DD` is a day of the calendar. */
export function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const instant = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(instant) && new Date(instant).toISOString().startsWith(text)
}
