import { type DeliveryRecord, deliveryCells } from '../../control-api/deliveries.ts'
import { type EventRecord, eventCells } from '../../control-api/events.ts'
import type { Explanation } from '../../control-api/requests.ts'
import { joinCells, lines } from '../../control-api/text.ts'
import { type TransactionRecord, transactionCells } from '../../control-api/transactions.ts'
import type { Origin } from '../../engine/call-record.ts'
import { type Delivery, describeMutated, hadNoUrl } from '../../webhooks/delivery.ts'
import { DomainError } from '../../world/domain-error.ts'
import { findById } from '../../world/entries.ts'
import { plural } from '../../world/plural.ts'
import type { Transaction, WorldEvent } from '../../world/state.ts'
import { findAnyTransaction } from '../../world/transactions.ts'
import { toVisible } from '../../world/word-list.ts'
import { isSuspicious } from '../notes.ts'
import { type RequestContext, requestContext } from './context.ts'
import { implement } from './dialect.ts'
import { presentEvent } from './events.ts'
import { getAction, getRequest, presentAction, presentEffects, presentRequest } from './requests.ts'
import { presentTransaction } from './transactions.ts'
import { getDelivery, presentDelivery } from './webhooks.ts'

/** Webhooks that one explanation names. */
const ROWS_SHOWN_MAX = 100

export const explain = [
  implement('explain', ({ c, param }) => explainById(requestContext(c), param('id'))),
]

/** Says what became of a call, webhook, event, action or transaction. */
function explainById(context: RequestContext, id: string): Explanation {
  const { services } = context
  if (id === 'last') return explainLastRefused(context)
  const [kind] = id.split('_', 1)
  if (kind === 'req') return explainCall(context, id)
  if (kind === 'act') return explainAction(context, id)
  if (kind === 'dlv') return explainDelivery(context, getDelivery(services, id))
  // After a restore an event may come again under the same id.
  const event = findById(services.journal.events, id)
  if (event !== undefined) return explainEvent(context, event)
  if (kind === 'evt') {
    // The event of a test webhook is in no list.
    const [sent] = services.journal.deliveries.after(0).filter(({ eventId }) => eventId === id)
    if (sent !== undefined) return explainDelivery(context, sent)
    throw new DomainError('not-found', `There is no event ${id}.`, { field: 'id' })
  }
  const transaction = findAnyTransaction(services.world, id)
  if (transaction !== undefined) return explainTransaction(context, transaction)
  const message = `No call, webhook, event, action or transaction has the id ${toVisible(id)}.`
  throw new DomainError('not-found', message, { field: 'id' })
}

/** Explains what was refused last, because the newest call may have been accepted. */
function explainLastRefused(context: RequestContext): Explanation {
  const { journal } = context.services
  const calls = journal.calls.after(0)
  const at = calls.findLastIndex(({ refused }) => refused)
  const refused = calls[at]
  const action = journal.actions
    .after(refused?.pos ?? 0)
    .findLast(({ problem }) => problem !== null)
  if (action !== undefined) {
    const { text, ...explained } = explainAction(context, action.id)
    return { ...explained, text: text.replace(/$/m, '  (the last refused action)') }
  }
  const noted = calls.slice(at + 1).findLast(({ notes }) => notes.some(isSuspicious))
  if (refused === undefined) return explainLastNoted(context, noted?.id)
  const later = calls.length - 1 - at
  const count = `${plural(later, 'call')} since, up to ${calls.at(-1)?.id}`
  const { text, ...explained } = explainCall(context, refused.id)
  const which = `  (the last refused call${later > 0 ? `; ${count}` : ''})`
  const notes = noted?.notes.filter(isSuspicious) ?? []
  return {
    ...explained,
    text: lines([
      text.replace(/$/m, which),
      ...notes.map((note) => `note on ${noted?.id}, which was accepted: ${note}`),
    ]),
  }
}

/** Explains the last call with a note where none was refused: it may be why a test fails. */
function explainLastNoted(context: RequestContext, id: string | undefined): Explanation {
  if (id === undefined) throw new DomainError('not-found', 'No API calls have been refused.')
  const { text, ...explained } = explainCall(context, id)
  return {
    ...explained,
    text: text.replace(/$/m, '  (the last call with a note; none was refused)'),
  }
}

function explainCall(context: RequestContext, id: string): Explanation {
  const found = getRequest(context.services, id)
  const { at, method, url, status, reason, problems, notes } = presentRequest(
    found,
    context.services.world,
  )
  const { text, links } = explainCaused(context, found)
  return {
    id,
    text: lines([
      `${id}  ${at}  ${method} ${url}: ${status}`,
      reason
        ? reason.message
        : status === 0
          ? 'The call got no response.'
          : 'The call was accepted.',
      ...(problems.length > 1 ? problems.map(({ message }) => `  ${message}`) : []),
      reason?.rule
        ? `contract: ${reason.rule.replace(/: (?=\d)/, ', item ').replace(': ', ', ')}`
        : '',
      reason?.nearest ? `nearest: ${reason.nearest}` : '',
      ...notes.map((note) => `note: ${note}`),
      ...text,
    ]),
    hint: reason?.hint ?? null,
    links: [link(context, id, `requests/${id}`), ...links],
  }
}

function explainAction(context: RequestContext, id: string): Explanation {
  const found = getAction(context.services, id)
  const { at, operation, subject, problem } = presentAction(found, context.services.world)
  const { text, links } = explainCaused(context, found)
  const head = `${id}  ${at}  ${[operation, subject].filter(Boolean).join(' ')}`
  return {
    id,
    text: lines([head, problem ?? '', ...text]),
    hint: null,
    links: [link(context, id, `actions/${id}`), ...links],
  }
}

function explainCaused(context: RequestContext, origin: Origin) {
  const caused = context.services.journal.causedBy(origin)
  const { events, messages, deliveries } = presentEffects(caused, context)
  const text = [
    ...events.map((event) => joinCells(eventCells(event))),
    ...messages.map(({ subject, to }) => `message “${subject}” to ${to}`),
    ...deliveries.map((delivery) => joinCells(deliveryCells(delivery))),
  ].map((effect) => `caused: ${effect}`)
  return { text, links: linksTo(context, [...events, ...deliveries]) }
}

function explainDelivery(context: RequestContext, row: Delivery): Explanation {
  const { services } = context
  const { id, eventId } = row
  const delivery = presentDelivery(row, services)
  const isUnsent = hadNoUrl(row) && row.dialect === 'v2'
  const url = urlOption(context)
  const others = deliveriesOf(
    context,
    (each) => each.eventId === eventId && each.id !== id && each.url === row.url,
  )
  return {
    id,
    text: lines([
      joinCells([delivery.occurredAt, ...deliveryCells(delivery)]),
      describeResult(row),
      delivery.mutation === null ? (delivery.problem?.message ?? '') : '',
      `event: ${eventId}`,
      formatCause(delivery),
      ...others.map((other) => `same event: ${joinCells(deliveryCells(other))}`),
      isUnsent
        ? `set a URL: ramp-sandbox webhook set URL --integrator ${row.integrator}${url}`
        : '',
      delivery.failed || isUnsent ? `resend it: ramp-sandbox webhook resend ${id}${url}` : '',
    ]),
    hint: delivery.problem?.hint ?? null,
    links: [
      link(context, id, `webhooks/deliveries/${id}`),
      link(context, eventId, `explain/${eventId}`),
      ...linksTo(context, others),
      ...linkToCause(context, delivery),
    ],
  }
}

/** Without it, a command is about the default world, which has other deliveries under the same ids. */
const urlOption = ({ baseUrl }: RequestContext) =>
  /\/w\/[^/]+$/.test(baseUrl) ? ` --url ${baseUrl}` : ''

/** A failed attempt that was repeated with success does not count as failed. */
function describeResult(delivery: Delivery): string {
  const { failed, outcome, mutation, acknowledgedBy } = delivery
  if (outcome === 'pending') return 'It has not been delivered yet.'
  if (outcome === 'suppressed') return 'It was not sent.'
  if (mutation !== null) return describeMutated(mutation, delivery)
  if (failed) return 'It failed.'
  return outcome === 'delivered'
    ? 'It was delivered.'
    : `This attempt failed, but ${acknowledgedBy} succeeded.`
}

function explainEvent(context: RequestContext, row: WorldEvent): Explanation {
  const event = presentEvent(row, context.services)
  const deliveries = deliveriesOf(context, ({ eventId }) => eventId === row.id)
  return {
    id: row.id,
    text: lines([joinCells(eventCells(event)), formatCause(event), ...formatWebhooks(deliveries)]),
    hint: hintOf(deliveries),
    links: [
      link(context, row.id, `events?id=${row.id}`),
      ...linksTo(context, deliveries),
      ...linkToCause(context, event),
    ],
  }
}

function explainTransaction(context: RequestContext, row: Transaction): Explanation {
  const transaction = presentTransaction(context.services.world, row)
  const { id, history } = transaction
  const deliveries = deliveriesOf(context, ({ ref }) => ref === id)
  return {
    id,
    text: lines([
      joinCells(transactionCells(transaction)),
      ...history.map(({ at, status }) => `${at}  ${status}`),
      formatNext(transaction),
      ...formatWebhooks(deliveries),
    ]),
    hint: hintOf(deliveries),
    links: [link(context, id, `transactions/${id}`), ...linksTo(context, deliveries)],
  }
}

function formatNext({ expiresAt, allowed }: TransactionRecord): string {
  if (allowed.length === 0) return 'This status is final.'
  const next = `Possible next statuses: ${allowed.join(', ')}.`
  return expiresAt === null ? next : `${next} It expires at ${expiresAt}.`
}

function formatWebhooks(deliveries: readonly DeliveryRecord[]): string[] {
  if (deliveries.length === 0) return ['There are no webhooks about it.']
  return deliveries.map((delivery) => `webhook: ${joinCells(deliveryCells(delivery))}`)
}

/** Hint for the newest webhook that failed, or that a web page acknowledged. */
const hintOf = (deliveries: readonly DeliveryRecord[]) =>
  deliveries.findLast(
    ({ failed, outcome, problem }) => failed || (outcome === 'delivered' && problem),
  )?.problem?.hint ?? null

type Caused = Pick<EventRecord, 'cause'>

const formatCause = ({ cause }: Caused) =>
  cause === null ? '' : `caused by: ${[cause.id, cause.name].filter(Boolean).join(' ')}`

function deliveriesOf({ services }: RequestContext, matches: (delivery: Delivery) => boolean) {
  const found = services.journal.deliveries.after(0).filter(matches).slice(-ROWS_SHOWN_MAX)
  return found.map((delivery) => presentDelivery(delivery, services))
}

const link = ({ baseUrl }: RequestContext, name: string, path: string) => ({
  name,
  url: `${baseUrl}/_sandbox/${path}`,
})

const linksTo = (context: RequestContext, rows: readonly { id: string }[]) =>
  rows.slice(0, ROWS_SHOWN_MAX).map(({ id }) => link(context, id, `explain/${id}`))

const linkToCause = (context: RequestContext, { cause }: Caused) =>
  cause === null ? [] : linksTo(context, [cause])
