import type { Json } from '../../client/http.ts'
import { formatDuration } from '../../world/duration.ts'
import { NotMeasured } from './not-measured.ts'
import type { Reading } from './provider.ts'

export const isOk = ({ status }: Reading): boolean => status >= 200 && status < 300

/** The option that a status stands for; any other status says nothing about the setting. */
export function byStatus<Option extends string>(
  { status }: Reading,
  options: Readonly<Record<number, Option>>,
): Option {
  const option = options[status]
  if (option !== undefined) return option
  const expected = Object.keys(options).join(', ')
  throw new NotMeasured(`the answer is ${status}, and only ${expected} would say it`)
}

/** The status of a refusal; 200 where the call was not refused at all. */
export function errorStatusOf(reading: Reading): number {
  if (isOk(reading)) return 200
  if (reading.status >= 400 && reading.status < 500) return reading.status
  throw new NotMeasured(`the answer is ${reading.status}`)
}

/** The codes of a request with wrong values. */
export const INVALID = { 400: 'invalid', 422: 'invalid' } as const

export function isAccepted(reading: Reading): boolean {
  if (isOk(reading)) return true
  byStatus(reading, INVALID)
  return false
}

/** The answer of a success; a setting that shows only there cannot be seen in anything else. */
export function assertOk(reading: Reading): Reading {
  if (isOk(reading)) return reading
  throw new NotMeasured(`${reading.route} answered ${reading.status}`)
}

export function errorFields({ body }: Reading): string[] {
  const errors: Json = body?.errors
  return Array.isArray(errors) ? errors.map((error: Json) => String(error?.field)) : []
}

/** What two errors differ in. */
export const errorOf = ({ status, body }: Reading): string => JSON.stringify([status, body])

export function numberIn(value: Json, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new NotMeasured(`there is no number at ${place}`)
}

/** A `Date` header is whole seconds, and clocks that are kept right differ by less. */
const CLOCK_TOLERANCE_MS = 2_000

/** How far the provider's clock is from this machine's, where an answer says so; else 0. */
export function clockErrorMs({ headers, sentAt, receivedAt }: Reading): number {
  const date = Date.parse(headers.date ?? '')
  if (!Number.isFinite(date)) return 0
  if (date + 1_000 < sentAt - CLOCK_TOLERANCE_MS) return date - sentAt
  return date > receivedAt + CLOCK_TOLERANCE_MS ? date - receivedAt : 0
}

/** How long what an answer holds is valid, as a length that a person would choose. */
export function lifetimeOf(reading: Reading): string {
  const at = Date.parse(assertOk(reading).data?.expiresAt)
  if (!Number.isFinite(at)) throw new NotMeasured('the answer has no time of expiry')
  const errorMs = clockErrorMs(reading)
  if (errorMs !== 0) throw new NotMeasured(`its clock is ${formatClockError(errorMs)} this one’s`)
  const most = at - reading.sentAt + CLOCK_TOLERANCE_MS
  const least = at - reading.receivedAt - CLOCK_TOLERANCE_MS
  const unit = UNITS_MS.find((ms) => most >= ms * 5) ?? 1_000
  const length = Math.floor(most / unit) * unit
  if (length > 0 && length >= least) return formatDuration(length)
  const seconds = Math.round((at - reading.receivedAt) / 1000)
  throw new NotMeasured(`it expires in ${seconds} s, which is no round length: the clocks differ`)
}

const UNITS_MS = [60_000, 10_000]

export function formatClockError(ms: number): string {
  const length = formatDuration(Math.abs(Math.round(ms / 1000)) * 1000)
  return `${length} ${ms < 0 ? 'behind' : 'ahead of'}`
}

/** The shortest decimal that is no further than `tolerance` from a measured number. */
export function roundWithin(value: number, tolerance: number): number {
  for (let decimals = 0; decimals < 6; decimals++) {
    const rounded = Number(value.toFixed(decimals))
    if (Math.abs(rounded - value) <= tolerance) return rounded
  }
  return Number(value.toFixed(6))
}

/** The claims of an access token, if it is a JWT. */
export function claimsOf(token: string): Json {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    throw new NotMeasured('the access token cannot be read')
  }
}

/**
 * The least whole number that is accepted, if `accepts` is true from there on. Tries the expected
 * one first, so that agreement costs two calls.
 */
export async function findLeast(
  { least, most, expected }: { least: number; most: number; expected: number },
  accepts: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  let [rejected, accepted] = [least - 1, most + 1]
  for (const tried of [expected, expected - 1]) await note(tried)
  while (accepted - rejected > 1) await note(Math.floor((accepted + rejected) / 2))
  return accepted <= most ? accepted : undefined

  async function note(value: number) {
    if (value <= rejected || value >= accepted) return
    if (await accepts(value)) accepted = value
    else rejected = value
  }
}
