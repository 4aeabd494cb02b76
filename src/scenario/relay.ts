import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../client/http.ts'
import { realTime } from '../real-time.ts'
import type { Disturbance, Forgery } from './disturbances.ts'
import type { StoryReceiver, WorldAccess } from './receiver-commands.ts'

/** One run of a story: what is done to its deliveries on their way to the receiver. */
export interface RelayRun {
  receiver: StoryReceiver
  place: WorldAccess
  disturbances: readonly Disturbance[]
  killAfterMs: number
  /** How long a receiver may go on with what it has responded to, before a copy is forged. */
  settleMs: number
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

/** Takes the webhooks of a story, and sends them to its receiver as disturbed as they shall be. */
export interface Relay {
  readonly url: string
  begin(run: RelayRun): void
  /** The story has moved its clock. */
  moveClock(): Promise<void>
  /** Sends what is still held; says what came, and what a forged copy changed. */
  finish(): Promise<{ arrivals: Arrival[]; forged: Forged | undefined; clockSteps: number }>
  close(): Promise<void>
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

export async function openRelay(): Promise<Relay> {
  let run: RelayRun | undefined
  let arrivals: Arrival[] = []
  let held: Held[] = []
  let ending: Held[] = []
  let order: number[] = []
  let clockSteps = 0
  let forged: Forged | undefined
  let failure: unknown
  /** One at a time, in the order in which they may go. */
  let turn: Promise<unknown> = Promise.resolve()
  const server = http.createServer(async (request, response) => {
    await take(request).catch((error) => {
      failure ??= error
    })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    begin(next) {
      run = next
      const orders = next.disturbances.filter((each) => each.kind === 'order')
      order = orders.flatMap((each) => each.order)
      arrivals = []
      held = []
      ending = []
      clockSteps = 0
      forged = undefined
      failure = undefined
    },
    async moveClock() {
      clockSteps++
      for (const each of held) each.isLate = each.isLate && each.clockSteps === clockSteps
      await pump()
    },
    async finish() {
      order = []
      for (const each of held) each.isLate = false
      await pump()
      const doubles = ending.sort((a, b) => a.at - b.at)
      for (const each of doubles) await inTurn(() => deliver(each).then(() => undefined))
      if (failure !== undefined) throw failure
      return { arrivals, forged, clockSteps }
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }

  async function take(request: IncomingMessage) {
    const body = await buffer(request)
    const { id, eventId, payload, status } = parse(body)
    const at = arrivals.length
    const arrival = {
      at,
      status: payload?.status ?? status ?? '',
      clockSteps,
      handledMs: 0,
      response: 0,
    }
    const delivery: Held = {
      ...arrival,
      eventId: id ?? eventId ?? null,
      headers: headersOf(request),
      body,
      isLate: find(at, 'late') !== undefined,
    }
    arrivals.push(delivery)
    held.push(delivery)
    await pump()
  }

  function find<Kind extends Disturbance['kind']>(at: number, kind: Kind) {
    return run?.disturbances.find(
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
      order.shift()
      void inTurn(() => send(next)).catch((error) => {
        failure ??= error
      })
    }
    await turn
  }

  function inTurn(act: () => Promise<void>): Promise<void> {
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
    const { receiver, place, settleMs } = theRun()
    if (settleMs > 0) await realTime.pause(settleMs)
    const before = await receiver.state(place)
    await deliver(forge(delivery, how, place.signingSecret))
    const after = await receiver.state(place)
    if (!isDeepStrictEqual(before, after)) forged ??= { before, after }
  }

  async function killWhile({ headers, body }: Held) {
    const { receiver, killAfterMs } = theRun()
    const { isSent, status } = post(receiver.url, headers, body)
    status.catch(() => undefined)
    await Promise.race([isSent, status])
    await realTime.pause(killAfterMs)
    await killAndStart()
  }

  async function killAndStart() {
    const { receiver, place } = theRun()
    await receiver.process?.kill()
    await receiver.process?.start(place)
  }

  async function deliver({ headers, body }: Pick<Held, 'headers' | 'body'>) {
    return await post(theRun().receiver.url, headers, body).status
  }

  function theRun(): RelayRun {
    if (run) return run
    throw new Error('No story is being played.')
  }
}

const DROPPED = /^(host|connection|content-length|transfer-encoding)$/i

/** As they were sent, their case included. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : []))
  return Object.fromEntries(pairs.filter(([name = '']) => !DROPPED.test(name)))
}

function parse(body: Buffer): Json {
  try {
    return JSON.parse(body.toString()) ?? {}
  } catch {
    return {}
  }
}

function post(to: string, headers: Record<string, string>, body: Buffer) {
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
  const names = Object.keys(headers)
  const [timestamp = '', signature = ''] = ['timestamp', 'signature'].map(
    (word) => names.find((name) => name.toLowerCase().endsWith(`-${word}`)) ?? '',
  )
  if (how === 'body') return { headers, body: changeBody(body) }
  if (how === 'signature') {
    const wrong = headers[signature]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')) ?? ''
    return { headers: { ...headers, [signature]: wrong }, body }
  }
  const at = String(Number(headers[timestamp]) - STALE_SECONDS)
  const digest = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
  return { headers: { ...headers, [timestamp]: at, [signature]: `v1=${digest}` }, body }
}

/** Another status and ten times the amount, in as many bytes as it takes. */
function changeBody(body: Buffer): Buffer {
  const text = body.toString()
  const json = parse(body)
  const { status, leftSideValue } = json.payload ?? json
  const other = status === 'complete' || status === 'verified' ? 'expired' : 'complete'
  const changed = text
    .replace(`"status":"${status}"`, `"status":"${other}"`)
    .replace(`"leftSideValue":${leftSideValue}`, `"leftSideValue":${leftSideValue * 10}`)
  return Buffer.from(changed)
}
