import { type ControlClient, createControl } from '../../client/control.ts'
import { SandboxError } from '../../client/error.ts'
import { createHttpClient, type HttpAnswer, type Json, parseJson } from '../../client/http.ts'
import type { Fetch } from '../../client/transport.ts'
import type { Outside } from './plan.ts'

export interface ReplayWorldOptions {
  /** Base URL of a world that may be reset. */
  url: string
  fetch?: Fetch | undefined
  controlToken?: string | null | undefined
}

export interface RawRequest {
  method: string
  target: string
  headers: Record<string, string>
  text: string | undefined
}

/** The world that a recording is replayed in. */
export interface ReplayWorld {
  /** Sends a call as it is: nothing is added to it. */
  send(call: RawRequest): Promise<HttpAnswer>
  readonly control: ControlClient['call']
  /** Where webhooks are sent, so that they are delivered. */
  readonly catchUrl: string
  /** Moves the clock on to an instant; never back. */
  advanceTo(instant: number): Promise<void>
  /** Lets something happen outside; false where this world does not have it so. */
  happen(outside: Outside): Promise<boolean>
  /** The newest login code of a user. */
  findCode(email: string): Promise<string | undefined>
  /** Webhooks since the last time, oldest first. */
  readDeliveries(): Promise<Json[]>
}

export function openReplayWorld(options: ReplayWorldOptions): ReplayWorld {
  const { url, controlToken } = options
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const open = (target: string, init: RequestInit) => fetch(new Request(target, init))
  const control = createControl(createHttpClient({ url, controlToken, fetch: open })).call
  const { port, pathname } = new URL(url)
  const catchUrl = `http://127.0.0.1:${port || 80}${pathname.replace(/\/$/, '')}/_sandbox/catch/integrator`
  let now = Number.NEGATIVE_INFINITY
  let cursor: string | undefined
  return { send, control, catchUrl, advanceTo, happen, findCode, readDeliveries }

  async function send({ method, target, headers, text }: RawRequest): Promise<HttpAnswer> {
    const hasBody = text !== undefined && method !== 'GET'
    const response = await open(url + target, { method, headers, ...(hasBody && { body: text }) })
    const answer = await response.text()
    const body = answer === '' ? null : parseJson(answer)
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  }

  async function advanceTo(instant: number) {
    if (now === Number.NEGATIVE_INFINITY)
      now = Date.parse((await control<Json>('GET', '/clock')).now)
    if (instant <= now) return
    await control('POST', '/clock/advance', { body: { to: new Date(instant).toISOString() } })
    now = instant
  }

  async function happen(outside: Outside): Promise<boolean> {
    if (outside.kind === 'move') return move(outside)
    const user = encodeURIComponent(outside.email)
    if (outside.kind === 'access') {
      const accessibleBy = outside.has ? ['jwt', 'apiKey'] : ['jwt']
      return attempt(`/simulate/users/${user}/access`, { accessibleBy })
    }
    const { status } = outside
    const found = await find(`/users/${user}`)
    if (found?.status === status) return true
    return attempt(`/simulate/users/${user}/kyc`, { status })
  }

  async function move({ transaction: id, status, paymentId }: Move): Promise<boolean> {
    const path = `/simulate/transactions/${id}`
    const actual = (await find(`/transactions/${id}`))?.status
    if (actual === undefined) return false
    if (spelt(actual) === spelt(status)) return true
    // This world may not know a status in between.
    if (actual === 'complete' && status.startsWith('sending ')) return false
    const [name, body] = moveTo(spelt(status))
    const sent = paymentId === undefined ? body : { ...body, paymentId }
    if (name !== undefined && (await attempt(`${path}/${name}`, sent))) return name !== 'expired'
    await attempt(`${path}/status`, { status, force: true })
    return false
  }

  async function attempt(path: string, body: object): Promise<boolean> {
    try {
      await control('POST', path, { body })
      return true
    } catch (error) {
      if (error instanceof SandboxError && error.status !== undefined) return false
      throw error
    }
  }

  async function find(path: string): Promise<Json> {
    try {
      return await control('GET', path)
    } catch (error) {
      if (error instanceof SandboxError && error.status === 404) return undefined
      throw error
    }
  }

  async function findCode(email: string): Promise<string | undefined> {
    const query = { email, kind: 'login-code' }
    const { messages } = await control<Json>('GET', '/inbox', { query })
    return messages.at(-1)?.code
  }

  async function readDeliveries(): Promise<Json[]> {
    await control('POST', '/webhooks/drain')
    const rows: Json[] = []
    for (;;) {
      const query = { after: cursor, limit: 1000 }
      const page = await control<Json>('GET', '/webhooks/deliveries', { query })
      cursor = page.cursor
      if (page.deliveries.length === 0) return rows
      rows.push(...page.deliveries)
    }
  }
}

type Move = Extract<Outside, { kind: 'move' }>

/** How somebody outside lets a transaction have a status. */
function moveTo(status: string): [string | undefined, object] {
  if (status === 'processing request money transfer') return ['funds-received', {}]
  if (status === 'complete' || status.startsWith('sending ')) return ['settled', { through: true }]
  if (status === 'cancelled') return ['cancelled', {}]
  // That is for the clock of this world; it is done so that what follows can be compared.
  return status === 'expired' ? ['expired', {}] : [undefined, {}]
}

const spelt = (status: string) => (status === 'canceled' ? 'cancelled' : status)
