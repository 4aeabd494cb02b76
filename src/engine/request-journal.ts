import { realTime } from '../real-time.ts'
import type { DomainErrorDetail, Problem } from '../world/domain-error.ts'
import { Journal } from '../world/journal.ts'
import { shortenAndCount } from '../world/shorten.ts'
import { NO_RUNS, type Origin, type Run } from './timeline.ts'

/** Why a call was refused: the error that it threw, with its hints. */
export interface CallProblem {
  /** Code as the header `x-sandbox-error` has it. */
  readonly code: string
  readonly message: string
  readonly problems: readonly Problem[]
  readonly detail: DomainErrorDetail
}

const REQUESTS_MAX = 1_000
/** Characters of all calls of one world; beyond them the oldest are forgotten. */
const REQUESTS_LENGTH_MAX = 16 * 1024 * 1024
/** Longest response that is kept whole, in characters. */
const RESPONSE_MAX = 64 * 1024
const SECRETS = /"(accessToken|signingSecret|token)":"[^"]*"/g

/** One contract call: the request, the response, and why it was refused. */
export class CallRecord implements Origin {
  readonly cursor: number
  readonly at: number
  readonly method: string
  readonly url: string
  operation: string | null = null
  integrator: string | null = null
  userId: string | null = null
  /** Names and values in turn, a line each: one text takes the least memory. */
  headers: string | Headers = ''
  /** Text of the body, cut at a limit. */
  sent: string | null = null
  isJson = false
  status = 0
  problem: CallProblem | null = null
  response: string | null = null
  /** Remarks for a reader of the journal, such as assumptions and ignored fields. */
  notes: readonly string[] = []
  runs: Run[] = NO_RUNS
  /** Wall time from the first to the last step of the call; null until it has a response. */
  durationMs: number | null = null
  /** Real time, as `realTime.elapsed()`. */
  readonly startedAt = realTime.elapsed()

  constructor(cursor = 0, call: { method?: string; url?: string; at?: number } = {}) {
    const { method = '', url = '', at = 0 } = call
    this.cursor = cursor
    this.at = at
    this.method = method
    this.url = url
  }

  get id(): string {
    return `req_${this.cursor}`
  }

  get kind(): 'call' {
    return 'call'
  }

  end(): void {
    this.durationMs = realTime.elapsed() - this.startedAt
  }

  /** The parsed body, or its text if it is not JSON. */
  get body(): unknown {
    return this.isJson && this.sent ? JSON.parse(this.sent) : this.sent
  }

  note(text: string): void {
    this.notes = [...this.notes, text]
  }
}

/** The contract calls of one world, which a restore leaves in place. */
export class RequestJournal extends Journal<CallRecord> {
  readonly #onDone: (record: CallRecord) => void

  constructor(onDone: (record: CallRecord) => void) {
    super({ max: REQUESTS_MAX, lengthMax: REQUESTS_LENGTH_MAX })
    this.#onDone = onDone
  }

  open(method: string, url: string, at: number): CallRecord {
    const record = new CallRecord(this.last + 1, { method, url, at })
    this.push(record)
    return record
  }

  close(record: CallRecord): void {
    record.end()
    if (record.response !== null) record.response = shortenAndCount(record.response, RESPONSE_MAX)
    this.weigh(record.cursor, lengthOf(record))
    this.#onDone(record)
  }
}

function lengthOf({ url, sent, response, headers }: CallRecord): number {
  const headersLength = typeof headers === 'string' ? headers.length : 0
  return url.length + (sent?.length ?? 0) + (response?.length ?? 0) + headersLength
}

/** Removes secrets from a response, because they are shown only once. */
export function withoutSecrets(response: string): string {
  return response.replace(SECRETS, '"$1":"(not kept)"')
}
