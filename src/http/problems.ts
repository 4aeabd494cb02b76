import * as z from 'zod'
import type { Problem } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'

type Issue = z.core.$ZodIssue

const NAMES = 'The names are '
/** Unknown fields of one object whose meaning is guessed at: a body may hold a hundred thousand. */
const GUESSED_MAX = 20

/** As `z.strictObject`; a refusal of a field that it does not know names those that it knows. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = `${NAMES}${Object.keys(shape).join(', ')}`
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? names : undefined),
  })
}

/** What is wrong with a request, as sentences that say what would work. */
export function toProblems(
  issues: readonly Issue[],
  target: 'json' | 'query',
  sent: unknown,
): Problem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      const names = issue.message.startsWith(NAMES) ? issue.message.slice(NAMES.length) : undefined
      return issue.keys.map((key, index) => {
        const field = path === '' ? key : `${path}.${key}`
        const what = target === 'query' ? 'a query parameter' : 'a field'
        const isGuessed = names !== undefined && index < GUESSED_MAX
        const meant = isGuessed ? suggest(key, names.split(', ')) : '.'
        return { field, message: `${field} is not ${what} of this request${meant}` }
      })
    }
    const field = path === '' ? (target === 'json' ? 'body' : 'query') : path
    const value = valueAt(sent, issue.path)
    const missing = `${field} is required${target === 'query' ? ' in the query' : ''}.`
    if (target === 'query' && Array.isArray(value)) {
      return [{ field, message: `${field} may be given only once in the query.` }]
    }
    return [{ field, message: value === undefined ? missing : toSentence(issue, field, value) }]
  })
}

function toSentence(issue: Issue, field: string, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${article(issue.expected)}, not ${describe(value)}.`
    case 'invalid_value':
      return `${field} must be ${list(issue.values)}, not ${describe(value)}.`
    case 'too_big':
      return `${field} may be at most ${bound(issue.maximum, issue.origin)}.`
    case 'too_small':
      if (value === '') return `${field} must not be empty.`
      return `${field} must be at least ${bound(issue.minimum, issue.origin)}.`
    case 'invalid_union':
      if (DISCRIMINATOR.test(issue.message)) {
        const words = issue.message.replace(DISCRIMINATOR, '').replaceAll("'", '')
        return `${field} must be one of ${words.split(' | ').join(', ')}, not ${describe(value)}.`
      }
      if (issue.message !== NO_MESSAGE) return `${field} ${issue.message}.`
      return `${field} must be ${forms(issue.errors)}, not ${describe(value)}.`
    case 'invalid_key':
      return `${field} ${issue.issues[0]?.message ?? issue.message}.`
    default:
      return `${field} ${issue.message}.`
  }
}

/** What zod says of a union that was given no words of its own. */
const NO_MESSAGE = 'Invalid input'
/** What zod says where the field that tells the members of a union apart has none of their values. */
const DISCRIMINATOR = /^Invalid discriminator value\. Expected /

function forms(ways: readonly (readonly Issue[])[]): string {
  const types = ways.flatMap(([first]) => (first?.code === 'invalid_type' ? [first.expected] : []))
  return types.map(article).join(' or ')
}

function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  let value = sent
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const list = (values: readonly unknown[]) =>
  values.length === 1 ? describe(values[0]) : `one of ${values.map(String).join(', ')}`

function bound(limit: number | bigint, origin: string): string {
  if (origin === 'array') return `${limit} ${Number(limit) === 1 ? 'entry' : 'entries'} long`
  return origin === 'string' ? `${limit} characters long` : String(limit)
}
