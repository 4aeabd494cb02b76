import { isDeepStrictEqual } from 'node:util'

const SHOWN_LENGTH_MAX = 160
const DIFFERENCES_MAX = 10

/** An expectation that failed: the scenario works, and found a difference. */
export class Mismatch extends Error {
  readonly differences: readonly string[]

  constructor(message: string, differences: readonly string[] = []) {
    super(message)
    this.name = 'Mismatch'
    this.differences = differences
  }
}

/** Fails unless the actual value is as expected; see `Stage.expect`. */
export function expect(actual: unknown, expected: unknown, what = ''): void {
  const differences = findDifferences(actual, expected, { path: what }).map(formatDifference)
  if (differences.length === 0) return
  // One field that differs says little about a response that is an error.
  if (isTree(actual) && 'status' in actual && 'body' in actual) {
    differences.push(`the response was ${actual.status} ${formatValue(actual.body)}`)
  }
  const shown = differences.slice(0, DIFFERENCES_MAX)
  const more = differences.length - shown.length
  throw new Mismatch(
    'The result is not as expected.',
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

/** A place where two values differ. */
export interface StateDifference {
  path: string
  expected: unknown
  actual: unknown
}

/**
 * Finds every place where two values differ, in the order of the expected one. Compares only
 * what is expected, and matches texts against patterns; `isWhole` also reports unexpected fields.
 */
function findDifferences(
  actual: unknown,
  expected: unknown,
  { path = '', isWhole = false } = {},
): StateDifference[] {
  const found = [{ path, expected, actual }]
  if (expected instanceof RegExp && !isWhole) {
    return typeof actual === 'string' && expected.test(actual) ? [] : found
  }
  if (!isTree(expected)) return isDeepStrictEqual(actual, expected) ? [] : found
  if (isOpaque(expected)) return isSameObject(actual, expected) ? [] : found
  const isList = Array.isArray(expected)
  if (!isTree(actual) || (isList && !Array.isArray(actual))) return found
  if (isList && !isWhole && actual.length !== expected.length) return found
  if (isWhole && Array.isArray(actual) !== isList) return found
  const names = Object.keys(isWhole ? { ...expected, ...actual } : expected)
  return names.flatMap((name) => {
    const dot = path === '' ? '' : '.'
    const inner = isList ? `${path}[${name}]` : `${path}${dot}${name}`
    return findDifferences(actual[name], expected[name], { path: inner, isWhole })
  })
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

/** Recognises a Date, a Set, a URL and the like, whose content is in no field. */
const isOpaque = (value: object): boolean =>
  Object.keys(value).length === 0 &&
  !['[object Object]', '[object Array]'].includes(Object.prototype.toString.call(value))

/** Node finds no difference between two URLs, whose texts differ. */
const isSameObject = (actual: unknown, expected: object): boolean =>
  isDeepStrictEqual(actual, expected) && String(actual) === String(expected)

/** Every place where two states of a receiver differ. */
export const compareStates = (actual: unknown, expected: unknown): StateDifference[] =>
  findDifferences(actual, expected, { isWhole: true })

const formatDifference = ({ path, expected, actual }: StateDifference): string =>
  `${path ? `${path}: ` : ''}expected ${formatValue(expected)}, got ${formatValue(actual)}`

export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value instanceof RegExp) return String(value)
  const text = JSON.stringify(value, (_, part) => (part instanceof RegExp ? String(part) : part))
  if (text === undefined) return String(value)
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text
}
