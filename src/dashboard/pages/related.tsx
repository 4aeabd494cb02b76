import type { Delivery } from '../../webhooks/delivery.ts'
import { Badge, Card, Time } from '../parts.tsx'
import type { View } from '../view.ts'

/** Rows of journals that are looked through for what is about one thing. */
const SCAN_MAX = 5_000
const ROWS_MAX = 20

/** The last rows of a journal that are about something. */
function lastAbout<Row>(
  journal: { last: number; max: number; at(position: number): Row | undefined },
  isAbout: (row: Row) => boolean,
  most = ROWS_MAX,
): Row[] {
  const found: Row[] = []
  const first = Math.max(1, journal.last - Math.min(journal.max, SCAN_MAX) + 1)
  for (let position = journal.last; position >= first && found.length < most; position--) {
    const row = journal.at(position)
    if (row !== undefined && isAbout(row)) found.push(row)
  }
  return found
}

/** The messages and webhooks about a user or a transaction. */
export const Related = ({ view, id }: { view: View; id: string }) => {
  const { world, outbox } = view.sight
  const messages = lastAbout(world.messages, ({ ref }) => ref === id)
  const deliveries = lastAbout(outbox.journal, ({ ref }) => ref === id)
  return (
    <div class="grid">
      <Card title="Webhooks">
        <ol class="rows-plain stack">
          {deliveries.map((row) => (
            <li key={row.id} class="row">
              <Badge status={row.outcome} />
              <a href={view.page(`deliveries/${row.id}`)}>{tellDelivery(row)}</a>
              <span class="quiet">
                <Time at={row.occurredAt} now={world.now} />
              </span>
            </li>
          ))}
          {deliveries.length === 0 && <li class="hint">No events yet.</li>}
        </ol>
      </Card>
      <Card title="Messages">
        <ol class="stack">
          {messages.map(({ id: message, subject, sentAt }) => (
            <li key={message} class="row">
              <a href={view.page(`inbox/${message}`)}>{subject}</a>
              <span class="quiet">
                <Time at={sentAt} now={world.now} />
              </span>
            </li>
          ))}
          {messages.length === 0 && <li class="hint">Nothing was written.</li>}
        </ol>
      </Card>
    </div>
  )
}

/** What a webhook tells, in a few words. */
export const tellDelivery = ({ type, event, generation, hook }: Delivery): string =>
  `${generation === 'v1' ? `v1 ${hook ?? ''}` : type}: ${event.status.replace(' request money transfer', '')}`
