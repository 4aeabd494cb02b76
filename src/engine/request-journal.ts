import { type Budget, createBudget } from '../webhooks/budget.ts'
import type { DomainErrorDetail, DomainErrorKind, Problem } from '../world/domain-error.ts'
import { createJournal, type Journal } from '../world/journal.ts'

/** A refusal as the journal tells it: with its place in the contract, and with what would work. */
export interface CallProblem {
  readonly kind: DomainErrorKind
  readonly message: string
  readonly problems: readonly Problem[]
  readonly detail: DomainErrorDetail
}

export const REQUESTS_MAX = 1_000

/** Shared by records without notes; `note` gives a record its own list. */
const NO_NOTES: readonly string[] = []
const FORGOTTEN = '(forgotten, because too much came)'

/** One contract call: what came, what was answered, and why it was refused. */
export class CallRecord {
  cursor = 0
  /** World time. */
  at = 0
  method = ''
  url = ''
  operation: string | null = null
  integrator: string | null = null
  userId: string | null = null
  /** The text of the body, as far as it is kept. */
  sent: string | null = null
  /** Whether that text is shown as the JSON that it is. */
  isJson = false
  status = 0
  refusal: CallProblem | null = null
  answer: string | null = null
  /** Assumptions this answer rests on, ignored fields and the like. */
  notes: readonly string[] = NO_NOTES

  get id(): string {
    return `req_${this.cursor}`
  }

  /** The body's value, or its text when that is no JSON; parsed when it is read, because few ever are. */
  get body(): unknown {
    return this.isJson && this.sent ? JSON.parse(this.sent) : this.sent
  }

  /** In characters, as far as they are kept. */
  get length(): number {
    return this.url.length + (this.sent?.length ?? 0) + (this.answer?.length ?? 0)
  }

  note(text: string): void {
    this.notes = [...this.notes, text]
  }

  /** Lets go of what was long. */
  forget(): void {
    this.isJson = false
    this.sent &&= FORGOTTEN
    this.answer &&= FORGOTTEN
  }

  /** As a row of no call yet. */
  clear(): void {
    this.operation = null
    this.integrator = null
    this.userId = null
    this.sent = null
    this.isJson = false
    this.status = 0
    this.refusal = null
    this.answer = null
    this.notes = NO_NOTES
  }
}

export interface RequestJournal extends Journal<CallRecord> {
  open(method: string, url: string, at: number): CallRecord
  /** Says that a call was answered. */
  close(record: CallRecord): void
}

/** Characters of all long calls together that are kept, in all worlds. */
export const REQUESTS_LENGTH_MAX = 64 * 1024 * 1024
/** A call shorter than this does not count as long. */
const SHORT_LENGTH = 2_048

/** Longest answer that is kept whole, in characters. */
const ANSWER_MAX = 64 * 1024
const SECRETS = /"(accessToken|signingSecret|token)":"[^"]*"/g

export function createRequestJournal(
  onDone: (record: CallRecord) => void = () => {},
  budget: Budget = createBudget(REQUESTS_LENGTH_MAX),
): RequestJournal {
  const journal = createJournal<CallRecord>(REQUESTS_MAX)
  /** What gives back the room of the long ones, by their cursor. */
  const drops = new Map<number, () => void>()
  return Object.assign(journal, {
    open(method: string, url: string, at: number): CallRecord {
      const cursor = journal.last + 1
      const pushedOut = cursor - REQUESTS_MAX
      drops.get(pushedOut)?.()
      drops.delete(pushedOut)
      const record = renew(journal.at(pushedOut)) ?? new CallRecord()
      record.cursor = cursor
      record.at = at
      record.method = method
      record.url = url
      journal.push(record)
      return record
    },
    close(record: CallRecord) {
      if (record.answer !== null && record.answer.length > ANSWER_MAX) {
        record.answer = shorten(record.answer)
      }
      const { length } = record
      // One that was pushed out while its call was under way is nobody's any more.
      const isKept = journal.at(record.cursor) === record
      if (isKept && length > SHORT_LENGTH) {
        drops.set(
          record.cursor,
          budget(record, length, (row) => row.forget()),
        )
      }
      onDone(record)
    },
  })
}

/**
 * A row that nobody can find any more, to be written anew: rows as old as these would each stay in memory
 * until a whole garbage collection, and their texts with them. One whose call is under way stays its own.
 */
function renew(record: CallRecord | undefined): CallRecord | undefined {
  if (record === undefined || record.status === 0) return undefined
  record.clear()
  return record
}

/** The beginning of a long answer, as a copy: a slice would keep the whole alive. */
function shorten(answer: string): string {
  return `${Buffer.from(answer.slice(0, ANSWER_MAX)).toString()}… (${answer.length} characters)`
}

/** An answer as it may be shown: what it gave away once is not given away again. */
export function withoutSecrets(answer: string): string {
  return answer.replace(SECRETS, '"$1":"(not kept)"')
}
