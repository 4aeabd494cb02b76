import type { Json, Query } from '../client/http.ts'
import { formatDuration } from '../world/duration.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/** Input of a call beside its route, such as `GET /v2/users/:userId/requirements`. */
export interface CallOptions {
  path?: Readonly<Record<string, string>>
  query?: Query
  body?: object
  /** The API key to send; the first one by default. */
  key?: 'first' | 'second' | 'none' | 'wrong'
  token?: string
  /** True if repeating the call does no harm, as for a read or a rejected call. */
  isRepeatable?: boolean
  /** True if the call must never be made twice. */
  isOnce?: boolean
  /** True if the response only serves to find a setting and is not compared. */
  isTrial?: boolean
}

/** One call that was made, or one event that came, with what the provider sent. */
export interface Reading {
  step: string
  route: string
  /** Id of the operation, `webhook`, or the route of anything else. */
  operation: string
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
  /** True if the sandbox must respond in the same way. */
  isCompared: boolean
  /** Why the response is missing or useless. */
  problem: string | null
  /** True if the provider does not have the operation. */
  isAbsent: boolean
}

/** The reason why a setting is not known; the message continues "not known, because". */
export class NotMeasured extends Error {
  /** True if something went wrong, not merely if a command-line option was missing. */
  readonly isFailure: boolean

  constructor(reason: string, { isFailure = false } = {}) {
    super(reason)
    this.isFailure = isFailure
  }
}

/** Thrown for behaviour that matches no option of a setting. */
export class CannotImitate extends Error {
  /** Option closest to the behaviour. */
  readonly nearest: SettingValue | null
  /** Exchanges that show it. Default: the step's last one. */
  readonly by: readonly Reading[]

  constructor(
    seen: string,
    { nearest = null, by = [] }: { nearest?: SettingValue | null; by?: readonly Reading[] } = {},
  ) {
    super(seen)
    this.nearest = nearest
    this.by = by
  }
}

/** A value with the exchange that shows it, where a step has more than one. */
export class Shown {
  readonly value: SettingValue
  readonly by: Reading

  constructor(value: SettingValue, by: Reading) {
    this.value = value
    this.by = by
  }
}

/** Converts the error of reading a response; a `TypeError` means an unexpected shape. */
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

/** The successes of a route that are responses of the service. */
export const successesOf = ({ readings }: { readings: readonly Reading[] }, route: string) =>
  readings.filter((reading) => reading.route === route && isOk(reading) && reading.problem === null)

/** Recognises an error of v1, a message and a status of `error` or a sentence, that is a 200. */
export function isLegacyError(reading: Reading): boolean {
  const { message, status } = reading.data ?? {}
  const isError = typeof message === 'string' && typeof status === 'string' && status !== 'success'
  return isError && isOk(reading) && !reading.route.includes(' /v2/')
}

/** Checks if a request was accepted; throws if it was rejected for another reason. */
export function isAccepted(reading: Reading): boolean {
  if (isOk(reading)) return true
  // Statuses with which services refuse the contents of a request.
  if ([400, 409, 422].includes(reading.status)) return false
  return notMeasured(`the response is ${reading.status}, which is no refusal of the request`)
}

/** Throws unless the call succeeded, because an error does not show the setting. */
export function assertOk(reading: Reading): Reading {
  if (isOk(reading)) return reading
  return notMeasured(`${reading.route} responded with ${reading.status}`)
}

/** Finds the option whose fields are exactly the known fields of an object. */
export function shapeOf(
  data: Json,
  options: Readonly<Record<string, readonly string[]>>,
  meaningOf: Meaning = (field) => field,
): string {
  if (data === null || typeof data !== 'object') return notMeasured('there is no object')
  const names = Object.keys(data)
  const all = new Set(Object.values(options).flat())
  const known = names.filter((name) => all.has(name))
  const found = Object.entries(options).find(
    ([, fields]) => fields.length === known.length && fields.every((name) => known.includes(name)),
  )
  if (found) return found[0]
  const full = options[Object.keys(options)[0] ?? ''] ?? []
  const lacking = full.filter((name) => !names.includes(name))
  const named = lacking.map((name) => {
    const another = names.find((field) => !full.includes(field) && meaningOf(field) === name)
    return another === undefined ? `no ${name}` : `${name} is ${another}`
  })
  throw new CannotImitate(named.join(', '))
}

/** Translates a field to the sandbox's name for it. */
type Meaning = (field: string) => string | undefined

interface Place {
  /** The object that has the fields, in the payload. */
  of?: (data: Json) => Json
  meaningOf?: Meaning
}

/** Tells if a success has all fields of an operation or only the contract's. */
export const fieldsOf =
  (full: readonly string[], contract: readonly string[], place: Place = {}) =>
  (reading: Reading): string => {
    const { of = (data) => data, meaningOf } = place
    return shapeOf(of(assertOk(reading).data), { full, contract }, meaningOf)
  }

/** A key that does not look like a field name could be personal data. */
export const toFieldName = (name: string) => (/^[A-Za-z_][\w.-]{0,40}$/.test(name) ? name : '*')

/** Fields in which services name the place of a mistake. */
const PLACES = ['field', 'pointer', 'path', 'param', 'name'] as const

/** The places that an error names, as the provider spells them; empty for one that names none. */
export function rawErrorFields({ body }: Reading): string[] {
  const errors: Json = body?.errors
  if (!Array.isArray(errors)) return []
  return errors.map((error: Json) => PLACES.map((name) => error?.[name]).find(isText) ?? '')
}

const isText = (value: Json) => typeof value === 'string'

/** The fields that an error names, however the provider spells them. */
export const errorFields = (reading: Reading): string[] => rawErrorFields(reading).map(toPlainField)

/** The status and the fields of an error, for people. */
export function formatError(error: Reading): string {
  const fields = errorFields(error).filter((field) => field !== '')
  return `${error.status} on ${fields.map(toFieldName).join(', ') || 'no field'}`
}

/** `email` for `/email`, `#/email`, `body.email` and `data.email`. */
const toPlainField = (field: string): string =>
  field
    .replace(/^#?\//, '')
    .replaceAll('/', '.')
    .replace(/^(body|data|query|params|request|headers?)\./, '')

/** Text of an error for comparison; `named` is masked wherever it occurs. */
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

/** A `Date` header has whole seconds, and synchronised clocks differ by less. */
const CLOCK_TOLERANCE_MS = 2_000

/** Lead of the provider's clock over this machine's; 0 within the tolerance. */
export function clockErrorMs({ headers, sentAt, receivedAt }: Reading): number {
  const date = Date.parse(headers.date ?? '')
  if (date > receivedAt + CLOCK_TOLERANCE_MS) return date - receivedAt
  if (date + 1_000 < sentAt - CLOCK_TOLERANCE_MS) return date - sentAt
  return 0
}

/** Words the difference of the clocks; undefined where there is none. */
export function clockErrorOf(reading: Reading): string | undefined {
  const ms = clockErrorMs(reading)
  if (ms === 0) return undefined
  const length = formatDuration(Math.round(Math.abs(ms) / 1000) * 1000)
  return `its clock is ${length} ${ms < 0 ? 'behind' : 'ahead of'} this one’s`
}

/** Time until a quote or link expires, as a length that a person would choose. */
export function lifetimeOf(reading: Reading, expiresAt: Json = reading.data?.expiresAt): string {
  const at = Date.parse(assertOk(reading) && expiresAt) - clockErrorMs(reading)
  if (!Number.isFinite(at)) return notMeasured('the response has no time of expiry')
  const max = at - reading.sentAt + CLOCK_TOLERANCE_MS
  const min = at - reading.receivedAt - CLOCK_TOLERANCE_MS
  const unit = [60_000, 10_000].find((ms) => max >= ms * 5) ?? 1_000
  const length = Math.floor(max / unit) * unit
  if (length > 0 && length >= min) return formatDuration(length)
  const seconds = Math.round((at - reading.receivedAt) / 1000)
  return notMeasured(`it expires in ${seconds} s, which is no round length`)
}

/** The shortest decimal that is no further than `tolerance` from a measured number. */
export function roundWithin(value: number, tolerance: number): number {
  const rounded = [0, 1, 2, 3, 4, 5, 6].map((decimals) => Number(value.toFixed(decimals)))
  return rounded.find((one) => Math.abs(one - value) <= tolerance) ?? Number(value.toFixed(6))
}

/** Finds the order of a list, where two of its rows have different dates. */
export function orderOf(list: Reading): string {
  const items: Json[] = assertOk(list).data?.items ?? []
  const dates = items.map(({ date }) => Date.parse(date))
  const steps = dates.slice(1).map((date, i) => Math.sign(date - (dates[i] ?? 0)))
  const [way, ...others] = new Set(steps.filter((sign) => sign !== 0))
  if (way === undefined) return notMeasured('no two transactions of the user have different dates')
  if (others.length > 0) throw new CannotImitate('the list is not sorted by date')
  return way < 0 ? 'newest' : 'oldest'
}

export function requirementsShape(reading: Reading): string {
  const { data } = assertOk(reading)
  const isEmpty = Array.isArray(data) && data.length === 0
  if (isEmpty) return notMeasured('nothing is outstanding for the user')
  return Array.isArray(data) ? 'array' : shapeOf(data, { object: ['complete', 'outstanding'] })
}

/** Finds the outstanding requirements in whichever list the response has. */
export function outstandingOf(reading: Reading): string[] {
  const { data } = assertOk(reading)
  const list = Array.isArray(data) ? data : Object.values(data ?? {}).find(Array.isArray)
  if (!Array.isArray(list)) return notMeasured('the requirements have no list')
  return list.flatMap((row) => Object.values(row ?? {}).map(String))
}

interface Search {
  min: number
  max: number
  /** Tried first, with the number below it, so that a correct guess costs two calls. */
  expected: number
}

/** The smallest whole number that is accepted, if `accepts` is true from there on. */
export async function findMin(
  { min, max, expected }: Search,
  accepts: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  let [rejected, accepted] = [min - 1, max + 1]
  await note(expected)
  await note(expected - 1)
  while (accepted - rejected > 1) await note(Math.floor((accepted + rejected) / 2))
  return accepted <= max ? accepted : undefined

  async function note(value: number) {
    if (value <= rejected || value >= accepted) return
    if (await accepts(value)) accepted = value
    else rejected = value
  }
}
