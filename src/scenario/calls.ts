import { type Json, parseJson } from '../client/http.ts'
import type { Received } from '../client/receiver.ts'
import { realTime } from '../real-time.ts'
import type { CallMishap, Disturbance } from './disturbance.ts'

interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

interface Forwarding {
  pass(request: Received): Promise<Reply>
  /** Resolves once the client has closed the connection. */
  closed: Promise<void>
}

/** A call that the integrator's own code made during the story. */
export interface OwnCall {
  /** Number of the step in which it was made; 0 before the first. */
  step: number
  method: string
  path: string
  /** Status code of the world's response; 0 where the call never reached it. */
  status: number
  hasToken: boolean
  hasStatus: boolean
  hasData: boolean
  /** Id of its row in the request journal. */
  journalId: string | undefined
}

interface RelayedCallsOptions {
  disturbances: readonly Disturbance[]
  callWorld(path: string, input: object): Promise<Json>
  /** True while the receiver handles a webhook, so that it may call for that. */
  isHandling(): boolean
}

type CallDisturbance = Extract<Disturbance, { kind: 'call' }>

/** What happens to the response of a call that had its effect. */
const CHANGES: readonly CallMishap[] = [
  'response lost',
  'slow',
  'unknown status',
  'additional field',
]

/** How long a slow response is held; a client that waits longer is not disturbed. */
const SLOW_MAX_MS = 2_000
const LOOK_EVERY_MS = 50
const QUOTE_LIFE = '31m'

/** Calls of the integrator's code in one run, one of which is disturbed. */
export class RelayedCalls {
  readonly made: OwnCall[] = []
  /** True if the client waited for the slow response, so that it was not disturbed. */
  outwaited = false
  step = 0
  /**
   * Step of each call that reached the world, by its id in the request journal. If an undisturbed
   * call can belong to two steps, the earlier one counts: disturbed calls then never seem too early.
   */
  readonly steps = new Map<string, number>()
  readonly #mishaps: readonly CallDisturbance[]
  readonly #met = new Map<CallDisturbance, OwnCall>()
  readonly #callWorld: RelayedCallsOptions['callWorld']
  readonly #isHandling: () => boolean
  /** All webhooks of earlier steps than this one have been handled. */
  #quietStep = 0
  #isDown = false
  #isClockStill = false

  constructor({ disturbances, callWorld, isHandling }: RelayedCallsOptions) {
    this.#mishaps = disturbances.flatMap((each) => (each.kind === 'call' ? [each] : []))
    this.#callWorld = callWorld
    this.#isHandling = isHandling
  }

  /** Sends the world's response or the mishap's; `broken` ends the connection. */
  async meet(request: Received, forwarding: Forwarding): Promise<Reply | 'broken'> {
    const { method, path, headers } = request
    const call: OwnCall = {
      step: this.step,
      method,
      path,
      status: 0,
      hasToken: headers.authorization !== undefined,
      hasStatus: false,
      hasData: false,
      journalId: undefined,
    }
    const isUnsure = this.#mishaps.length === 0 && this.#isHandling()
    const step = isUnsure ? this.#quietStep : this.step
    this.made.push(call)
    const mishap = this.#mishaps.find((each) => this.#isLast(each))
    if (mishap) this.#met.set(mishap, call)
    const pass: Forwarding['pass'] = async (sent) => {
      const reply = await forwarding.pass(sent)
      describe(call, reply)
      call.journalId = this.note(reply.headers, step)
      return reply
    }
    return await this.#respond(request, { pass, closed: forwarding.closed }, mishap?.how)
  }

  /** A call to be disturbed that was never made, or before which the clock did not move. */
  get missed(): { why: 'not called' | 'clock' } | undefined {
    if (this.#isClockStill) return { why: 'clock' }
    return this.#mishaps.every((each) => this.#met.has(each)) ? undefined : { why: 'not called' }
  }

  /** The call whose response was disturbed. */
  get changed(): OwnCall | undefined {
    return [...this.#met].find(([{ how }]) => CHANGES.includes(how))?.[1]
  }

  /** Recognises the call to be disturbed, which has just been made. */
  #isLast({ at, call, nth }: CallDisturbance): boolean {
    if (call === undefined) return this.made.length - 1 === at
    const names = this.made.map(nameCall)
    return names.at(-1) === call && names.filter((name) => name === call).length === nth
  }

  /** Notes the step of a call by the headers of its response; returns its id. */
  note(headers: Reply['headers'], step: number): string | undefined {
    const { 'x-sandbox-request': id } = headers
    if (typeof id !== 'string') return undefined
    this.steps.set(id, step)
    return id
  }

  /** Notes that all webhooks so far have been handled. */
  noteQuiet(): void {
    this.#quietStep = this.step
  }

  async #respond(
    request: Received,
    { pass, closed }: Forwarding,
    mishap: CallMishap | undefined,
  ): Promise<Reply | 'broken'> {
    if (mishap === '503 for good') this.#isDown = true
    if (this.#isDown || mishap === '503 once') return refuse(503)
    if (mishap === '429') return refuse(429)
    if (mishap === 'token expired') {
      return await pass({ ...request, headers: { ...request.headers, authorization: 'Bearer x' } })
    }
    if (mishap === 'quote expired') await this.#moveClock(QUOTE_LIFE)
    if (mishap === 'clock jumped') await this.#moveClock('1h')
    const reply = await pass(request)
    if (mishap === 'response lost') return 'broken'
    if (mishap === 'slow') return await this.#hold(reply, closed)
    if (mishap === 'unknown status') return change(reply, { status: 'under review by partner' })
    if (mishap === 'additional field') return change(reply, { note: 'new' })
    return reply
  }

  /** Moves the clock, unless the story is moving it. */
  async #moveClock(by: string): Promise<void> {
    const { from } = await this.#callWorld('/_sandbox/clock/advance', { by })
    this.#isClockStill = from === undefined
  }

  async #hold(reply: Reply, closed: Promise<void>): Promise<Reply> {
    let isOpen = true
    void closed.then(() => {
      isOpen = false
    })
    // In short pauses, because a client cannot give up while the machine stands still.
    for (let heldMs = 0; isOpen && heldMs < SLOW_MAX_MS; heldMs += LOOK_EVERY_MS) {
      await realTime.pause(LOOK_EVERY_MS)
    }
    this.outwaited = isOpen
    return reply
  }
}

/** Method and path of a call, without its query. */
export const nameCall = ({ method, path }: Pick<OwnCall, 'method' | 'path'>): string =>
  `${method} ${path.replace(/\?.*/, '')}`

function describe(call: OwnCall, { status, body }: Reply): void {
  call.status = status
  const data = parseJson(body.toString())?.data
  call.hasData = data !== null && typeof data === 'object' && !Array.isArray(data)
  call.hasStatus = call.hasData && typeof data.status === 'string'
}

function refuse(status: number): Reply {
  const message = status === 429 ? 'Too many requests.' : 'The service is not available.'
  const body = JSON.stringify({ success: false, errors: [{ field: 'request', message }] })
  const headers = { 'content-type': 'application/json', 'retry-after': '0' }
  return { status, headers, body: Buffer.from(body) }
}

function change(reply: Reply, more: object): Reply {
  const json: Json = parseJson(reply.body.toString())
  const changed = { ...json, data: { ...json.data, ...more } }
  return { ...reply, body: Buffer.from(JSON.stringify(changed)) }
}
