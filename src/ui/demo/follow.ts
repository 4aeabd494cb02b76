import type {
  CaughtRequest,
  DeliveryRecord,
  MessageRecord,
  TransactionUpdate,
} from '../../levers/wire.ts'
import { catchName, control } from './api.ts'
import { onUserUpdate } from './onboarding.ts'
import { onTransactionUpdate } from './orders.ts'
import { change, log, state } from './store.ts'

/** Webhooks lead to calls, which lead to webhooks. */
const ROUNDS_MAX = 6
/** Time of this page at which nothing was left to follow. */
let followedAt = 0
const cursors = { deliveries: '0', inbox: '0', caught: '0' }
/** Requests to the built-in receiver, until their delivery is shown. */
let caught: CaughtRequest[] = []

/** Skips everything before the present. */
export async function skipHistory(): Promise<void> {
  const last = await readPresent()
  const { cursor } = await readCaught()
  Object.assign(cursors, { deliveries: last.deliveries, inbox: last.inbox, caught: cursor })
  caught = []
}

const readCaught = (query = '') =>
  control<'catches.requests'>('GET', `/catch/${catchName}/requests${query}`)

/** Reads the world's time, where its journals end, and how many webhooks still have to be sent. */
async function readPresent() {
  const askedAt = performance.now()
  const { cursors: ends, counts, now, mode } = await control<'info'>('GET', '/info')
  readAt = performance.now()
  readNow = Date.parse(now)
  change({ now: readNow, mode })
  return { ...ends, pending: counts.pendingDeliveries, askedAt }
}

/** True if everything was followed that happened until some time of this page. */
export const hasFollowed = (until: number): boolean => followedAt > until

/** Waits until all webhooks are sent, lets the server act on them, and reads the messages. */
export async function followUp(): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const last = await readWhenSent()
    if (last.deliveries === cursors.deliveries && last.inbox === cursors.inbox) {
      followedAt = last.askedAt
      return
    }
    for (const delivery of await readDeliveries()) await receive(delivery)
    for (const message of await readMessages()) deliver(message)
  }
}

/** Reads the present once all webhooks are sent. */
async function readWhenSent() {
  const present = await readPresent()
  if (present.pending === 0) return present
  await control<'webhooks.drain'>('POST', '/webhooks/drain')
  return readPresent()
}

async function readDeliveries(): Promise<DeliveryRecord[]> {
  const path = `/webhooks/deliveries?after=${cursors.deliveries}`
  const page = await control<'webhooks.deliveries'>('GET', path)
  cursors.deliveries = page.cursor
  if (page.deliveries.length === 0) return []
  const received = await readCaught(`?after=${cursors.caught}`)
  cursors.caught = received.cursor
  caught.push(...received.requests)
  return page.deliveries.filter(isOurs)
}

const payloadOf = ({ request }: DeliveryRecord) => {
  const body = JSON.parse(request.body)
  return body.payload ?? body
}

const isOurs = (delivery: DeliveryRecord): boolean => payloadOf(delivery).email === state.email

/** A webhook reaches the integrator's server, which checks its signature before anything else. */
async function receive(delivery: DeliveryRecord): Promise<void> {
  const { type, outcome, request, generation, hook, occurredAt } = delivery
  const payload = payloadOf(delivery)
  const isDelivered = outcome === 'delivered'
  const at = caught.findIndex((one) => one.body === request.body)
  const [got] = at < 0 ? [] : caught.splice(at, 1)
  const isTrusted = isDelivered && (got === undefined || got.signature === 'valid')
  log({
    kind: 'webhook',
    title: `${generation === 'v1' ? hook : type}: ${payload.status}`,
    result: isDelivered ? 'delivered' : 'lost',
    isBad: !isTrusted,
    note: isDelivered ? noteOf(got, payload) : whyLost(delivery),
    parts: [
      ['Body, as sent', request.body],
      ['Headers', formatHeaders(request.headers)],
    ],
  })
  if (!isTrusted || generation !== 'v2') return
  const sentAt = Date.parse(occurredAt)
  if (type === 'user.update') await onUserUpdate(payload.status, sentAt)
  else await onTransactionUpdate(payload, sentAt)
}

const formatHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
const whyLost = ({ reason, error, response, outcome }: DeliveryRecord): string =>
  reason ?? error ?? (response ? `The server responded with ${response.status}.` : outcome)

function noteOf(
  got: CaughtRequest | undefined,
  { status, etransferSecurityAnswer: answer }: TransactionUpdate,
): string {
  if (!answer || status !== 'complete') return checkOf(got)
  return `${checkOf(got)} · Security answer: ${answer}`
}

/** What the server found, by the check of the catch. */
const CHECKS: Readonly<Record<string, string>> = {
  valid: 'signature verified',
  stale: 'old timestamp: ignored',
  missing: 'no signature: ignored',
}

const checkOf = (got: CaughtRequest | undefined): string =>
  got === undefined ? 'received elsewhere' : (CHECKS[got.signature] ?? 'wrong signature: ignored')

async function readMessages(): Promise<MessageRecord[]> {
  const email = encodeURIComponent(state.email)
  const path = `/inbox?email=${email}&after=${cursors.inbox}`
  const page = await control<'inbox.read'>('GET', path)
  cursors.inbox = page.cursor
  return page.messages
}

const NOTICES: Readonly<Record<string, string>> = {
  'bank-refusal': 'Your bank did not send the e-transfer; its own limit may be lower. Try again.',
  payout: 'You have an e-transfer waiting at your bank.',
}

function deliver(message: MessageRecord): void {
  const { kind, code = '', to, subject, text, sentAt } = message
  log({ kind: 'message', title: `${to}: ${subject}`, result: 'sent', parts: [['Text', text]] })
  if (kind === 'login-code') change({ code })
  else change({ mail: { subject, text, sentAt: Date.parse(sentAt) } })
  const isWelcome = kind === 'kyc-result' && state.userStatus === 'verified'
  const notice = isWelcome ? 'You are verified. Welcome!' : NOTICES[kind]
  if (notice) change({ notice })
}

let readAt = performance.now()
let readNow = 0

/** Advances the displayed time of a running world. */
export function tick(): void {
  if (state.mode === 'running' && readNow > 0) {
    change({ now: readNow + performance.now() - readAt })
  }
}
