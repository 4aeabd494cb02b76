import type { Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import { toPlain } from './fields.ts'
import type { Hint, RejectedCall } from './rejected-call.ts'

/** A value of the wrong type, or one that is not in the list, as it was probably meant. */
export function findValue(problem: Problem, { body, c }: RejectedCall): Hint | undefined {
  const { field, code, expected = [] } = problem
  const value = valueAt(body, field) ?? c.req.query(field)
  const nearest = code === 'wrong-type' ? toType(value, expected[0]) : toListed(value, expected)
  if (nearest === undefined) return undefined
  const text = JSON.stringify(nearest)
  return { hint: `Send ${field} as ${text}.`, nearest: text }
}

function toType(value: unknown, type: string | undefined) {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return String(value)
  }
  if (typeof value !== 'string') return undefined
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  const isNumber = type === 'number' || type === 'int'
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined
}

function toListed(value: unknown, values: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined
  return values.find((known) => toPlain(known) === toPlain(value)) ?? findNearest(value, values)
}

/** The value under a path such as `corporation_base64_url.0.type`. */
function valueAt(sent: unknown, path: string): unknown {
  let value = sent
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
