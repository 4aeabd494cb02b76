import type { Refusal } from '../world/errors.ts'
import { createJournal, type Journal } from '../world/journal.ts'

export const REQUESTS_MAX = 1_000

/** One contract call: what came, what was answered, and why it was refused. */
export interface RequestRecord {
  readonly id: string
  readonly cursor: number
  /** World time. */
  readonly at: number
  readonly method: string
  readonly url: string
  operation: string | null
  integrator: string | null
  userId: string | null
  /** The parsed body, or its text when it does not parse. */
  body: unknown
  status: number
  refusal: Refusal | null
  answer: string | null
  /** Assumptions this answer rests on, ignored fields and the like. */
  notes: string[]
}

export interface RequestJournal extends Journal<RequestRecord> {
  open(method: string, url: string, at: number): RequestRecord
}

export function createRequestJournal(): RequestJournal {
  const journal = createJournal<RequestRecord>(REQUESTS_MAX)
  return Object.assign(journal, {
    open(method: string, url: string, at: number): RequestRecord {
      const cursor = journal.last + 1
      const record: RequestRecord = {
        id: `req_${cursor}`,
        cursor,
        at,
        method,
        url,
        operation: null,
        integrator: null,
        userId: null,
        body: null,
        status: 0,
        refusal: null,
        answer: null,
        notes: NO_NOTES,
      }
      journal.push(record)
      return record
    },
  })
}

/** Shared by records without notes; `note` gives a record its own list. */
const NO_NOTES: string[] = []

export function note(record: RequestRecord, text: string): void {
  record.notes = [...record.notes, text]
}
