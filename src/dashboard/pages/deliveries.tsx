import { type Delivery, OUTCOMES } from '../../webhooks/delivery.ts'
import { formatDelivery } from '../format.ts'
import type { List } from '../list.tsx'
import { Badge } from '../parts.tsx'
import { findInJournal, journalRows } from '../rows.ts'
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
  columns: {
    first: formatDelivery,
    mark: badge,
    second: ({ url, reason }) => url ?? reason ?? 'no destination',
    at: ({ occurredAt }) => occurredAt,
  },
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

function badge({ outcome }: Delivery) {
  return <Badge status={outcome} />
}
