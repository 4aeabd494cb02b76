import http from 'node:http'
import https from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { type Json, parseJson } from '../client/http.ts'
import { withoutFraming } from '../client/pass-on.ts'
import type { Received } from '../client/receiver.ts'
import { realTime } from '../real-time.ts'
import { RelayedCalls } from './calls.ts'
import type { Disturbance, Missed } from './disturbance.ts'
import { type Copy, forge, mutate } from './forge.ts'
import type { StoryReceiver, WorldAccess } from './receiver-commands.ts'

/** One run of a story: what is done to its deliveries on their way to the receiver. */
export interface RelayRun {
  receiver: StoryReceiver
  place: WorldAccess
  disturbances: readonly Disturbance[]
  /** Reads the state of the receiver once it is quiet. */
  readQuietState(): Promise<unknown>
  /** Reads the state of the receiver as it is now. */
  readState(): Promise<unknown>
  /** Called after each response of the receiver. */
  onResponse(): Promise<void> | void
  /** Notes which deliveries change the state. */
  isWatched: boolean
  /** Time in which the receiver handles each delivery undisturbed. */
  handledMs?: readonly number[] | undefined
  /** Share of that time after which a receiver is killed; half of it by default. */
  killShare?: number | undefined
}

/** A delivery that came from the sandbox. */
export interface Arrival {
  at: number
  status: string
  eventId: string | null
  /** Number of steps that the clock had made by then. */
  clockSteps: number
  /** Time that the receiver took to respond. */
  handledMs: number
  /** Status code of its response; 0 before there is one. */
  response: number
  /** True if the state changed with it, in a run that watches that. */
  isShown: boolean
}

/** The states of the receiver before and after a copy that should have changed nothing. */
export interface Forged {
  /** What is wrong with the copy. */
  flaw: string
  before: unknown
  after: unknown
}

/** Posts to the world of the run. */
export type CallWorld = (path: string, input: object) => Promise<Json>

type Held = Arrival &
  Copy & {
    /** Waits for the next step of the clock. */
    isLate: boolean
  }

type KilledEarly = Extract<Disturbance, { when: 'before its response' }>

const RESPONSE_MAX_MS = 10_000
/** A receiver that responds faster than this cannot reliably be killed first. */
export const QUICK_MS = 25

/** Deliveries of one run on their way to the receiver, one at a time. */
export class RelayedStory {
  readonly arrivals: Arrival[] = []
  readonly calls: RelayedCalls
  /** Status codes other than 2xx, in response to unknown events. */
  readonly refusals: number[] = []
  forged: Forged | undefined
  clockSteps = 0
  isPlaying = true
  /** Response time of the receiver, if it responded before it could be killed. */
  missedKillMs: number | undefined
  readonly #run: RelayRun
  readonly #secret: string
  #held: Held[] = []
  #ending: Held[] = []
  #order: readonly number[]
  /** Webhooks to which the receiver has not responded yet. */
  #handling = 0
  #failure: unknown
  #isLeftUndone = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(run: RelayRun, call: CallWorld) {
    this.#run = run
    this.#secret = run.place.signingSecret
    this.#order = run.disturbances.flatMap((each) => (each.kind === 'order' ? each.order : []))
    this.calls = new RelayedCalls({
      disturbances: run.disturbances,
      callWorld: call,
      isHandling: () => this.#handling > 0,
    })
  }

  /** Takes a webhook of the sandbox. */
  async take({ body: text, bytes, headers }: Received): Promise<void> {
    const json: Json = parseJson(text)
    const at = this.arrivals.length
    const delivery: Held = {
      at,
      status: json?.payload?.status ?? json?.status ?? '',
      eventId: json?.id ?? json?.eventId ?? null,
      clockSteps: this.clockSteps,
      handledMs: 0,
      response: 0,
      isShown: false,
      headers: withoutFraming(headers),
      body: bytes,
      isLate: this.#find(at, 'late') !== undefined,
    }
    this.arrivals.push(delivery)
    this.#held.push(delivery)
    await this.#pump()
  }

  /** Notes that the story has moved its clock. */
  async moveClock(): Promise<void> {
    this.clockSteps++
    for (const each of this.#held) each.isLate &&= each.clockSteps === this.clockSteps
    await this.#pump()
  }

  /** Sends what is still held. */
  async finish(): Promise<void> {
    this.isPlaying = false
    this.#isLeftUndone = this.#run.disturbances.some((each) => this.#isUndone(each))
    this.#order = []
    for (const each of this.#held) each.isLate = false
    await this.#pump(true)
    const ending = this.#ending.sort((a, b) => a.at - b.at)
    for (const each of ending) await this.#inTurn(() => this.#deliver(each))
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Says why a disturbance did not happen: something never came, or came only because of another. */
  get missed(): Missed | undefined {
    const [why] = this.#run.disturbances.flatMap((each) => this.#findMissing(each) ?? [])
    return why ?? (this.#isLeftUndone ? { why: 'depends' } : this.calls.missed)
  }

  #findMissing(each: Disturbance): Missed | undefined {
    if (each.kind === 'call') return undefined
    const places = placesOf(each)
    const at = places.find((place) => place >= this.arrivals.length)
    return at === undefined ? undefined : { why: 'never came', at }
  }

  /** Recognises webhooks that are still waiting for another one when the story has ended. */
  #isUndone(each: Disturbance): boolean {
    if (each.kind === 'order') return this.#order.length > 0
    if (each.kind === 'late') return this.#held.some(({ at, isLate }) => at === each.at && isLate)
    return each.kind === 'together' && this.#held.some(({ at }) => at === each.at)
  }

  #find<Kind extends Disturbance['kind']>(at: number, kind: Kind) {
    return this.#run.disturbances.find(
      (each): each is Extract<Disturbance, { kind: Kind; at: number }> =>
        each.kind === kind && 'at' in each && each.at === at,
    )
  }

  /** Sends the deliveries whose turn has come. */
  async #pump(isEnd = false): Promise<void> {
    for (;;) {
      const next = this.#held.find((each) => this.#mayGo(each, isEnd))
      if (next === undefined) break
      const partner = this.#partnerOf(next)
      this.#held = this.#held.filter((each) => each !== next && each !== partner)
      this.#order = this.#order.slice(1)
      this.#inTurn(() => this.#sendWith(partner, next)).catch((error) => {
        this.#failure ??= error
      })
    }
    await this.#turn
  }

  #mayGo({ at, isLate }: Held, isEnd: boolean): boolean {
    if (isLate || (this.#order.length > 0 && this.#order[0] !== at)) return false
    const waits = this.#find(at, 'together') && this.arrivals.length <= at + 1
    return isEnd || !waits
  }

  #inTurn(act: () => Promise<unknown>): Promise<unknown> {
    const done = this.#turn.then(act)
    this.#turn = done.catch(() => undefined)
    return done
  }

  #partnerOf({ at }: Held): Held | undefined {
    if (!this.#find(at, 'together')) return undefined
    return this.#held.find((each) => each.at === at + 1)
  }

  /** Sends two deliveries at once; what goes first is written first, or makes the other one wait. */
  async #sendWith(partner: Held | undefined, delivery: Held): Promise<void> {
    if (partner === undefined) return await this.#send(delivery)
    const isEarlierFirst = this.#find(delivery.at, 'together')?.first === 'earlier'
    const both = isEarlierFirst ? [delivery, partner] : [partner, delivery]
    await Promise.all(both.map((each) => this.#send(each)))
  }

  async #send(delivery: Held): Promise<void> {
    if (!this.#run.isWatched) return await this.#sendDisturbed(delivery)
    const before = await this.#run.readQuietState()
    await this.#sendDisturbed(delivery)
    delivery.isShown = !isDeepStrictEqual(before, await this.#run.readState())
  }

  async #sendDisturbed(delivery: Held): Promise<void> {
    const { at } = delivery
    if (this.#find(at, 'lost')) return
    await this.#sendBefore(delivery)
    const sent = this.#reword(delivery)
    const killed = this.#find(at, 'killed')
    // Only this delivery may be under way when it is killed.
    if (killed) await this.#run.readQuietState()
    if (killed?.when === 'before its response') return await this.#killWhile(sent, killed)
    const startedAt = realTime.elapsed()
    const delivered = this.#deliver(sent, () => {
      delivery.handledMs = realTime.elapsed() - startedAt
    })
    delivery.response = await delivered
    if (killed) await this.#killAndStart()
    const doubled = this.#find(at, 'doubled')
    if (doubled?.when === 'at once') await this.#deliver(sent)
    if (doubled?.when === 'at the end') this.#ending.push({ ...delivery, ...sent })
  }

  /** Sends what comes before a delivery: a forged copy or an unknown event. */
  async #sendBefore(delivery: Held): Promise<void> {
    const { at } = delivery
    const forgery = this.#find(at, 'forged')
    if (forgery) await this.#sendForged(forge(delivery, forgery.how, this.#secret))
    const unknown = this.#find(at, 'unknown')
    if (!unknown) return
    const status = await this.#deliver(mutate(delivery, `unknown-${unknown.what}`, this.#secret))
    if (status < 200 || status >= 300) this.refusals.push(status)
  }

  /** Sends forged copies until one of them changes the state. */
  async #sendForged(copies: ReturnType<typeof forge>): Promise<void> {
    if (this.forged !== undefined) return
    const before = await this.#run.readQuietState()
    for (const { flaw, copy } of copies) {
      await this.#deliver(copy)
      const after = await this.#run.readQuietState()
      if (isDeepStrictEqual(before, after)) continue
      this.forged = { flaw, before, after }
      return
    }
  }

  #reword(delivery: Held): Copy {
    const reworded = this.#find(delivery.at, 'reworded')
    if (reworded) return mutate(delivery, reworded.how, this.#secret)
    const isRenamed = this.#run.disturbances.some(({ kind }) => kind === 'renamed')
    return isRenamed ? mutate(delivery, 'eventId', this.#secret) : delivery
  }

  /** Kills the receiver between a webhook and its response, unless it is quicker. */
  async #killWhile(copy: Copy, { at, moment = 'half-way' }: KilledEarly): Promise<void> {
    const { receiver } = this.#run
    const before = moment === 'first change' ? await this.#run.readState() : undefined
    // A process that is stopped gets the webhook, and cannot respond any more.
    if (moment === 'receipt') receiver.process?.stop()
    const startedAt = realTime.elapsed()
    const { isSent, status } = post(receiver.url, copy)
    const respondedMs = status.then(
      () => realTime.elapsed() - startedAt,
      () => undefined,
    )
    await Promise.race([isSent, respondedMs])
    if (moment === 'half-way') await this.#waitHalfWay(at, respondedMs)
    if (moment === 'first change') await this.#waitForChange(before, respondedMs)
    const killed = this.#killAndStart()
    // The response may have been on its way when the receiver was killed.
    this.missedKillMs ??= await respondedMs
    await killed
  }

  async #waitHalfWay(at: number, responded: Promise<unknown>): Promise<void> {
    const { handledMs = [], killShare = 0.5 } = this.#run
    const others = this.arrivals.map((arrival) => arrival.handledMs).filter((ms) => ms > 0)
    const usual = others.sort((a, b) => a - b)[Math.floor(others.length / 2)]
    const waitMs = (handledMs[at] ?? usual ?? QUICK_MS) * killShare
    // Even a timer of 0 ms takes a millisecond.
    if (waitMs > 0) await Promise.race([responded, realTime.pause(waitMs)])
  }

  async #waitForChange(before: unknown, responded: Promise<unknown>): Promise<void> {
    let isOver = false
    void responded.then(() => {
      isOver = true
    })
    while (!isOver) {
      // A receiver that was killed meanwhile responds to nothing.
      const now = await this.#run.readState().catch(() => before)
      if (!isDeepStrictEqual(now, before)) return
    }
  }

  async #killAndStart(): Promise<void> {
    const { receiver, place } = this.#run
    await receiver.process?.kill()
    await receiver.process?.start(place)
  }

  async #deliver(copy: Copy, onStatus = () => {}): Promise<number> {
    this.#handling++
    const posted = post(this.#run.receiver.url, copy).status.finally(() => this.#handling--)
    // A receiver may close the connection of a webhook that it does not want.
    const isDisturbed = this.#run.disturbances.length > 0
    const status = await (isDisturbed ? posted.catch(() => 0) : posted)
    onStatus()
    await this.#run.onResponse()
    return status
  }
}

/** The deliveries that must come before a disturbance can happen. */
function placesOf(each: Disturbance): readonly number[] {
  if (each.kind === 'order') return each.order
  if (each.kind === 'renamed') return [0]
  return each.kind === 'together' ? [each.at, each.at + 1] : [each.at]
}

function post(to: string, { headers, body }: Copy) {
  const url = new URL(to)
  const { request } = url.protocol === 'https:' ? https : http
  // A connection of its own, because the receiver may have been killed since the last one.
  const sent = request(url, { method: 'POST', headers, agent: false, timeout: RESPONSE_MAX_MS })
  sent.setHeader('Content-Length', body.length)
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('it did not respond within 10 s')))
    sent.on('error', (error) => reject(new Error(`${to} took no webhook: ${error.message}.`)))
  })
  const isSent = new Promise<void>((resolve) => sent.end(body, resolve))
  return { status, isSent }
}
