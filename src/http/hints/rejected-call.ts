import type { Context } from 'hono'
import type { CallRecord } from '../../engine/request-journal.ts'
import type { OperationDescription } from '../operation-description.ts'
import type { Env } from '../services.ts'

/** A call that ended with an error, as hints look at it. */
export interface RejectedCall {
  /** None where no operation has the path. */
  operation: OperationDescription | undefined
  c: Context<Env>
  record: CallRecord
  /** The record's, parsed once for all problems. */
  body: unknown
}

export interface Hint {
  hint: string
  nearest?: string
}

/** The fields of the body; none where it is not an object, or was not read. */
export function fieldsSent({ body }: RejectedCall): Readonly<Record<string, unknown>> {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
  return isObject ? { ...body } : {}
}

interface Names {
  query: readonly string[]
  body: readonly string[]
}

const NAMES = new WeakMap<OperationDescription, Names>()

export function namesOf(operation: OperationDescription): Names {
  const known = NAMES.get(operation)
  if (known) return known
  const names = { query: namesIn(operation.query?.()), body: namesIn(operation.body?.()) }
  NAMES.set(operation, names)
  return names
}

function namesIn(schema: object | undefined): string[] {
  if (schema === undefined || !('shape' in schema)) return []
  const { shape } = schema
  return shape !== null && typeof shape === 'object' ? Object.keys(shape) : []
}
