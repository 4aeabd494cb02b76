import type { Problem } from '../../world/errors.ts'
import { type Asked, fieldsSent, querySent, type Repair } from './asked.ts'

/** A parameter that came in the body, a field that came in the query, or one inside another. */
export function repairPlace({ field, message }: Problem, asked: Asked): Repair | undefined {
  if (!message.includes('is required')) return undefined
  const body = fieldsSent(asked)
  const query = querySent(asked)
  if (message.endsWith('in the query.')) {
    const value = body[field]
    if (value === undefined || typeof value === 'object') return undefined
    const nearest = `?${field}=${encodeURIComponent(String(value))}`
    return { hint: `${field} came in the body; it belongs in the query.`, nearest }
  }
  if (query[field] !== undefined) {
    const nearest = JSON.stringify({ [field]: query[field] })
    return { hint: `${field} came in the query; it belongs in the body.`, nearest }
  }
  const [around] = Object.keys(body).filter((name) => holds(body[name], field))
  if (around === undefined) return undefined
  return { hint: `${field} came inside ${around}; send the fields themselves.`, nearest: field }
}

const holds = (value: unknown, field: string): boolean =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, field)
