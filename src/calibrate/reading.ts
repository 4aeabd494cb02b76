import type { Json, Query } from '../client/http.ts'
import { formatDuration } from '../world/duration.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/** Input of a call beside its route, such as `GET /v2/users/:userId/requirements`. */
export interface CallOptions {
  path?: Readonly<Record<string, string>>
  query?: Query
  body?: object
  /** Sent in place of a body, as it is. */
  text?: string
  /** The type of that text; JSON by default. */
  type?: string
  /** The API key to send; the first one by default. */
  key?: 'first' | 'second' | 'none' | 'wrong'
  token?: string
  /** Whether it changes nothing, as a read or as something that is refused. */
  isRepeatable?: boolean
  /** Whether the response is not compared: a setting alone says what it shows. */
  isTrial?: boolean
}

/** One call that was made, or one event that came, with what the provider sent. */
export interface Reading {
  step: string
  route: string
  /** Path and query as they were sent. */
  path: string
  sent: CallOptions
  /** 0 where no response came. */
  status: number
  headers: Readonly<Record<string, string>>
  /** The payload of a v2 success; the whole body of anything else. */
  data: Json
  body: Json
  /** By the clock of this machine. */
  sentAt: number
  receivedAt: number
  /** Why there is no response that says anything. */
  problem: string | null
  /** Whether the provider does not have the operation. */
  isAbsent: boolean
}

/** Why a setting is not known; the message continues "not known, because". */
export class NotMeasured extends Error {
  /** Something went wrong, as opposed to an option that was not given. */
  readonly isFailure: boolean

  constructor(reason: string, { isFailure = false } = {}) {
    super(reason)
    this.isFailure = isFailure
  }
}

/** Behaviour that was seen of a setting and is none of its options. */
export class CannotImitate extends Error {
  /** The option that comes next to it. */
  readonly nearest: SettingValue | null

  constructor(seen: string, nearest: SettingValue | null = null) {
    super(seen)
    this.nearest = nearest
  }
}

/** A response of another shape than any that is known is no bug of ours, so it says why too. */
export function toNotMeasured(error: unknown): NotMeasured {
  if (error instanceof NotMeasured) return error
  if (error instanceof TypeError) return new NotMeasured('the response has another shape')
  throw error
}

export function notMeasured(reason: string): never {
  throw new NotMeasured(reason)
}

export const notShown = (): never => notMeasured('no response shows it')

export const isOk = ({ status }: Reading): boolean => status >= 200 && status < 300

/** Whether a request was accepted; one that was refused for another reason says nothing. */
export function isAccepted(reading: Reading): boolean {
  if (isOk(reading)) return true
  // Statuses with which services refuse the contents of a request.
  if ([400, 409, 422].includes(reading.status)) return false
  return notMeasured(`the response is ${reading.status}, which is no refusal of the request`)
}

/** The response of a success; a setting that shows only there cannot be seen in anything else. */
export function assertOk(reading: Reading): Reading {
  if (isOk(reading)) return reading
  return notMeasured(`${reading.route} responded with ${reading.status}`)
}

/** The first option all of whose fields are there, if none of the fields of a longer one is. */
export function shapeOf(data: Json, options: Readonly<Record<string, readonly string[]>>): string {
  if (data === null || typeof data !== 'object') return notMeasured('there is no object')
  const names = Object.keys(data)
  const all = new Set(Object.values(options).flat())
  const known = names.filter((name) => all.has(name))
  const found = Object.entries(options).find(
    ([, fields]) => fields.length === known.length && fields.every((name) => known.includes(name)),
  )
  if (found) return found[0]
  throw new CannotImitate(`the fields are ${names.map(toFieldName).join(', ')}`)
}

/** Whether a success has all fields of an operation, or those of the contract alone. */
export const fieldsOf =
  (full: readonly string[], contract: readonly string[], of = (data: Json): Json => data) =>
  (reading: Reading): string =>
    shapeOf(of(assertOk(reading).data), { full, contract })

/** A name that is not a field's may be somebody's. */
export const toFieldName = (name: string) => (/^[A-Za-z_][\w.-]{0,40}$/.test(name) ? name : '*')

export function errorFields({ body }: Reading): string[] {
  const errors: Json = body?.errors
  return Array.isArray(errors) ? errors.map((error: Json) => String(error?.field)) : []
}

/** Text of an error, without what each response has of its own; `named` stands for any field. */
export function errorOf({ status, body }: Reading, named = ''): string {
  const errors: Json = body?.errors
  const rows = Array.isArray(errors) ? errors : [body]
  const text = JSON.stringify([status, rows.map((row: Json) => [row?.field, row?.message])])
  return named === '' ? text : text.replaceAll(named, '*')
}

export function numberIn(value: Json, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return notMeasured(`there is no number at ${place}`)
}

/** A `Date` header is whole seconds, and clocks that are kept right differ by less. */
const CLOCK_TOLERANCE_MS = 2_000

/** How far the provider's clock is from this machine's, where a response says so; else undefined. */
export function clockErrorOf({ headers, sentAt, receivedAt }: Reading): string | undefined {
  const date = Date.parse(headers.date ?? '')
  const isBehind = date + 1_000 < sentAt - CLOCK_TOLERANCE_MS
  if (!isBehind && !(date > receivedAt + CLOCK_TOLERANCE_MS)) return undefined
  const ms = Math.abs(date - (isBehind ? sentAt : receivedAt))
  const length = formatDuration(Math.round(ms / 1000) * 1000)
  return `its clock is ${length} ${isBehind ? 'behind' : 'ahead of'} this one’s`
}

/** How long what a response holds is valid, as a length that a person would choose. */
export function lifetimeOf(reading: Reading, expiresAt: Json = reading.data?.expiresAt): string {
  const at = Date.parse(assertOk(reading) && expiresAt)
  if (!Number.isFinite(at)) return notMeasured('the response has no time of expiry')
  const clockError = clockErrorOf(reading)
  if (clockError !== undefined) return notMeasured(clockError)
  const max = at - reading.sentAt + CLOCK_TOLERANCE_MS
  const min = at - reading.receivedAt - CLOCK_TOLERANCE_MS
  const unit = [60_000, 10_000].find((ms) => max >= ms * 5) ?? 1_000
  const length = Math.floor(max / unit) * unit
  if (length > 0 && length >= min) return formatDuration(length)
  const seconds = Math.round((at - reading.receivedAt) / 1000)
  return notMeasured(`it expires in ${seconds} s, which is no round length: the clocks differ`)
}

/** The shortest decimal that is no further than `tolerance` from a measured number. */
export function roundWithin(value: number, tolerance: number): number {
  const rounded = [0, 1, 2, 3, 4, 5, 6].map((decimals) => Number(value.toFixed(decimals)))
  return rounded.find((one) => Math.abs(one - value) <= tolerance) ?? Number(value.toFixed(6))
}

/** How a list is sorted, where two of its rows have different dates. */
export function orderOf(list: Reading): string {
  const items: Json[] = assertOk(list).data?.items ?? []
  const dates = items.map(({ date }) => Date.parse(date))
  const steps = dates.slice(1).map((date, i) => Math.sign(date - (dates[i] ?? 0)))
  const [way, ...others] = new Set(steps.filter((sign) => sign !== 0))
  if (way === undefined) return notMeasured('the user has no two transactions of different dates')
  if (others.length > 0) throw new CannotImitate('the list is not sorted by date')
  return way < 0 ? 'newest' : 'oldest'
}

export function requirementsShape(reading: Reading): string {
  const { data } = assertOk(reading)
  return Array.isArray(data) ? 'array' : shapeOf(data, { object: ['complete', 'outstanding'] })
}

/** The names of what onboarding still lacks, in whatever list of objects the response has. */
export function outstandingOf(reading: Reading): string[] {
  const { data } = assertOk(reading)
  const list = Array.isArray(data) ? data : Object.values(data ?? {}).find(Array.isArray)
  if (!Array.isArray(list)) return notMeasured('the requirements have no list')
  return list.flatMap((row) => Object.values(row ?? {}).map(String))
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

  async function note(value: number) {
    if (value <= rejected || value >= accepted) return
    // A call that failed by chance is made once more, for somebody else.
    const isAccepting = await accepts(value, `${value}`).catch((error: unknown) => {
      if (!(error instanceof NotMeasured) || !error.isFailure) throw error
      return accepts(value, `${value}-again`)
    })
    if (isAccepting) accepted = value
    else rejected = value
  }
}
