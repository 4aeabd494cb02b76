import type { List } from '../list.tsx'
import { Card, Time } from '../parts.tsx'
import { newest } from '../rows.ts'
import type { View } from '../view.ts'
import { deliveries } from './deliveries.tsx'
import { inbox } from './inbox.tsx'

/** Rows of a journal that are searched. */
const SCAN_MAX = 5_000
const ROWS_MAX = 20

/** The messages and webhooks about a user or a transaction. */
export const Related = ({ view, id }: { view: View; id: string }) => (
  <div class="grid">
    <Card title="Webhooks">{renderRelated(view, deliveries, id, 'No events yet.')}</Card>
    <Card title="Messages">{renderRelated(view, inbox, id, 'Nothing was written.')}</Card>
  </div>
)

interface RelatedRow {
  readonly id: string
  readonly ref: string | null
}

function renderRelated<Row extends RelatedRow>(
  view: View,
  { name, rows, columns: [title], at, line }: List<Row>,
  id: string,
  none: string,
) {
  const related = newest(rows(view), SCAN_MAX).filter(({ ref }) => ref === id)
  return (
    <ol class="stack">
      {related.slice(0, ROWS_MAX).map((row) => (
        <li key={row.id} class="row">
          {line.badge?.(row, view)}
          <a href={view.page(`${name}/${row.id}`)}>{title.cell(row, view)}</a>
          <span class="quiet">
            <Time at={at(row)} now={view.world.now} />
          </span>
        </li>
      ))}
      {related.length === 0 && <li class="hint">{none}</li>}
    </ol>
  )
}
