import { realTime } from '../real-time.ts'
import type { DomainErrorDetail, Problem } from '../world/domain-error.ts'
import type { Entry } from '../world/entries.ts'
import { shortenAndCount } from '../world/shorten.ts'
import type { Cause } from '../world/state.ts'
import type { Break } from './faults.ts'

/** Why a call was refused: the error that it threw, with its hints. */
export interface CallProblem {
  /** Code as the header `x-sandbox-error` has it. */
  readonly code: string
  readonly message: string
  readonly problems: readonly Problem[]
  readonly detail: DomainErrorDetail
}

/** Longest response that is kept whole, in characters. */
const RESPONSE_MAX = 64 * 1024
const SECRETS = /"(accessToken|signingSecret|token)":"[^"]*"/g

/** A call or an action: what can be the cause of events, messages and deliveries. */
export interface Origin extends Entry {
  readonly kind: Cause['kind']
  readonly id: string
  readonly operation: string | null
}

/** API call: the request, the response, and why it was refused. */
export class CallRecord implements Origin {
  readonly pos: number
  readonly id: string
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
  status = 0
  problem: CallProblem | null = null
  response: string | null = null
  /** Remarks for a reader of the journal, such as assumptions and ignored fields. */
  notes: readonly string[] = []
  /** Way in which a fault broke the connection. */
  broken: Break | null = null
  /** Wall time from the first to the last step of the call; null until it has a response. */
  durationMs: number | null = null
  /** Real time, as `realTime.elapsed()`. */
  readonly startedAt = realTime.elapsed()

  /** Without arguments, the record of a call that is in no journal. */
  constructor({ pos = 0, number = 0, method = '', url = '', at = 0 } = {}) {
    this.pos = pos
    this.id = `req_${number}`
    this.at = at
    this.method = method
    this.url = url
  }

  get kind(): 'call' {
    return 'call'
  }

  /** A fault may respond with a success in place of the call, which refuses nothing. */
  get refused(): boolean {
    return this.problem !== null && this.status >= 400
  }

  /** Whether it was refused, or its client got no response. */
  get failed(): boolean {
    const isOver = this.durationMs !== null
    return this.status >= 400 || this.broken !== null || (isOver && this.status === 0)
  }

  /** Ends the call, and returns how many characters of it are kept. */
  end(): number {
    this.durationMs = realTime.elapsed() - this.startedAt
    if (this.response !== null) this.response = shortenAndCount(this.response, RESPONSE_MAX)
    return lengthOf(this)
  }

  /** The object or list that was sent, or else the text, as only that says whether it was quoted. */
  get body(): unknown {
    try {
      const parsed = this.sent && JSON.parse(this.sent)
      return typeof parsed === 'object' && parsed !== null ? parsed : this.sent
    } catch {
      return this.sent
    }
  }

  get isJson(): boolean {
    return this.body !== this.sent
  }

  /** A reset in the middle of a call authenticates it again, and says the same twice. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes = [...this.notes, text]
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
