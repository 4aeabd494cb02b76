import type { Json } from '../../client/http.ts'
import type { Exchange, Reading } from './provider.ts'
import { clockErrorMs, errorFields, formatClockError } from './reading.ts'

/** Something in an answer that no setting of the sandbox explains. */
export interface Drift {
  /** The operation, as `GET /v2/quotes`. */
  operation: string
  /** A JSON path into the answer, `status`, or `headers.<name>`. */
  path: string
  what: string
}

/** What is wrong with an answer by the contract; the path starts with `$`. */
export type CheckAnswer = (reading: Reading) => readonly { path: string; what: string }[]

/**
 * What the provider answered otherwise than a sandbox does that has the settings which were found
 * and got the same calls. Values differ of course; statuses, fields, types and headers may not.
 */
export function findDrift(
  actual: readonly Exchange[],
  expected: readonly Exchange[],
  check: CheckAnswer,
): Drift[] {
  const found = new Map<string, Drift>()
  const add = (drift: Drift) => {
    const isHeader = drift.path.startsWith('headers.')
    const key = isHeader ? drift.path : `${drift.operation} ${drift.path}`
    if (!found.has(key)) found.set(key, drift)
  }
  for (const [ours, theirs] of pairs(actual, expected)) {
    const { route: operation } = ours
    for (const difference of compare(ours, theirs)) add({ operation, ...difference })
    for (const problem of check(ours)) add({ operation, ...problem })
  }
  return [...found.values()]
}

type Difference = Omit<Drift, 'operation'>

/** The n-th answer of a step on both sides. */
function pairs(actual: readonly Exchange[], expected: readonly Exchange[]): [Reading, Reading][] {
  const rest = [...expected]
  return actual.flatMap(({ step, reading }) => {
    const at = rest.findIndex((exchange) => exchange.step === step)
    const [other] = at === -1 ? [] : rest.splice(at, 1)
    return reading && other?.reading?.route === reading.route ? [[reading, other.reading]] : []
  })
}

function* compare(actual: Reading, expected: Reading): Generator<Difference> {
  const clockMs = clockErrorMs(actual)
  if (clockMs !== 0) {
    yield { path: 'headers.date', what: `its clock is ${formatClockError(clockMs)} this one’s` }
  }
  if (actual.status !== expected.status) {
    yield { path: 'status', what: `${actual.status}, where the sandbox has ${expected.status}` }
    return
  }
  yield* compareHeaders(actual, expected)
  yield* compareJson('$', actual.body, expected.body)
  const [fields, known] = [errorFields(actual), errorFields(expected)]
  for (const field of fields.filter((name) => !known.includes(name))) {
    const named = FIELD.test(field) ? field : 'another one'
    const what = `${named}, where the sandbox names ${known.join(', ') || 'none'}`
    yield { path: '$.errors[*].field', what }
  }
}

/** Headers of servers and proxies on the way, which no client of the API reads. */
const OF_TRANSPORT =
  /^(date|server|via|age|vary|etag|connection|keep-alive|transfer-encoding|content-(length|encoding|security-policy.*)|cache-control|pragma|expires|last-modified|accept-ranges|set-cookie|strict-transport-security|alt-svc|nel|report-to|reporting-endpoints|referrer-policy|permissions-policy|cross-origin-.*|access-control-.*|(x-)?ratelimit.*|cf-.*|fly-.*|x-(sandbox|amz|amzn|azure|cache|served-by|timer|vercel|envoy|runtime|powered-by|request-id|correlation-id|trace-id|content-type-options|frame-options|xss-protection|dns-prefetch-control|download-options|permitted-cross-domain-policies|cloud-trace-context|render|railway)(-.*)?)$/

function* compareHeaders(actual: Reading, expected: Reading): Generator<Difference> {
  const names = (reading: Reading) =>
    Object.keys(reading.headers).filter((name) => !OF_TRANSPORT.test(name))
  for (const name of names(actual)) {
    if (!(name in expected.headers)) yield { path: `headers.${name}`, what: 'an unknown header' }
  }
  for (const name of names(expected)) {
    if (!(name in actual.headers)) yield { path: `headers.${name}`, what: 'the header is missing' }
  }
  const types = [actual, expected].map(({ headers }) => headers['content-type']?.split(';')[0])
  if (types[0] !== types[1] && types[0] !== undefined && types[1] !== undefined) {
    yield { path: 'headers.content-type', what: `${types[0]}, where the sandbox has ${types[1]}` }
  }
}

function* compareJson(path: string, actual: Json, expected: Json): Generator<Difference> {
  const [kind, other] = [kindOf(actual), kindOf(expected)]
  // A value that may be missing is null on either side.
  if (kind !== other && kind !== 'null' && other !== 'null') {
    yield { path, what: `${kind}, where the sandbox has ${other}` }
  } else if (kind === 'array' && other === 'array') {
    if (expected.length === 0) return
    for (const item of actual) yield* compareJson(`${path}[*]`, item, expected[0])
  } else if (kind === 'object' && other === 'object') {
    for (const name of Object.keys(actual)) {
      const place = placeOf(path, name)
      if (!Object.hasOwn(expected, name)) yield { path: place, what: 'an unknown field' }
      else yield* compareJson(place, actual[name], expected[name])
    }
    for (const name of Object.keys(expected)) {
      if (Object.hasOwn(actual, name)) continue
      yield { path: placeOf(path, name), what: 'the field is missing' }
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A name that is neither a field's nor a coin's may be somebody's. */
const placeOf = (path: string, name: string) => {
  if (/^[A-Z]{2,6}(-[A-Z]{2,8})?$/.test(name)) return `${path}["${name}"]`
  return `${path}.${FIELD.test(name) ? name : '*'}`
}

const FIELD = /^[A-Za-z_][\w.]{0,60}$/
