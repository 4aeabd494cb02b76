import { type Delivery, OUTCOMES } from '../../webhooks/delivery.ts'
import { journalRows, keptQuery, matcher, pageOf, RowLink, Split } from '../list.tsx'
import { Badge, Empty, Time } from '../parts.tsx'
import type { Draw, View } from '../view.ts'
import { DeliveryDetail } from './delivery.tsx'
import { tellDelivery } from './related.tsx'

export const deliveries: Draw = (view, id) => {
  const { world, outbox } = view.sight
  const { query } = view
  const [, position] = /^dlv_(\d{1,15})$/.exec(id ?? '') ?? []
  const chosen = position === undefined ? undefined : outbox.journal.at(Number(position))
  if (id !== undefined && !chosen) return undefined
  const list = pageOf(view, journalRows(outbox.journal), findMatcher(view))
  const isNarrowed = Boolean(query.get('q') || query.get('outcome'))
  const body = (
    <Split
      view={view}
      name="deliveries"
      title="Deliveries"
      noun="delivery"
      list={list}
      filter={{ name: 'outcome', label: 'Any outcome', options: OUTCOMES }}
      detail={chosen && <DeliveryDetail view={view} delivery={chosen} />}
    >
      {list.rows.length > 0 ? (
        <ol class="rows">
          {list.rows.map((row) => (
            <RowLink key={row.id} view={view} name="deliveries" id={row.id} chosen={row === chosen}>
              <span class="first">{tellDelivery(row)}</span>
              <Badge status={row.outcome} />
              <span class="second">{row.url ?? row.reason ?? 'nowhere to go'}</span>
              <Time at={row.occurredAt} now={world.now} />
            </RowLink>
          ))}
        </ol>
      ) : isNarrowed ? (
        <Empty title="No delivery matches.">
          <a
            href={view.page('deliveries', { ...keptQuery(view), q: undefined, outcome: undefined })}
          >
            Show all
          </a>
        </Empty>
      ) : (
        <Empty title="No webhooks yet.">
          <p>
            Every change of a user or a transaction sends one to the URL of{' '}
            <code>PUT /v2/webhook-configurations</code>. Without a receiver of your own, point it at{' '}
            <code>{`${view.baseUrl}/_sandbox/catch/me`}</code>.
          </p>
        </Empty>
      )}
    </Split>
  )
  return { title: chosen ? chosen.id : 'Deliveries', part: 'Deliveries', body }
}

function findMatcher({ query }: View): ((row: Delivery) => boolean) | undefined {
  const outcome = query.get('outcome')
  const fits = matcher(query.get('q'))
  if (!outcome && !fits) return undefined
  return (row) =>
    (!outcome || row.outcome === outcome) &&
    (!fits || fits([row.id, row.eventId, row.type, row.ref, row.url, row.event.status, row.reason]))
}
