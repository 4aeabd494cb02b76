import type { Json } from '../../client/http.ts'
import { type DifferenceRow, type Located, toRows } from '../differences.ts'
import { findOperation } from '../operations.ts'
import type { Exchange } from './provider.ts'
import { clockErrorMs, errorFields, formatClockError } from './reading.ts'
import type { Reading } from './step.ts'

/** What is wrong with a response by the contract. */
export type CheckAnswer = (reading: Reading) => readonly { path: string; what: string }[]

/**
 * What the provider responds otherwise than a sandbox that has the settings which were found and got
 * the same calls. Values differ of course; statuses, fields, types and headers may not.
 */
export function findDrift(
  actual: readonly Exchange[],
  expected: readonly Exchange[],
  check: CheckAnswer,
): DifferenceRow[] {
  return toRows(
    pairs(actual, expected).flatMap(({ ours, theirs, step, call }) => {
      const operation = nameOf(ours.route)
      const differences = [...compare(ours, theirs, step), ...invalid(ours, theirs, check)]
      return differences.map((difference) => ({ ...difference, operation, call }))
    }),
  )
}

function nameOf(route: string): string {
  const [method = '', path = ''] = route.split(' ')
  if (path === '(webhook)') return 'webhook'
  return findOperation(method, path)?.id ?? route
}

type Found = Omit<Located, 'operation' | 'call'>

/** The n-th response of a step on both sides. */
function pairs(actual: readonly Exchange[], expected: readonly Exchange[]) {
  const rest = [...expected]
  return actual.flatMap(({ step, reading, route }, i) => {
    if (step === 'put back') return []
    const at = rest.findIndex((other) => other.step === step && other.route === route)
    const [other] = at === -1 ? [] : rest.splice(at, 1)
    // A failure of the service is no way to respond.
    return reading && reading.status < 500 && other?.reading
      ? [{ ours: reading, theirs: other.reading, step, call: i + 1 }]
      : []
  })
}

function* invalid(ours: Reading, theirs: Reading, check: CheckAnswer): Generator<Found> {
  if (ours.status !== theirs.status) return
  for (const { path, what } of check(ours)) {
    yield { breaks: 'value', path, expected: 'a value of the contract', actual: what }
  }
}

function* compare(actual: Reading, expected: Reading, step: string): Generator<Found> {
  const clockMs = clockErrorMs(actual)
  if (clockMs !== 0) {
    const found = `its clock is ${formatClockError(clockMs)} this one’s`
    yield { breaks: 'value', path: 'headers.date', expected: 'the same time', actual: found }
  }
  if (actual.status !== expected.status) {
    const path = `status (${toWords(step)})`
    yield { breaks: 'status', path, expected: expected.status, actual: actual.status }
    return
  }
  yield* compareHeaders(actual, expected)
  yield* compareJson('', actual.body, expected.body)
  const [fields, known] = [errorFields(actual), errorFields(expected)]
  const others = fields.filter((name) => !known.includes(name))
  if (others.length > 0 && known.length > 0) {
    const shown = others.map((name) => (FIELD.test(name) ? name : 'another one'))
    const path = 'errors.field'
    yield { breaks: 'name', path, expected: known.join(', '), actual: shown.join(', ') }
  }
}

/** `keyWrong` as `key wrong`. */
const toWords = (step: string) => step.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Headers that clients of the API may read; those of the sandbox alone say nothing of a provider. */
const OF_THE_API = /^(allow|retry-after|www-authenticate|location|deprecation|sunset)$/

function* compareHeaders(actual: Reading, expected: Reading): Generator<Found> {
  for (const name of Object.keys(actual.headers)) {
    if (!OF_THE_API.test(name) || expected.headers[name] !== undefined) continue
    yield { breaks: 'additional', path: `headers.${name}`, expected: undefined, actual: 'a header' }
  }
  const [theirs, ours] = [actual, expected].map(
    ({ headers }) => headers['content-type']?.split(';')[0],
  )
  if (theirs !== ours && theirs !== undefined && ours !== undefined) {
    yield { breaks: 'type', path: 'headers.content-type', expected: ours, actual: theirs }
  }
}

function* compareJson(path: string, actual: Json, expected: Json): Generator<Found> {
  const [kind, other] = [kindOf(actual), kindOf(expected)]
  // A value that may be missing is null on either side.
  if (kind !== other && kind !== 'null' && other !== 'null') {
    yield { breaks: 'type', path: path || 'body', expected: other, actual: kind }
  } else if (kind === 'array' && other === 'array') {
    if (expected.length === 0) return
    for (const item of actual) yield* compareJson(path, item, expected[0])
  } else if (kind === 'object' && other === 'object') {
    for (const name of Object.keys(actual)) {
      const place = placeOf(path, name)
      const isKnown = Object.hasOwn(expected, name)
      if (isKnown) yield* compareJson(place, actual[name], expected[name])
      else
        yield {
          breaks: 'additional',
          path: place,
          expected: undefined,
          actual: kindOf(actual[name]),
        }
    }
    for (const name of Object.keys(expected)) {
      if (Object.hasOwn(actual, name)) continue
      const had = kindOf(expected[name])
      yield { breaks: 'missing', path: placeOf(path, name), expected: had, actual: undefined }
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const FIELD = /^[A-Za-z_][\w.-]{0,40}$/

/** A name that is not a field's may be somebody's. */
const placeOf = (path: string, name: string): string => {
  const shown = FIELD.test(name) ? name : '*'
  return path === '' ? shown : `${path}.${shown}`
}
