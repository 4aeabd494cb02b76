import { type Budget, createBudget } from '../webhooks/budget.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import type { Explained } from './explain/index.ts'

export const REQUESTS_MAX = 1_000

/** One contract call: what came, what was answered, and why it was refused. */
export interface RequestRecord {
  id: string
  cursor: number
  /** World time. */
  at: number
  method: string
  url: string
  operation: string | null
  integrator: string | null
  userId: string | null
  /** The parsed body, or its text when it does not parse. */
  body: unknown
  /** In characters, as far as it is kept. */
  bodyLength: number
  status: number
  refusal: Explained | null
  answer: string | null
  /** Assumptions this answer rests on, ignored fields and the like. */
  notes: string[]
}

export interface RequestJournal extends Journal<RequestRecord> {
  open(method: string, url: string, at: number): RequestRecord
  /** Says that a call was answered. */
  close(record: RequestRecord): void
}

/** Characters of all long calls together that are kept, in all worlds. */
export const REQUESTS_LENGTH_MAX = 64 * 1024 * 1024
/** A call shorter than this does not count as long. */
const SHORT_LENGTH = 2_048
const FORGOTTEN = '(forgotten, because too much came)'

/** Longest answer that is kept whole, in characters. */
const ANSWER_MAX = 64 * 1024
const SECRETS = /"(accessToken|signingSecret|token)":"[^"]*"/g

export function createRequestJournal(
  onDone: (record: RequestRecord) => void = () => {},
  budget: Budget = createBudget(REQUESTS_LENGTH_MAX),
): RequestJournal {
  const journal = createJournal<RequestRecord>(REQUESTS_MAX)
  /** What gives back the room of the long ones, by their cursor. */
  const drops = new Map<number, () => void>()
  return Object.assign(journal, {
    open(method: string, url: string, at: number): RequestRecord {
      const cursor = journal.last + 1
      const pushedOut = cursor - REQUESTS_MAX
      drops.get(pushedOut)?.()
      drops.delete(pushedOut)
      const record = renew(journal.at(pushedOut)) ?? createRecord()
      record.id = `req_${cursor}`
      record.cursor = cursor
      record.at = at
      record.method = method
      record.url = url
      journal.push(record)
      return record
    },
    close(record: RequestRecord) {
      if (record.answer !== null && record.answer.length > ANSWER_MAX) {
        record.answer = shorten(record.answer)
      }
      const length = record.url.length + record.bodyLength + (record.answer?.length ?? 0)
      // One that was pushed out while its call was under way is nobody's any more.
      const isKept = journal.at(record.cursor) === record
      if (isKept && length > SHORT_LENGTH) {
        drops.set(record.cursor, budget(record, length, forget))
      }
      onDone(record)
    },
  })
}

/** A row of no call yet; alone, it stands for a call that no journal keeps. */
export const createRecord = (): RequestRecord => ({
  id: '',
  cursor: 0,
  at: 0,
  method: '',
  url: '',
  operation: null,
  integrator: null,
  userId: null,
  body: null,
  bodyLength: 0,
  status: 0,
  refusal: null,
  answer: null,
  notes: NO_NOTES,
})

/**
 * A row that nobody can find any more, to be written anew: rows as old as these would each stay in memory
 * until a whole garbage collection, and their texts with them. One whose call is under way stays its own.
 */
function renew(record: RequestRecord | undefined): RequestRecord | undefined {
  if (record === undefined || record.status === 0) return undefined
  record.operation = null
  record.integrator = null
  record.userId = null
  record.body = null
  record.bodyLength = 0
  record.status = 0
  record.refusal = null
  record.answer = null
  record.notes = NO_NOTES
  return record
}

function forget(record: RequestRecord) {
  record.body &&= FORGOTTEN
  record.answer &&= FORGOTTEN
}

/** The beginning of a long answer, as a copy: a slice would keep the whole alive. */
function shorten(answer: string): string {
  return `${Buffer.from(answer.slice(0, ANSWER_MAX)).toString()}… (${answer.length} characters)`
}

/** An answer as it may be shown: what it gave away once is not given away again. */
export function withoutSecrets(answer: string): string {
  return answer.replace(SECRETS, '"$1":"(not kept)"')
}

/** Shared by records without notes; `note` gives a record its own list. */
const NO_NOTES: string[] = []

export function note(record: RequestRecord, text: string): void {
  record.notes = [...record.notes, text]
}
