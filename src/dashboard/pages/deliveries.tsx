import { findInJournal } from '../../http/control/page.ts'
import { type Delivery, OUTCOMES } from '../../webhooks/delivery.ts'
import { formatDelivery, formatMoney, formatTook } from '../format.ts'
import type { List } from '../list.tsx'
import { Badge } from '../parts.tsx'
import { journalRows } from '../rows.ts'
import type { View } from '../view.ts'
import { DeliveryDetail } from './delivery.tsx'

export const deliveries: List<Delivery> = {
  name: 'deliveries',
  title: 'Deliveries',
  noun: 'delivery',
  rows: ({ services }) => journalRows(services.outbox.journal),
  find: ({ services }, id) => findInJournal(services.outbox.journal, 'dlv', id),
  texts: ({ id, eventId, type, ref, url, event, reason }) => [
    id,
    eventId,
    type,
    ref,
    url,
    event.status,
    reason,
  ],
  filter: {
    name: 'outcome',
    label: 'Any outcome',
    options: OUTCOMES,
    matches: ({ outcome }, option) => outcome === option,
  },
  columns: [
    { name: 'Event', cell: titleOf, text: formatDelivery },
    { name: 'Outcome', place: 'mark', cell: badge },
    { name: 'About', place: 'second', cell: formatSubject },
    { name: 'To', cell: formatPlace },
    { name: 'Answer', place: 'number', cell: ({ response }) => response?.status.toString() ?? '' },
    { name: 'Took', place: 'number', cell: formatTook },
  ],
  at: ({ occurredAt }) => occurredAt,
  atName: 'Time',
  line: { badge, text: formatDelivery },
  heading: ({ id }) => id,
  detail: (delivery, view) => <DeliveryDetail view={view} delivery={delivery} />,
  noMatch: 'No delivery matches.',
  empty: {
    title: 'No webhooks yet.',
    body: ({ baseUrl }) => (
      <p>
        Every change of a user or a transaction sends one to the URL of{' '}
        <code>PUT /v2/webhook-configurations</code>. Without a receiver of your own, point it at{' '}
        <code>{`${baseUrl}/_sandbox/catch/me`}</code>.
      </p>
    ),
  },
}

/** Without the scheme: there is little room. */
function formatPlace({ url, reason }: Delivery): string {
  return url?.replace(/^https?:\/\//, '') ?? reason ?? 'no destination'
}

/** With a mark for a test, and for what was resent or duplicated. */
function titleOf(delivery: Delivery) {
  const { repeatOf, fault, event } = delivery
  return (
    <>
      {event.cursor === IN_NO_LIST && <span class="tag">test</span>}
      {repeatOf !== null && <span class="tag">{fault ? 'duplicate' : 'resent'}</span>}
      {formatDelivery(delivery)}
    </>
  )
}

/** The cursor of a test event, which the world never emitted. */
const IN_NO_LIST = 0

/** `alice@example.com, 250.00 CAD`; a test event is about nobody. */
function formatSubject({ ref }: Delivery, { world }: View) {
  const transaction = world.transactionsById.get(ref)
  const user = world.usersById.get(transaction?.userId ?? ref)
  const amount = transaction && formatMoney(transaction.leftSide, transaction.leftSideLabel)
  return [user?.email, amount].filter(Boolean).join(', ')
}

function badge({ outcome }: Delivery) {
  return <Badge status={outcome} />
}
