import type { Context } from 'hono'
import type { CallRecord } from '../../engine/request-journal.ts'
import type { Operation } from '../operation.ts'
import type { Env } from '../services.ts'

/** A call that was refused. */
export interface Asked {
  /** None where no operation has the path. */
  operation: Operation | undefined
  c: Context<Env>
  record: CallRecord
  /** The record's, parsed once for all its problems. */
  body: unknown
}

/** What would have worked. */
export interface Repair {
  hint?: string
  nearest?: string
}

/** The fields of the body; none where it is no object, or was not read. */
export function fieldsSent({ body }: Asked): Readonly<Record<string, unknown>> {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
  return isObject ? { ...body } : {}
}

export const querySent = ({ c }: Asked): Readonly<Record<string, string>> => c.req.query()

const NAMES = new WeakMap<Operation, { query: string[]; body: string[] }>()

/** The names that an operation takes, in its query and in its body. */
export function namesOf(operation: Operation): { query: string[]; body: string[] } {
  const known = NAMES.get(operation)
  if (known) return known
  const names = { query: shapeOf(operation.query?.()), body: shapeOf(operation.body?.()) }
  NAMES.set(operation, names)
  return names
}

function shapeOf(schema: object | undefined): string[] {
  if (schema === undefined || !('shape' in schema)) return []
  const { shape } = schema
  return shape !== null && typeof shape === 'object' ? Object.keys(shape) : []
}

/** The value under a path such as `corporation_base64_url.0.type`. */
export function valueAt(sent: unknown, path: string): unknown {
  let value = sent
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
