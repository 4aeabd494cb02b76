import type { AppliedFault, WebhookEffect } from '../webhooks/webhook-fault.ts'
import { DomainError } from '../world/domain-error.ts'

/** FaultList that one world keeps at once. */
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
  /** One of the legacy webhooks. */
  hook?: string | undefined
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

interface Counted {
  id: string
  times: number
  skip: number
  /** Calls or deliveries that it met, the skipped ones included. */
  seen: number
  hits: number
}

/** The fault that a call met. */
export interface AppliedApiFault {
  id: string
  effect: ApiEffect
}

export type ApiFault = Counted & { on: 'api'; match: ApiMatch; then: ApiEffect }
export type WebhookFault = Counted & { on: 'webhook'; match: WebhookMatch; then: WebhookEffect }
export type Fault = ApiFault | WebhookFault

type Uncounted<Kind extends Fault> = Pick<Kind, 'on' | 'match' | 'then' | 'times' | 'skip'>
export type FaultRequest = Uncounted<ApiFault> | Uncounted<WebhookFault>

/** Misbehaviour that a test ordered, counted; the first that matches wins. */
export interface FaultList {
  list(): readonly Fault[]
  add(request: FaultRequest): Fault
  remove(id: string): void
  clear(): void
  takeApi(call: Met<ApiMatch>): AppliedApiFault | undefined
  takeWebhook(delivery: Met<WebhookMatch>): AppliedFault | undefined
}

/** What a match is held against; null is what the call or delivery does not have. */
type Met<Match> = { readonly [Field in keyof Match]-?: string | null }

export function createFaults(): FaultList {
  let faults: Fault[] = []
  let count = 0
  return {
    list: () => faults,
    add(request) {
      if (faults.length >= FAULTS_MAX) {
        const message = `At most ${FAULTS_MAX} faults are kept; delete some first.`
        throw new DomainError('conflict', 'faults', message, { code: 'too-many-faults' })
      }
      const fault: Fault = { ...request, id: `fault_${++count}`, seen: 0, hits: 0 }
      faults.push(fault)
      return fault
    },
    remove(id) {
      if (!faults.some((fault) => fault.id === id)) {
        throw new DomainError('not-found', 'id', `There is no fault ${id}.`)
      }
      faults = faults.filter((fault) => fault.id !== id)
    },
    clear() {
      faults = []
    },
    takeApi(call) {
      for (const fault of faults) {
        if (fault.on !== 'api' || !fitsCall(fault.match, call) || !hit(fault)) continue
        return { id: fault.id, effect: fault.then }
      }
      return undefined
    },
    takeWebhook(delivery) {
      for (const fault of faults) {
        if (fault.on !== 'webhook' || !fits(fault.match, delivery) || !hit(fault)) continue
        return { id: fault.id, effect: fault.then }
      }
      return undefined
    },
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

function fits<Match extends object>(match: Match, met: Met<Match>): boolean {
  const wanted = Object.entries(match) as [keyof Match, string | undefined][]
  return wanted.every(([field, value]) => value === undefined || met[field] === value)
}

function fitsCall({ path, ...match }: ApiMatch, { path: asked, ...call }: Met<ApiMatch>): boolean {
  return fits(match, call) && (path === undefined || fitsPath(path, asked ?? ''))
}

/** Whether the texts between the stars come in turn; a pattern of many stars costs no more. */
function fitsPath(pattern: string, path: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return path === start
  if (path.length < start.length + end.length || !path.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= path.length - end.length && path.endsWith(end)
}
