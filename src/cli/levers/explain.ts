import type { Sandbox } from '../../client/client.ts'
import type { DeliveryRecord, EventRecord, TransactionRecord } from '../../levers/wire.ts'
import { describeMutated } from '../../webhooks/delivery.ts'
import { shortenStatus } from '../log-format.ts'
import { formatDelivery, formatEvent, formatHint, formatTransaction, lines } from './format.ts'

/** A row as JSON and in sentences. */
export interface Explained {
  response: object
  text: string
}

/** Explains a webhook, an event or a transaction by its id; a call is a lever of its own. */
export async function explain(sandbox: Sandbox, id: string): Promise<Explained> {
  if (id.startsWith('dlv_')) return explainDelivery(sandbox, id)
  if (id.startsWith('act_')) return explainAction(sandbox, id)
  const [event] = id.startsWith('evt_') ? await sandbox.events.list({ id }) : []
  return event ? explainEvent(sandbox, event) : explainTransaction(sandbox, id)
}

async function explainDelivery({ webhooks }: Sandbox, id: string): Promise<Explained> {
  const delivery = await webhooks.delivery(id)
  const attempts = await webhooks.deliveries({ eventId: delivery.eventId })
  const others = attempts.filter((one) => one.id !== id && one.url === delivery.url)
  const text = lines([
    `${delivery.occurredAt}  ${formatDelivery(delivery)}`,
    describeResult(delivery),
    formatHint(delivery),
    `event: ${delivery.eventId}`,
    formatCause(delivery),
    ...(delivery.response?.body ? [`response: ${delivery.response.body.split('\n', 1)}`] : []),
    ...others.map((other) => `also sent: ${formatDelivery(other)}`),
    delivery.failed ? `to send it again: ramp-sandbox webhook resend ${id}` : '',
  ])
  return { response: delivery, text }
}

/** A failed attempt that was repeated with success does not count as failed. */
function describeResult(delivery: DeliveryRecord): string {
  const { failed, outcome, mutation } = delivery
  if (outcome === 'pending') return 'It is still under way.'
  if (outcome === 'suppressed') return 'It was not sent.'
  if (mutation !== null) return describeMutated(mutation, delivery)
  if (failed) return 'It failed: no attempt was acknowledged with a 2xx status.'
  return outcome === 'delivered' ? 'It arrived.' : 'It failed, but another attempt succeeded.'
}

async function explainAction({ actions }: Sandbox, id: string): Promise<Explained> {
  const action = await actions.get(id)
  const { at, operation, subject, problem, caused } = action
  const text = lines([
    `${id}  ${at}  ${[operation, subject].filter(Boolean).join(' ')}`,
    problem ?? '',
    ...(caused?.events ?? []).map((event) => `caused: ${formatEvent(event)}`),
    ...(caused?.deliveries ?? []).map((delivery) => `caused: ${formatDelivery(delivery)}`),
  ])
  return { response: action, text }
}

async function explainEvent({ webhooks }: Sandbox, event: EventRecord): Promise<Explained> {
  const deliveries = await webhooks.deliveries({ eventId: event.id })
  const text = lines([formatEvent(event), formatCause(event), ...formatWebhooks(deliveries)])
  return { response: { event, deliveries }, text }
}

async function explainTransaction(sandbox: Sandbox, id: string): Promise<Explained> {
  const transaction = await sandbox.transactions.get(id)
  const deliveries = await sandbox.webhooks.deliveries({ ref: transaction.id })
  const text = lines([
    formatTransaction(transaction),
    ...transaction.history.map(({ at, status }) => `${at}  ${status}`),
    formatNext(transaction),
    ...formatWebhooks(deliveries),
  ])
  return { response: { transaction, deliveries }, text }
}

function formatNext({ expiresAt, allowed }: TransactionRecord): string {
  if (allowed.length === 0) return 'It is final.'
  const next = `It can change to: ${allowed.map(shortenStatus).join(', ')}.`
  return expiresAt === null ? next : `${next} It expires at ${expiresAt}.`
}

function formatWebhooks(deliveries: readonly DeliveryRecord[]): string[] {
  if (deliveries.length === 0) return ['No webhook about it is kept.']
  return deliveries.map((delivery) => `webhook: ${formatDelivery(delivery)}`)
}

function formatCause({ cause }: Pick<EventRecord, 'cause'>): string {
  return cause === null ? '' : `caused by: ${[cause.id, cause.name].filter(Boolean).join(' ')}`
}
