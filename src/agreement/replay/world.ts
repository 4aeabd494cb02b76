import { findCatchUrl } from '../../client/catcher.ts'
import { createControl } from '../../client/control.ts'
import { SandboxError } from '../../client/error.ts'
import { createHttpClient, type HttpAnswer, type Json, parseJson } from '../../client/http.ts'
import { assertShallow, readText } from '../../client/read-body.ts'
import type { Fetch } from '../../client/transport.ts'
import { createWebhooks } from '../../client/webhooks.ts'
import { moveTo, type Outside } from './plan.ts'

/** How long one call may take. */
const CALL_MAX_MS = 30_000

export interface ReplayWorldOptions {
  /** Base URL of a world that may be reset. */
  url: string
  fetch?: Fetch | undefined
  controlToken?: string | null | undefined
}

interface RawRequest {
  method: string
  target: string
  headers: Record<string, string>
  text: string | undefined
}

export type ReplayWorld = Awaited<ReturnType<typeof openReplayWorld>>

export async function openReplayWorld({ url, controlToken, ...options }: ReplayWorldOptions) {
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const open = (target: string, init: RequestInit) =>
    fetch(new Request(target, { ...init, signal: AbortSignal.timeout(CALL_MAX_MS) }))
  const client = createControl(createHttpClient({ url, controlToken, fetch: open }))
  const control = client.call
  const webhooks = createWebhooks(client, true)
  let now = Number.NEGATIVE_INFINITY
  return {
    send,
    control,
    /** Where webhooks are sent, so that they are delivered. */
    catchUrl: await findCatchUrl(client, url),
    advanceTo,
    happen,
    findCode,
    /** Every webhook of this run, oldest first. */
    async readDeliveries() {
      await webhooks.drain()
      return await webhooks.deliveries()
    },
  }

  /** Sends a call as it is: nothing is added to it. */
  async function send({ method, target, headers, text }: RawRequest): Promise<HttpAnswer> {
    const hasBody = text !== undefined && method !== 'GET'
    const response = await open(url + target, { method, headers, ...(hasBody && { body: text }) })
    const answer = await readText(response)
    const body = answer === '' ? null : parseJson(answer)
    assertShallow(body)
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  }

  /** Moves the clock on to an instant; never back. */
  async function advanceTo(instant: number) {
    if (now === Number.NEGATIVE_INFINITY)
      now = Date.parse((await control<Json>('GET', '/clock')).now)
    if (instant <= now) return
    await control('POST', '/clock/advance', { body: { to: new Date(instant).toISOString() } })
    now = instant
  }

  /** Lets something happen outside; false where this world does not have it so. */
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
    const name = moveTo(status)
    const body = { ...(name === 'settled' && { through: true }), paymentId }
    // That is for the clock of this world; it is done so that what follows can be compared.
    if (name !== undefined && (await attempt(`${path}/${name}`, body))) return name !== 'expired'
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
}

type Move = Extract<Outside, { kind: 'move' }>

const spelt = (status: string) => (status === 'canceled' ? 'cancelled' : status)
