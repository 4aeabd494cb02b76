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
  const differences = differ(actual, expected, what)
  if (differences.length === 0) return
  if (isAnswer(actual)) differences.push(`the answer was ${actual.status} ${format(actual.body)}`)
  const shown = differences.slice(0, DIFFERENCES_MAX)
  const more = differences.length - shown.length
  throw new Mismatch(
    'The result is not as expected.',
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

/** One field that differs says little about an answer that is an error. */
function isAnswer(actual: unknown): actual is { status: number; body: unknown } {
  return actual !== null && typeof actual === 'object' && 'status' in actual && 'body' in actual
}

function differ(actual: unknown, expected: unknown, path: string): string[] {
  if (expected instanceof RegExp) {
    return typeof actual === 'string' && expected.test(actual)
      ? []
      : [formatDifference(path, actual, String(expected))]
  }
  if (Array.isArray(expected)) return differInList(actual, expected, path)
  if (expected !== null && typeof expected === 'object')
    return differInFields(actual, expected, path)
  return Object.is(actual, expected) ? [] : [formatDifference(path, actual, format(expected))]
}

function differInList(actual: unknown, expected: readonly unknown[], path: string): string[] {
  if (!Array.isArray(actual) || actual.length !== expected.length)
    return [formatDifference(path, actual, format(expected))]
  return expected.flatMap((entry, i) => differ(actual[i], entry, `${path}[${i}]`))
}

function differInFields(actual: unknown, expected: object, path: string): string[] {
  if (actual === null || typeof actual !== 'object')
    return [formatDifference(path, actual, format(expected))]
  return Object.entries(expected).flatMap(([name, entry]) =>
    differ((actual as Record<string, unknown>)[name], entry, path ? `${path}.${name}` : name),
  )
}

function formatDifference(path: string, actual: unknown, expected: string): string {
  return `${path ? `${path}: ` : ''}expected ${expected}, got ${format(actual)}`
}

function format(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, part) => (part instanceof RegExp ? String(part) : part))
  if (text === undefined) return String(value)
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text
}
