const SHOWN_LENGTH_MAX = 160
const DIFFERENCES_MAX = 10

/** What came is not what was wanted: the scenario did its work, and found something. */
export class Mismatch extends Error {
  readonly differences: readonly string[]

  constructor(message: string, differences: readonly string[] = []) {
    super(message)
    this.name = 'Mismatch'
    this.differences = differences
  }
}

/** Fails unless what came is as wanted; see `Stage.expect`. */
export function expect(came: unknown, wanted: unknown, what = ''): void {
  const differences = differ(came, wanted, what)
  if (differences.length === 0) return
  if (isAnswer(came)) differences.push(`the answer was ${came.status} ${show(came.body)}`)
  const shown = differences.slice(0, DIFFERENCES_MAX)
  const more = differences.length - shown.length
  throw new Mismatch(
    'What came is not what was wanted.',
    more > 0 ? [...shown, `and ${more} more`] : shown,
  )
}

/** A field that differs says little of an answer that was a refusal. */
function isAnswer(came: unknown): came is { status: number; body: unknown } {
  return came !== null && typeof came === 'object' && 'status' in came && 'body' in came
}

function differ(came: unknown, wanted: unknown, path: string): string[] {
  if (wanted instanceof RegExp) {
    return typeof came === 'string' && wanted.test(came) ? [] : [tell(path, came, String(wanted))]
  }
  if (Array.isArray(wanted)) return differInList(came, wanted, path)
  if (wanted !== null && typeof wanted === 'object') return differInFields(came, wanted, path)
  return Object.is(came, wanted) ? [] : [tell(path, came, show(wanted))]
}

function differInList(came: unknown, wanted: readonly unknown[], path: string): string[] {
  if (!Array.isArray(came) || came.length !== wanted.length) return [tell(path, came, show(wanted))]
  return wanted.flatMap((entry, i) => differ(came[i], entry, `${path}[${i}]`))
}

function differInFields(came: unknown, wanted: object, path: string): string[] {
  if (came === null || typeof came !== 'object') return [tell(path, came, show(wanted))]
  return Object.entries(wanted).flatMap(([name, entry]) =>
    differ((came as Record<string, unknown>)[name], entry, path ? `${path}.${name}` : name),
  )
}

function tell(path: string, came: unknown, wanted: string): string {
  return `${path ? `${path}: ` : ''}wanted ${wanted}, came ${show(came)}`
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, part) => (part instanceof RegExp ? String(part) : part))
  if (text === undefined) return String(value)
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text
}
