import type { Json } from '../../client/http.ts'
import { formatDuration } from '../../world/duration.ts'
import type { Reading } from './step.ts'
import { CannotImitate, NotMeasured } from './step.ts'

export const isOk = ({ status }: Reading): boolean => status >= 200 && status < 300

/** Whether a request was accepted; one that was refused for another reason says nothing. */
export function isAccepted(reading: Reading): boolean {
  if (isOk(reading)) return true
  if (REFUSED.includes(reading.status)) return false
  throw new NotMeasured(`the response is ${reading.status}, which is no refusal of the request`)
}

/** Statuses with which services refuse the contents of a request. */
const REFUSED = [400, 409, 422]

/** The first option all of whose fields are there, if none of the fields of a longer one is. */
export function shapeOf(data: Json, options: Readonly<Record<string, readonly string[]>>): string {
  if (data === null || typeof data !== 'object') throw new NotMeasured('there is no object')
  const names = Object.keys(data)
  const all = new Set(Object.values(options).flat())
  const known = names.filter((name) => all.has(name))
  const found = Object.entries(options).find(
    ([, fields]) => fields.length === known.length && fields.every((name) => known.includes(name)),
  )
  if (found) return found[0]
  // A name that is not a field's may be somebody's.
  const shown = names.map((name) => (/^[A-Za-z_]\w{0,40}$/.test(name) ? name : '*'))
  throw new CannotImitate(`the fields are ${shown.join(', ')}`)
}

/** The response of a success; a setting that shows only there cannot be seen in anything else. */
export function assertOk(reading: Reading): Reading {
  if (isOk(reading)) return reading
  throw new NotMeasured(`${reading.route} answered ${reading.status}`)
}

export function errorFields({ body }: Reading): string[] {
  const errors: Json = body?.errors
  return Array.isArray(errors) ? errors.map((error: Json) => String(error?.field)) : []
}

/** What an error says, without what each response has of its own; `named` stands for any field. */
export function errorOf({ status, body }: Reading, named = ''): string {
  const errors: Json = body?.errors
  const rows = Array.isArray(errors) ? errors : [body]
  const said = rows.map((row: Json) => [row?.field, row?.message])
  const text = JSON.stringify([status, said])
  return named === '' ? text : text.replaceAll(named, '*')
}

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
  if (!Number.isFinite(at)) throw new NotMeasured('the response has no time of expiry')
  const errorMs = clockErrorMs(reading)
  if (errorMs !== 0) throw new NotMeasured(`its clock is ${formatClockError(errorMs)} this one’s`)
  const max = at - reading.sentAt + CLOCK_TOLERANCE_MS
  const min = at - reading.receivedAt - CLOCK_TOLERANCE_MS
  const unit = UNITS_MS.find((ms) => max >= ms * 5) ?? 1_000
  const length = Math.floor(max / unit) * unit
  if (length > 0 && length >= min) return formatDuration(length)
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
 * The smallest whole number that is accepted, if `accepts` is true from there on. Tries the expected
 * one first, so that agreement costs two calls.
 */
export async function findMin(
  { min, max, expected }: { min: number; max: number; expected: number },
  accepts: (value: number, tag: string) => Promise<boolean>,
): Promise<number | undefined> {
  let [rejected, accepted] = [min - 1, max + 1]
  for (const tried of [expected, expected - 1]) await note(tried)
  while (accepted - rejected > 1) await note(Math.floor((accepted + rejected) / 2))
  return accepted <= max ? accepted : undefined

  /** A call that failed by chance is made once more, for somebody else. */
  async function acceptsAgain(value: number): Promise<boolean> {
    try {
      return await accepts(value, `${value}`)
    } catch (error) {
      if (!(error instanceof NotMeasured) || !error.isFailure) throw error
      return await accepts(value, `${value}-again`)
    }
  }

  async function note(value: number) {
    if (value <= rejected || value >= accepted) return
    if (await acceptsAgain(value)) accepted = value
    else rejected = value
  }
}
