import type { DeliveryRecord, EventPayloads, MessageRecord } from '../../control-api/wire.ts'
import { control } from './api.ts'
import { sendToApp } from './app.ts'
import { onUserUpdate } from './onboarding.ts'
import { onTransactionUpdate } from './orders.ts'
import { change, log, state } from './store.ts'

/** Webhooks lead to calls, which lead to webhooks. */
const ROUNDS_MAX = 6
const WEBHOOK_WAITS_MAX = 100
const WEBHOOK_WAIT_MS = 300

/** Counts of what the stream has reported, in all and before the last read began. */
let [reports, reportsRead] = [0, 0]

export const noteReport = (): number => reports++

/** True if something was reported that no read can have seen. */
export const isBehind = (): boolean => reportsRead < reports

/** Reads the world's time, and where its lists end. */
async function readPresent() {
  reportsRead = reports
  const { cursors, now, mode } = await control<'info'>('GET', '/info')
  readAt = performance.now()
  readNow = Date.parse(now)
  change({ now: readNow, mode })
  return cursors
}

/** Lets the server act on the webhooks that came, and reads the messages, until nothing is new. */
export async function followUp(): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { deliveries, inbox } = await readPresent()
    if (deliveries === state.cursors.deliveries && inbox === state.cursors.inbox) return
    for (const delivery of await readDeliveries()) await receive(delivery)
    for (const message of await readMessages()) deliver(message)
  }
}

/** Reads webhooks for the wallet's server, once none of them is on its way any more. */
async function readDeliveries(): Promise<DeliveryRecord[]> {
  const path = `/webhooks/deliveries?after=${state.cursors.deliveries}`
  for (let wait = 0; ; wait++) {
    const { deliveries, cursor } = await control<'webhooks.deliveries'>('GET', path)
    const ours = deliveries.filter(isOurs)
    if (wait === WEBHOOK_WAITS_MAX || ours.every(({ outcome }) => outcome !== 'pending')) {
      change({ cursors: { ...state.cursors, deliveries: cursor } })
      return ours
    }
    // Not for longer, because those to the developer's app may take their time.
    await control('POST', '/webhooks/drain', { timeout: WEBHOOK_WAIT_MS })
  }
}

/** Leaves out what went to the developer's app, and the webhooks of other wallets in this world. */
const isOurs = (delivery: DeliveryRecord): boolean =>
  delivery.url === state.world.catchUrl && eventOf(delivery).payload.email === state.email

type Update = {
  [Type in keyof EventPayloads]: { type: Type; payload: EventPayloads[Type] }
}[keyof EventPayloads]

const eventOf = ({ request }: DeliveryRecord): Update => JSON.parse(request.body)

/** A webhook reaches the integrator's server, which checks its signature before anything else. */
async function receive(delivery: DeliveryRecord): Promise<void> {
  const { outcome, request, occurredAt } = delivery
  const { type, payload } = eventOf(delivery)
  const isDelivered = outcome === 'delivered'
  const wrong = isDelivered ? await findWrong(delivery) : whyLost(delivery)
  const group = log({
    kind: 'webhook',
    title: `${type}: ${payload.status}`,
    result: isDelivered ? 'delivered' : 'lost',
    isBad: wrong !== undefined,
    note: wrong ?? noteOf(payload),
    parts: [
      ['Body, as sent', request.body],
      ['Headers', formatHeaders(request.headers)],
    ],
  })
  if (isDelivered) sendToApp(delivery, group)
  if (wrong !== undefined) return
  const sentAt = Date.parse(occurredAt)
  if (type === 'user.update') await onUserUpdate(payload.status, sentAt)
  if (type === 'transaction.update') await onTransactionUpdate(payload, sentAt)
}

/** Says why the server ignores a webhook that reached it; undefined for a genuine one. */
async function findWrong({ id }: DeliveryRecord): Promise<string | undefined> {
  const given = { id, secret: state.world.signingSecret }
  const found = await control<'webhooks.explain'>('POST', '/webhooks/explain', given)
  return found.valid ? undefined : `ignored: ${found.problems[0]?.message}`
}

const whyLost = ({ reason, error, response, outcome }: DeliveryRecord): string =>
  (isDropped({ outcome, reason }) ? 'Lost on purpose: it was never sent.' : reason) ??
  error ??
  (response ? `The server responded with ${response.status}.` : outcome)

/** Recognises a webhook that a fault kept from being sent. */
const isDropped = ({ outcome, reason }: Pick<DeliveryRecord, 'outcome' | 'reason'>) =>
  outcome === 'suppressed' && reason?.startsWith('fault_')

function noteOf(payload: Update['payload']): string {
  const answer = 'etransferSecurityAnswer' in payload && payload.etransferSecurityAnswer
  return answer && payload.status === 'complete'
    ? `signature verified · Security answer: ${answer}`
    : 'signature verified'
}

const formatHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

async function readMessages(): Promise<MessageRecord[]> {
  const email = encodeURIComponent(state.email)
  const path = `/inbox?email=${email}&after=${state.cursors.inbox}`
  const { messages, cursor } = await control<'inbox.read'>('GET', path)
  change({ cursors: { ...state.cursors, inbox: cursor } })
  return messages
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
