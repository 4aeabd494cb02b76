import type { Child } from 'hono/jsx'
import type { Delivery } from '../../webhooks/delivery.ts'
import { Badge, Card, linkTo, Table, Time } from '../parts.tsx'
import { DeliveryTags, toneOf } from '../timeline/entry-list.tsx'
import type { View } from '../view.ts'

/** Every attempt to deliver an event. */
export function showAttempts(view: View, eventId: string, current?: Delivery): Child {
  const attempts = view.attemptsOf(eventId)
  return (
    <Card title="Attempts">
      <Table
        label="Attempts"
        head={['Delivery', 'Outcome', 'Response', 'Sent (real time)', 'To']}
        rows={attempts.map((row) => [
          [
            row === current ? 'this one' : linkTo(view, `webhooks/${row.id}`, row.id),
            ' ',
            <DeliveryTags delivery={row} />,
          ],
          <Badge status={row.outcome} tone={toneOf(row)} />,
          String(row.response?.status ?? row.error ?? row.reason ?? ''),
          row.sent ? <Time at={row.sent.at} /> : 'not sent',
          row.url ?? '',
        ])}
      />
    </Card>
  )
}
