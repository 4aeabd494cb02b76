import type { Problem } from '../../world/domain-error.ts'
import { type Asked, fieldsSent, querySent, type Repair } from './asked.ts'
import { findSame } from './names.ts'

/** A parameter that came in the body, a field that came in the query, or one inside another. */
export function repairPlace({ field, message }: Problem, asked: Asked): Repair | undefined {
  if (!message.includes('is required')) return undefined
  const body = fieldsSent(asked)
  const query = querySent(asked)
  if (message.endsWith('in the query.')) {
    const value = body[field]
    if (value === undefined || typeof value === 'object') return undefined
    // Percent-encodes what cannot be read as text as well, where encodeURIComponent would throw.
    const nearest = `?${new URLSearchParams({ [field]: String(value) })}`
    return { hint: `${field} came in the body; it belongs in the query.`, nearest }
  }
  const inQuery = Object.keys(query).find((name) => findSame(name, [field]) === field)
  if (inQuery !== undefined) {
    const nearest = JSON.stringify({ [field]: query[inQuery] })
    const called = inQuery === field ? '' : ` as ${field}`
    return { hint: `${inQuery} came in the query; it belongs in the body${called}.`, nearest }
  }
  const [around] = Object.keys(body).filter((name) => holds(body[name], field))
  if (around === undefined) return undefined
  return { hint: `${field} came inside ${around}; send the fields themselves.`, nearest: field }
}

const holds = (value: unknown, field: string): boolean =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, field)
