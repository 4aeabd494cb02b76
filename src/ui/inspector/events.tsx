import type { EventRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import type { ListProps } from '../lib/list.tsx'
import { Badge, Card, DetailHead, JsonCard } from '../lib/parts.tsx'
import { Attempts, Cause, SubjectLink } from './delivery.tsx'
import { EVENT_TYPES } from './words.tsx'

export const EVENTS: ListProps<'events.read', EventRecord> = {
  name: 'events',
  title: 'Events',
  noun: 'event',
  path: '/events',
  isFound: true,
  rowsOf: ({ events }) => events,
  filters: [{ name: 'type', label: 'Any event', options: EVENT_TYPES }],
  columns: [
    { name: 'Event', show: ({ type }) => type },
    { name: 'Status', kind: 'mark', show: ({ status }) => <Badge status={status} /> },
    { name: 'Integrator', show: ({ integrator }) => integrator },
    { name: 'User', kind: 'fill', isSecond: true, show: ({ payload }) => payload.email },
  ],
  time: ['Time', ({ at }) => at],
  detail: (event) => (
    <>
      <DetailHead
        title={event.type}
        badge={<Badge status={event.status} />}
        at={event.at}
        id={event.id}
        noun="event"
        curl={curlOf(`/events?id=${event.id}`)}
      />
      <Attempts eventId={event.id} />
      <Card
        title="About"
        fields={{
          Subject: <SubjectLink of={event} />,
          Integrator: event.integrator,
          'Caused by': <Cause of={event} />,
        }}
      />
      <JsonCard title="Payload" value={event.payload} />
    </>
  ),
  empty: [
    'No events yet.',
    () => <p>There is one when a transaction is created, and when it or a user changes status.</p>,
  ],
}
