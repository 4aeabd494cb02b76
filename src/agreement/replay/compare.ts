import type { Json } from '../../client/http.ts'
import { findKind, type Kind } from '../fields.ts'
import { isWord } from '../vocabulary.ts'
import { isMade, type Matches } from './matches.ts'

/** Where an answer of this run is not as it was recorded. */
export interface Difference {
  /** A JSON path, such as `response.body.data.status`. */
  path: string
  /** Undefined where there was nothing. */
  expected: Json
  actual: Json
}

/** Where the compared values are, and what may differ there. */
interface Place {
  path: string
  operation: string | undefined
  kind?: Kind | undefined
  matches: Matches
  /** How far instants may lie apart. */
  toleranceMs: number
}

/** Everything in which an actual value differs from the recorded one, by path. */
export function compareJson(place: Place, expected: Json, actual: Json): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual)) return compareLists(place, expected, actual)
  if (isObject(expected) && isObject(actual)) return compareFields(place, expected, actual)
  if (isSame(place, expected, actual)) return []
  return [{ path: place.path, expected, actual: shown(place, actual) }]
}

function compareLists(place: Place, expected: Json[], actual: Json[]): Difference[] {
  const { path } = place
  if (expected.length !== actual.length) {
    return [{ path: `${path}.length`, expected: expected.length, actual: actual.length }]
  }
  return expected.flatMap((entry, i) =>
    compareJson({ ...place, path: `${path}[${i}]` }, entry, actual[i]),
  )
}

function compareFields(place: Place, expected: Json, actual: Json): Difference[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].flatMap((name) => {
    const path = `${place.path}.${name}`
    const inner = { ...place, path, kind: findKind(place.operation, name) }
    return compareJson(inner, expected[name], actual[name])
  })
}

function isSame(place: Place, expected: Json, actual: Json): boolean {
  const { kind, matches, toleranceMs } = place
  if (expected === actual) return true
  if (!isLeaf(expected) || !isLeaf(actual) || typeof expected !== typeof actual) return false
  if (kind === 'message' || kind === 'flag' || kind === undefined) return true
  // A word that the contract does not have was masked.
  if (kind === 'word') return !isWord(expected) && !isWord(actual)
  if (kind === 'instant') return Math.abs(Date.parse(expected) - Date.parse(actual)) <= toleranceMs
  if (!isMade(kind) || expected === '' || actual === '') return false
  const bound = matches.find(expected)
  if (bound !== undefined) return String(bound) === String(actual)
  matches.bind(expected, actual)
  return true
}

const isLeaf = (value: Json): boolean =>
  value !== null && value !== undefined && typeof value !== 'object'

export const isObject = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What this run made is masked in no recording, so a report names only its kind. */
function shown({ kind }: Place, actual: Json): Json {
  return isMade(kind) && isLeaf(actual) ? `another ${kind}` : actual
}
