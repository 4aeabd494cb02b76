import type { EventRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { List } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { Badge, Card, DetailHead, JsonCard } from '../lib/parts.tsx'
import { useTitle } from '../lib/title.ts'
import { Attempts, Cause, SubjectLink } from './delivery.tsx'
import { Gone } from './gone.tsx'
import { EVENT_TYPES } from './words.tsx'

export const Events = () => (
  <List<'events.read', EventRecord>
    name="events"
    title="Events"
    noun="event"
    path="/events"
    rowsOf={({ events }) => events}
    filters={[{ name: 'type', label: 'Any event', options: EVENT_TYPES }]}
    columns={[
      { name: 'Event', show: ({ type }) => type },
      { name: 'Status', kind: 'mark', show: ({ status }) => <Badge status={status} /> },
      { name: 'Integrator', show: ({ integrator }) => integrator },
      { name: 'User', kind: 'fill', isSecond: true, show: ({ payload }) => payload.email },
    ]}
    time={{ name: 'Time', of: ({ at }) => at }}
    detail={(id) => <Event id={id} />}
    empty={{
      title: 'No events yet.',
      body: () => <p>There is one for each change to a user or a transaction.</p>,
    }}
  />
)

/** One event with its attempts. A test event is in no list, so its delivery is shown. */
const Event = ({ id }: { id: string }) => {
  const path = `/events?id=${encodeURIComponent(id)}`
  const event = useRead<'events.read'>(path).data
  const [found] = event?.events ?? []
  useTitle(found && `${found.type}: ${found.status}`)
  if (!event) return null
  if (!found) return <NotListed id={id} />
  const { type, status, at, payload, integrator } = found
  return (
    <>
      <DetailHead
        title={type}
        badge={<Badge status={status} />}
        at={at}
        id={id}
        noun="event"
        curl={curlOf(path)}
      />
      <Attempts eventId={id} />
      <Card
        title="About"
        fields={{
          Subject: <SubjectLink of={found} />,
          Integrator: integrator,
          'Caused by': <Cause of={found} />,
        }}
      />
      <JsonCard title="Payload" value={payload} />
    </>
  )
}

const NotListed = ({ id }: { id: string }) => {
  const path = `/webhooks/deliveries?eventId=${encodeURIComponent(id)}`
  const { data } = useRead<'webhooks.deliveries'>(path)
  const [first] = data?.deliveries ?? []
  if (!data) return null
  if (!first) return <Gone text={`There is no event ${id}.`} />
  return (
    <>
      <DetailHead title={first.type} badge={<Badge status={first.status} />} id={id} noun="event" />
      <Attempts eventId={id} />
      <JsonCard title="Body" value={first.request.body} />
    </>
  )
}
