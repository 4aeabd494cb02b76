import type { Json } from '../../client/http.ts'
import type { Break, Difference } from '../differences.ts'
import { findKind, isMade, isObject, type Kind } from '../fields.ts'
import { isWord } from '../vocabulary.ts'
import type { Matches } from './matches.ts'

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
  const breaks = breakOf(expected, actual)
  return [{ breaks, path: place.path, expected, actual: shown(place, actual) }]
}

/** A field that the recording lacks is one that a client of the sandbox would miss. */
function breakOf(expected: Json, actual: Json): Break {
  if (expected === undefined) return 'missing'
  if (actual === undefined) return 'additional'
  return typeOf(expected) === typeOf(actual) ? 'value' : 'type'
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function compareLists(place: Place, expected: Json[], actual: Json[]): Difference[] {
  const { path } = place
  if (expected.length !== actual.length) {
    const lengths = { expected: expected.length, actual: actual.length }
    return [{ breaks: 'value', path: `${path}.length`, ...lengths }]
  }
  return expected.flatMap((entry, i) => compareJson(place, entry, actual[i]))
}

function compareFields(place: Place, expected: Json, actual: Json): Difference[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].flatMap((name) => {
    const path = place.path === '' ? name : `${place.path}.${name}`
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

/** What this run made is masked in no recording, so a report names only its kind. */
function shown({ kind }: Place, actual: Json): Json {
  return isMade(kind) && isLeaf(actual) ? `another ${kind}` : actual
}
