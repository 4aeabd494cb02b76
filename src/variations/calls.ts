import { type ControlClient, readAll } from '../client/control.ts'
import type { Received } from '../client/receiver.ts'
import type { RequestRecord, TransactionRecord } from '../control-api/wire.ts'
import { realTime } from '../real-time.ts'
import { plural } from '../world/plural.ts'
import type { CallChange, ReceiverVariation } from './receiver-variation.ts'

/** What can happen to a call of the integrator's own code, as words after the call. */
const CHANGES: Readonly<Record<How, (name: string) => string>> = {
  'response lost': (name) => `the response to ${name} is lost`,
  slow: (name) => `${name} takes longer than your code waits`,
  '503 once': (name) => `${name} gets a 503`,
  '503 from then on': (name) => `${name} and all later calls get a 503`,
  '429': (name) => `${name} gets a 429`,
  'token expired': (name) => `the access token has expired before ${name}`,
  'quote expired': (name) => `the quote has expired before ${name}`,
}

type How = CallChange['how']

/** A call that the integrator's own code made. */
export interface OwnCall {
  /** Method and path, without what differs from run to run. */
  name: string
  nth: number
  /** Name of the operation, or of the call where there is none. */
  operation: string
  hasToken: boolean
}

interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

interface Forwarding {
  pass(): Promise<Reply>
  /** Aborted once the client has closed the connection. */
  closed: AbortSignal
}

const SLOW_MAX_MS = 12_000
const QUOTE_LIFE = '31m'
const LOGIN = /\/auth\/login-codes/

/** Calls of the integrator's own code in one run, one of which may be changed. */
export class OwnCalls {
  readonly made: (Omit<OwnCall, 'operation'> & { journalId: string | undefined })[] = []
  /** Why the call was not changed after all. */
  missed: string | undefined
  /** Set once what the change led to has been counted. */
  isOver = false
  readonly #change: CallChange | undefined
  readonly #control: ControlClient
  #isMet = false
  #expiredToken: string | undefined

  constructor(change: CallChange | undefined, control: ControlClient) {
    this.#change = change
    this.#control = control
    this.missed = change && 'that call was not made again'
  }

  /** Responds as the world does, or as the change says; `broken` ends the connection. */
  async meet({ method, path, headers }: Received, way: Forwarding): Promise<Reply | 'broken'> {
    const { authorization } = headers
    const name = `${method} ${path.replace(/\?.*/, '')}`
    const nth = this.made.filter((each) => each.name === name).length + 1
    const call = { name, nth, hasToken: authorization !== undefined, journalId: undefined }
    this.made.push(call)
    const isIt = this.#change?.call === name && this.#change.nth === nth && !this.isOver
    const how = isIt ? this.#change?.how : undefined
    if (isIt) [this.#isMet, this.missed] = [true, undefined]
    if (how === 'token expired') this.#expiredToken = authorization
    // An expired token stays expired, however often it is sent.
    if (authorization !== undefined && authorization === this.#expiredToken) {
      return refuse(401, 'The access token has expired; log in again.')
    }
    const isDown = this.#isMet && this.#change?.how === '503 from then on' && !this.isOver
    if (isDown || how === '503 once') return refuse(503, 'The service is not available.')
    if (how === '429') return refuse(429, 'Too many requests.')
    if (how === 'quote expired') await this.#moveClock()
    const reply = await way.pass()
    const { 'x-sandbox-request': id } = reply.headers
    Object.assign(call, { journalId: typeof id === 'string' ? id : undefined })
    if (how === 'response lost') return 'broken'
    if (how === 'slow') await this.#hold(way.closed)
    return reply
  }

  async #moveClock(): Promise<void> {
    try {
      await this.#control.call('POST', '/clock/advance', { body: { by: QUOTE_LIFE } })
    } catch {
      this.missed = 'the scenario was moving the clock itself'
    }
  }

  async #hold(closed: AbortSignal): Promise<void> {
    const isPatient = await realTime.pause(SLOW_MAX_MS, true, { signal: closed }).catch(() => false)
    if (isPatient) this.missed = `your code waits longer than ${SLOW_MAX_MS / 1_000} s`
  }
}

function refuse(status: number, message: string): Reply {
  const body = JSON.stringify({ success: false, errors: [{ field: 'request', message }] })
  const headers = { 'content-type': 'application/json', 'retry-after': '0' }
  return { status, headers, body: Buffer.from(body) }
}

/** Finds the operation of each call in the journal of its world. */
export async function nameCalls(calls: OwnCalls, { call }: ControlClient): Promise<OwnCall[]> {
  return await Promise.all(
    calls.made.map(async ({ journalId, name, nth, hasToken }) => {
      const path = `/requests/${journalId}`
      const row = journalId === undefined ? undefined : await call<RequestRecord>('GET', path)
      return { name, nth, hasToken, operation: row?.operation ?? name }
    }),
  )
}

/** Lists what can happen to each call of the baseline. */
export function listCalls(calls: readonly OwnCall[]): ReceiverVariation[] {
  return calls.flatMap(({ name: call, nth, operation, hasToken }, at) => {
    const fits: Partial<Record<How, boolean>> = {
      'token expired': hasToken,
      'quote expired': operation === 'createTransaction',
    }
    const hows = (Object.keys(CHANGES) as How[]).filter((how) => fits[how] ?? true)
    return hows.map((how) => {
      const words = CHANGES[how](`\`${operation}\` (call ${at + 1})`)
      const id = words.replaceAll('`', '')
      return { id, words, kind: 'your calls', call: { how, call, nth } }
    })
  })
}

/** Figures of a world that a changed call must not raise. */
export interface Audit {
  orders: number
  logins: number
  /** Sums that were settled, by the currency that was paid. */
  settled: Readonly<Record<string, number>>
}

export async function auditWorld({ call }: ControlClient): Promise<Audit> {
  const [transactions, logins] = await Promise.all([
    readAll<TransactionRecord>(call, '/transactions', { field: 'items' }),
    readAll<RequestRecord>(call, '/requests', {
      field: 'requests',
      query: { operation: 'verifyLoginCode', refused: false },
    }),
  ])
  const settled: Record<string, number> = {}
  for (const { status, leftSideLabel: label, leftSideValue } of transactions) {
    if (status === 'complete') settled[label] = toSixDecimals((settled[label] ?? 0) + leftSideValue)
  }
  return { orders: transactions.length, logins: logins.length, settled }
}

/** Rounds a sum, which JavaScript may print with too many decimals. */
const toSixDecimals = (sum: number) => Math.round(sum * 1e6) / 1e6

/** Lists what a run with a changed call has more of than the baseline, each with its cause. */
export function findExcess(audit: Audit, usual: Audit, { how, call }: CallChange) {
  const mayLogIn = LOGIN.test(call) || how === 'token expired' || how === 'quote expired'
  const found: { cause: string; words: string }[] = []
  if (audit.orders > usual.orders) {
    const words = `your code orders again: ${plural(audit.orders, 'order')} instead of ${usual.orders}`
    found.push({ cause: 'orders again', words })
  }
  if (audit.logins > usual.logins && !mayLogIn) {
    const words = `your code logs in again: ${plural(audit.logins, 'login')} instead of ${usual.logins}`
    found.push({ cause: 'logs in again', words })
  }
  for (const [label, sum] of Object.entries(audit.settled)) {
    const expected = usual.settled[label] ?? 0
    if (sum <= expected) continue
    found.push({ cause: 'settled', words: `${sum} ${label} is settled instead of ${expected}` })
  }
  return found
}
