import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { type Fetch, type Json, parseJson } from '../client/http.ts'
import { passOn, withoutFraming } from '../client/pass-on.ts'
import { createReceiver, type Received } from '../client/receiver.ts'
import { realTime } from '../real-time.ts'
import type { StoryReceiver, WorldAccess } from './receiver-commands.ts'

/** A mishap of one delivery, by its place in the undisturbed story; `order` is of all of them. */
export type Disturbance =
  /** The places in the order in which they come. */
  | { kind: 'order'; order: readonly number[] }
  | { kind: 'doubled'; at: number; when: 'at once' | 'at the end' }
  | { kind: 'lost'; at: number }
  /** Before the response of the call that causes it. */
  | { kind: 'early'; at: number }
  /** Only after the next step of the clock. */
  | { kind: 'late'; at: number }
  /** A copy that must change nothing comes first. */
  | { kind: 'forged'; at: number; how: Forgery }
  | { kind: 'killed'; at: number; when: 'before its response' | 'after its response' }

export type Forgery = 'signature' | 'timestamp' | 'body'

/** Whether a receiver can only find out by asking. */
export const isLoss = (disturbance: Disturbance): boolean =>
  disturbance.kind === 'lost' ||
  (disturbance.kind === 'killed' && disturbance.when === 'before its response')

/** One run of a story: what is done to its deliveries on their way to the receiver. */
export interface RelayRun {
  receiver: StoryReceiver
  place: WorldAccess
  disturbances: readonly Disturbance[]
  killAfterMs: number
  /** How long a receiver may go on with what it has responded to, before a copy is forged. */
  pauseMs: number
}

/** A delivery that came from the sandbox. */
export interface Arrival {
  at: number
  status: string
  eventId: string | null
  /** How often the clock had been moved by then. */
  clockSteps: number
  /** How long the receiver took to respond. */
  handledMs: number
  /** Status code of its response; 0 before there is one. */
  response: number
}

/** The states of the receiver before and after a copy that should have changed nothing. */
export interface Forged {
  before: unknown
  after: unknown
}

interface Held extends Arrival {
  headers: Record<string, string>
  body: Buffer
  /** Waits for the next step of the clock. */
  isLate: boolean
}

const RESPONSE_MAX_MS = 10_000
const STALE_SECONDS = 301

export type Relay = Awaited<ReturnType<typeof openRelay>>

/** A path that neither the contract nor the control API has. */
const WEBHOOKS = '/webhooks-of-the-story'

interface RelayOptions {
  /** 0 picks a free one. */
  port: number
  send: Fetch
}

/**
 * One address for the worlds of all runs: their webhooks come there, and go to the receiver as
 * disturbed as they shall be; and the receiver finds the API there, where it was told.
 */
export async function openRelay({ port, send }: RelayOptions) {
  let base = ''
  let story: RelayedStory | undefined
  const opening = createReceiver({
    port,
    keep: 0,
    respond: (request) =>
      request.path === WEBHOOKS
        ? story?.take(request)
        : passOn(request, base + request.path, { fetch: send }),
  })
  const { url, close } = await opening.catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The API cannot be offered at port ${port}: ${error.message}.`)
  })
  return {
    ...{ url, close },
    webhookUrl: url + WEBHOOKS,
    /** Calls go to the world at this base URL from now on. */
    lead(to: string) {
      base = to
    },
    begin(run: RelayRun): RelayedStory {
      story = relayStory(run)
      return story
    },
  }
}

type RelayedStory = ReturnType<typeof relayStory>

function relayStory({ receiver, place, disturbances, killAfterMs, pauseMs }: RelayRun) {
  const arrivals: Arrival[] = []
  let held: Held[] = []
  const ending: Held[] = []
  let order = disturbances.flatMap((each) => (each.kind === 'order' ? each.order : []))
  let clockSteps = 0
  let forged: Forged | undefined
  let failure: unknown
  /** One at a time, in the order in which they may go. */
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async take({ body: text, bytes, headers }: Received): Promise<undefined> {
      const json: Json = parseJson(text)
      const at = arrivals.length
      const delivery: Held = {
        at,
        status: json?.payload?.status ?? json?.status ?? '',
        eventId: json?.id ?? json?.eventId ?? null,
        ...{ clockSteps, handledMs: 0, response: 0 },
        headers: withoutFraming(headers),
        body: bytes,
        isLate: find(at, 'late') !== undefined,
      }
      arrivals.push(delivery)
      held.push(delivery)
      await pump()
    },
    /** The story has moved its clock. */
    async moveClock() {
      clockSteps++
      for (const each of held) each.isLate = each.isLate && each.clockSteps === clockSteps
      await pump()
    },
    /** Sends what is still held; says what came, and what a forged copy changed. */
    async finish() {
      order = []
      for (const each of held) each.isLate = false
      await pump()
      for (const each of ending.sort((a, b) => a.at - b.at)) await inTurn(() => deliver(each))
      if (failure !== undefined) throw failure
      return { arrivals, forged, clockSteps }
    },
  }

  function find<Kind extends Disturbance['kind']>(at: number, kind: Kind) {
    return disturbances.find(
      (each): each is Extract<Disturbance, { kind: Kind; at: number }> =>
        each.kind === kind && 'at' in each && each.at === at,
    )
  }

  /** Sends what may go by now. */
  async function pump() {
    for (;;) {
      const next = held.find((each) => !each.isLate && (order.length === 0 || each.at === order[0]))
      if (next === undefined) break
      held = held.filter((each) => each !== next)
      order = order.slice(1)
      inTurn(() => send(next)).catch((error) => {
        failure ??= error
      })
    }
    await turn
  }

  function inTurn(act: () => Promise<unknown>): Promise<unknown> {
    const done = turn.then(act)
    turn = done.catch(() => undefined)
    return done
  }

  async function send(delivery: Held) {
    const { at } = delivery
    if (find(at, 'lost')) return
    const forgery = find(at, 'forged')
    if (forgery) await sendForged(delivery, forgery.how)
    const killed = find(at, 'killed')
    if (killed?.when === 'before its response') return await killWhile(delivery)
    const startedAt = performance.now()
    delivery.response = await deliver(delivery)
    delivery.handledMs = performance.now() - startedAt
    if (killed) await killAndStart()
    const doubled = find(at, 'doubled')
    if (doubled?.when === 'at once') await deliver(delivery)
    if (doubled?.when === 'at the end') ending.push(delivery)
  }

  async function sendForged(delivery: Held, how: Forgery) {
    if (pauseMs > 0) await realTime.pause(pauseMs)
    const before = await receiver.state(place)
    await deliver(forge(delivery, how, place.signingSecret))
    const after = await receiver.state(place)
    if (!isDeepStrictEqual(before, after)) forged ??= { before, after }
  }

  async function killWhile(delivery: Held) {
    const { isSent, status } = post(receiver.url, delivery)
    status.catch(() => undefined)
    await Promise.race([isSent, status])
    await realTime.pause(killAfterMs)
    await killAndStart()
  }

  async function killAndStart() {
    await receiver.process?.kill()
    await receiver.process?.start(place)
  }

  function deliver(delivery: Pick<Held, 'headers' | 'body'>) {
    return post(receiver.url, delivery).status
  }
}

function post(to: string, { headers, body }: Pick<Held, 'headers' | 'body'>) {
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

function forge({ headers, body }: Held, how: Forgery, secret: string) {
  const nameOf = (word: string) => Object.keys(headers).find((name) => name.endsWith(word)) ?? ''
  const [timestamp, signature] = [nameOf('-timestamp'), nameOf('-signature')]
  if (how === 'body') return { headers, body: changeBody(body.toString()) }
  if (how === 'signature') {
    const wrong = headers[signature]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')) ?? ''
    return { headers: { ...headers, [signature]: wrong }, body }
  }
  const at = String(Number(headers[timestamp]) - STALE_SECONDS)
  const digest = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
  return { headers: { ...headers, [timestamp]: at, [signature]: `v1=${digest}` }, body }
}

/** Another status and ten times the amount, in as many bytes as it takes. */
function changeBody(text: string): Buffer {
  const json = parseJson(text)
  const { status, leftSideValue } = json.payload ?? json
  const other = status === 'complete' || status === 'verified' ? 'expired' : 'complete'
  const changed = text
    .replace(`"status":"${status}"`, `"status":"${other}"`)
    .replace(`"leftSideValue":${leftSideValue}`, `"leftSideValue":${leftSideValue * 10}`)
  return Buffer.from(changed)
}
