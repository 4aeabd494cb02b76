import { Refusal } from './world/errors.ts'

/** Faults that one world keeps at once. */
export const FAULTS_MAX = 200

/** What a call must be like for an API fault to meet it; what is not named fits anything. */
export interface ApiMatch {
  operation?: string | undefined
  method?: string | undefined
  /** A path below the base URL; `*` stands for any text. */
  path?: string | undefined
  integrator?: string | undefined
}

/** What a delivery must be like for a webhook fault to meet it. */
export interface WebhookMatch {
  type?: string | undefined
  status?: string | undefined
  ref?: string | undefined
  generation?: 'v2' | 'v1' | undefined
  integrator?: string | undefined
}

export interface ApiEffect {
  /** Milliseconds of wall time before anything else. */
  delayMs?: number | undefined
  /** Answers this instead of doing it. */
  status?: number | undefined
  error?: { field: string; message: string } | undefined
  headers?: Record<string, string> | undefined
  /** Breaks the connection: before the call is done, half-way through the answer, or instead of it. */
  connection?: 'reset' | 'truncate' | 'lost' | undefined
}

export interface WebhookEffect {
  /** Never leaves. */
  drop?: true | undefined
  delayMs?: number | undefined
  /** Leaves twice. */
  duplicate?: true | undefined
  /** Leaves after the next one for the same destination. */
  reorder?: true | undefined
  signature?: 'bad' | undefined
  timestamp?: 'stale' | undefined
  envelopeId?: 'id' | 'eventId' | 'both' | undefined
  /** Leaves, and is waited for, before the API call that caused it is answered. */
  beforeResponse?: true | undefined
}

interface Counted {
  id: string
  times: number
  skip: number
  /** Calls or deliveries that it met, the skipped ones included. */
  seen: number
  hits: number
}

export type ApiFault = Counted & { on: 'api'; match: ApiMatch; then: ApiEffect }
export type WebhookFault = Counted & { on: 'webhook'; match: WebhookMatch; then: WebhookEffect }
export type Fault = ApiFault | WebhookFault

type Uncounted<Kind extends Fault> = Pick<Kind, 'on' | 'match' | 'then' | 'times' | 'skip'>
export type FaultRequest = Uncounted<ApiFault> | Uncounted<WebhookFault>

/** Misbehaviour that a test ordered, counted; the first that matches wins. */
export interface Faults {
  list(): readonly Fault[]
  add(request: FaultRequest): Fault
  remove(id: string): void
  clear(): void
  takeApi(call: Required<ApiMatch>): ApiEffect | undefined
  takeWebhook(delivery: Required<WebhookMatch>): WebhookEffect | undefined
}

export function createFaults(): Faults {
  let faults: Fault[] = []
  let count = 0
  return {
    list: () => faults,
    add(request) {
      if (faults.length >= FAULTS_MAX) {
        const message = `At most ${FAULTS_MAX} faults are kept; delete some first.`
        throw new Refusal('conflict', 'faults', message, { code: 'too-many-faults' })
      }
      const fault: Fault = { ...request, id: `fault_${++count}`, seen: 0, hits: 0 }
      faults.push(fault)
      return fault
    },
    remove(id) {
      if (!faults.some((fault) => fault.id === id)) {
        throw new Refusal('not-found', 'id', `There is no fault ${id}.`)
      }
      faults = faults.filter((fault) => fault.id !== id)
    },
    clear() {
      faults = []
    },
    takeApi: (call) =>
      faults
        .filter((fault) => fault.on === 'api')
        .find((fault) => fitsCall(fault.match, call) && hit(fault))?.then,
    takeWebhook: (delivery) =>
      faults
        .filter((fault) => fault.on === 'webhook')
        .find((fault) => fits(fault.match, delivery) && hit(fault))?.then,
  }
}

/** Counts a match; one that is spent, or still skips, lets the next fault try. */
function hit(fault: Fault): boolean {
  if (fault.hits >= fault.times) return false
  fault.seen++
  if (fault.seen <= fault.skip) return false
  fault.hits++
  return true
}

function fits<Match extends object>(match: Match, met: Required<Match>): boolean {
  return Object.entries(match).every(
    ([field, wanted]) => wanted === undefined || met[field as keyof Match] === wanted,
  )
}

function fitsCall({ path, ...match }: ApiMatch, call: Required<ApiMatch>): boolean {
  return fits(match, call as ApiMatch as Required<typeof match>) && fitsPath(path, call.path ?? '')
}

function fitsPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) return true
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(path)
}
