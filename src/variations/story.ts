import http from 'node:http'
import https from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { type Json, parseJson } from '../client/http.ts'
import { withoutFraming } from '../client/pass-on.ts'
import type { Received } from '../client/receiver.ts'
import { realTime } from '../real-time.ts'
import type { Mutation } from '../webhooks/mutation.ts'
import { type Copy, changeCopy } from './deliveries.ts'
import type { WorldAccess } from './options.ts'
import { ReceiverFailed, type StoryReceiver } from './receiver.ts'
import type { Action, Forgery } from './receiver-variation.ts'
import { type ReadState, settle } from './states.ts'

/** A webhook that came from the sandbox. */
export interface Arrival extends Copy {
  status: string
  eventId: string | null
  /** True if the state changed with it, in a run that watches that. */
  isShown: boolean
}

/** The receiver's response to a genuine webhook; status 0 where it gave none. */
export interface ReceiverResponse {
  at: number
  status: number
  ms: number
  as?: Mutation | undefined
}

/** States of the receiver before and after something that should have changed nothing. */
export interface UnwantedChange {
  at: number
  as?: Mutation | Forgery | undefined
  before: unknown
  after: unknown
}

interface StoryOptions {
  receiver: StoryReceiver
  place: WorldAccess
  read: ReadState
  /** What the receiver gets; everything as it comes where there is no list. */
  actions?: readonly Action[] | undefined
  /**
   * Responses in the baseline. In that itself, each webhook is watched: whether it changes the state,
   * and how long the receiver works after its response.
   */
  usual: readonly ReceiverResponse[] | undefined
  /** Time for which a state must not change before it is looked at. */
  quietMs: number
}

const RESPONSE_MAX_MS = 10_000

/** Webhooks of one run on their way to the receiver, one action after another. */
export class Story {
  readonly arrivals: Arrival[] = []
  readonly responses: ReceiverResponse[] = []
  /** Status codes in response to events that are none of the story. */
  readonly responsesToOthers: number[] = []
  unwantedChange: UnwantedChange | undefined
  /** True if an action meant for the time before a response came later, though the receiver usually takes a while. */
  isLate = false
  /** Longest time for which the receiver worked after a response. */
  busyMs = 0
  /** True while someone else places an order. */
  isOfOthers = false
  readonly #options: StoryOptions
  readonly #left: Action[] | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #failure: unknown

  constructor(options: StoryOptions) {
    this.#options = options
    this.#left = options.actions && [...options.actions]
  }

  /** Takes a webhook from the sandbox; resolves once everything that it allows is done. */
  async take({ body: text, bytes, headers }: Received): Promise<void> {
    const json: Json = parseJson(text)
    const arrival: Arrival = {
      headers: withoutFraming(headers),
      body: bytes,
      status: json?.payload?.status ?? json?.status ?? '',
      eventId: json?.id ?? json?.eventId ?? null,
      isShown: false,
    }
    if (this.isOfOthers) {
      await this.#inTurn(async () => {
        this.responsesToOthers.push(await post(this.#options.receiver.url, arrival))
      })
      return
    }
    const at = this.arrivals.push(arrival) - 1
    if (this.#left === undefined) await this.#inTurn(() => this.#sendWatched(arrival, at))
    else await this.#pump(this.#left)
  }

  /** Does what is left; false where a webhook that it needs never arrived. */
  async finish(): Promise<boolean> {
    if (this.#left !== undefined) await this.#pump(this.#left)
    await this.#turn
    if (this.#failure !== undefined) throw this.#failure
    return (this.#left ?? []).length === 0
  }

  async #pump(left: Action[]): Promise<void> {
    for (let next = left[0]; next && this.#isReady(next); next = left[0]) {
      const action = next
      left.shift()
      void this.#inTurn(() => this.#act(action))
    }
    await this.#turn
  }

  #isReady(action: Action): boolean {
    if (action.do === 'restart') return true
    return this.arrivals.length > action.at + (action.do === 'together' ? 1 : 0)
  }

  #inTurn(act: () => Promise<unknown>): Promise<unknown> {
    this.#turn = this.#turn.then(act).catch((error: unknown) => {
      this.#failure ??= error
    })
    return this.#turn
  }

  async #act(action: Action): Promise<void> {
    if (action.do === 'send') {
      const send = () => this.#send(action.at, action.as)
      await (action.mustChangeNothing ? this.#watchChange(action, send) : send())
    }
    if (action.do === 'together') {
      await Promise.all([this.#send(action.at + 1), this.#sendMeanwhile(action.at)])
    }
    if (action.do === 'forge') {
      const copy = this.#copyOf(action.at, action.as)
      await this.#watchChange(action, () => post(this.#options.receiver.url, copy))
    }
    if (action.do === 'kill') await this.#kill(action.at, action.moment)
    if (action.do === 'restart') await this.#restart()
  }

  async #sendWatched(arrival: Arrival, at: number): Promise<void> {
    const { usual, read } = this.#options
    if (usual !== undefined) return await this.#send(at)
    const before = await read()
    await this.#send(at)
    const { state, changedMs } = await this.#settle()
    this.busyMs = Math.max(this.busyMs, changedMs)
    arrival.isShown = !isDeepStrictEqual(before, state)
  }

  async #send(at: number, as?: Mutation): Promise<void> {
    const startedAt = realTime.elapsed()
    const status = await post(this.#options.receiver.url, this.#copyOf(at, as))
    this.responses.push({ at, as, status, ms: realTime.elapsed() - startedAt })
  }

  /** Sends a webhook while the receiver works on the next one, so that it stores the older one last. */
  async #sendMeanwhile(at: number): Promise<void> {
    const usualMs = this.#usualMs(at + 1)
    const startedAt = realTime.elapsed()
    const waitMs = Math.floor(usualMs / 4)
    if (waitMs > 0) await realTime.pause(waitMs)
    this.isLate = usualMs > SHORT_MS && realTime.elapsed() - startedAt > usualMs / 2
    await this.#send(at)
  }

  #copyOf(at: number, as?: Mutation | Forgery): Copy {
    const arrival = this.arrivals[at]
    if (arrival === undefined) throw new Error(`Webhook ${at + 1} never arrived.`)
    return as === undefined ? arrival : changeCopy(arrival, as, this.#options.place.signingSecret)
  }

  /** Looks at once, because the next genuine webhook may undo the change. */
  async #watchChange(
    { at, as }: Pick<UnwantedChange, 'at' | 'as'>,
    send: () => Promise<unknown>,
  ): Promise<void> {
    if (this.unwantedChange !== undefined) return
    const { state: before } = await this.#settle()
    await send()
    const { state: after } = await this.#settle()
    if (!isDeepStrictEqual(before, after)) this.unwantedChange = { at, as, before, after }
  }

  /** Kills the receiver between a webhook and its response, unless it is quicker. */
  async #kill(at: number, moment: 'receipt' | 'change'): Promise<void> {
    const { receiver, read } = this.#options
    const { state: before } = await this.#settle()
    // A process that is stopped gets the webhook, and cannot respond any more.
    if (moment === 'receipt') receiver.process?.stop()
    let isOver = false
    const posted = post(receiver.url, this.#copyOf(at)).then((status) => {
      isOver = true
      this.isLate = status !== 0 && this.#usualMs(at) > SHORT_MS
    })
    if (moment === 'receipt') await realTime.pause(LANDING_MS)
    else {
      // A receiver that was killed meanwhile responds to nothing.
      const look = () => read().catch(() => before)
      while (!isOver && isDeepStrictEqual(await look(), before));
    }
    await this.#restart()
    await posted
  }

  async #restart(): Promise<void> {
    const { receiver, place } = this.#options
    await receiver.process?.kill()
    await receiver.process?.start(place).catch((error: Error) => {
      throw new ReceiverFailed(`it did not restart: ${error.message}`, error)
    })
  }

  #settle = () => settle(this.#options.read, { quietMs: this.#options.quietMs })

  #usualMs = (at: number): number => this.#options.usual?.find((each) => each.at === at)?.ms ?? 0
}

/** Time in which a webhook reaches a process that is stopped. */
const LANDING_MS = 30
/** Within a shorter response, nothing can be done to a receiver reliably. */
const SHORT_MS = 30

/** Posts a webhook; returns the status, or 0 where no response came. */
function post(to: string, { headers, body }: Copy): Promise<number> {
  const url = new URL(to)
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    // A connection of its own, because the receiver may have been killed since the last one.
    const options = { method: 'POST', headers, agent: false, timeout: RESPONSE_MAX_MS }
    const sent = request(url, options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve(0))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody listens, which is not what a webhook can lead to.
      if (error.code === 'ECONNREFUSED')
        reject(new ReceiverFailed(`${to} refused the connection`, error))
      else resolve(0)
    })
    const isChunked = headers['transfer-encoding'] === 'chunked'
    if (!isChunked) sent.setHeader('Content-Length', body.length)
    else sent.write(body.subarray(0, body.length / 2))
    sent.end(isChunked ? body.subarray(body.length / 2) : body)
  })
}
