import type * as z from 'zod'
import { DomainError } from '../world/domain-error.ts'
import { assertFewSettings } from '../world/settings/index.ts'
import type { State } from '../world/state.ts'
import { assertConsistent, stateError } from './state-references.ts'
import { Frame, ROWS } from './state-schema.ts'
import { createTurns } from './turns.ts'

/** A state that a world may be built of; throws a `DomainError` that names the first wrong row and its place. */
export async function readState(document: object): Promise<State> {
  // States of earlier versions have no sessions.
  const state: Record<string, unknown> = { sessions: [], ...document }
  assertFormat(state)
  assertFewSettings(state.settings)
  assertValid(Frame(), state)
  const turns = createTurns()
  for (const [name, toSchema] of Object.entries(ROWS)) {
    const schema = toSchema()
    for (const [i, row] of (state[name] as unknown[]).entries()) {
      assertValid(schema, row, [name, i])
      if (turns.isDue()) await turns.take()
    }
  }
  const read = state as unknown as State
  if (read.integrators.length === 0) throw stateError('integrators', 'is empty')
  assertConsistent(read)
  return read
}

/** Of a row that may have millions of entries, the first that is wrong is enough. */
const FIRST_PROBLEM = { abortEarly: true } as object

function assertValid(schema: z.ZodType, value: unknown, place: PropertyKey[] = []) {
  const parsed = schema.safeParse(value, FIRST_PROBLEM)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [...place, ...(issue?.path ?? [])].map(String).join('.') || 'state'
  throw stateError(path, issue?.message ?? 'is not a state')
}

function assertFormat({ formatVersion }: Record<string, unknown>) {
  if (formatVersion === 1) return
  throw new DomainError(
    'format-version',
    `formatVersion is ${JSON.stringify(formatVersion)}; this version of ramp-sandbox reads 1.`,
    { field: 'formatVersion' },
  )
}
