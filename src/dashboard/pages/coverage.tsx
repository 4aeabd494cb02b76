import { type CoverageRow, reportCoverage } from '../../coverage/report.ts'
import { readCoverage } from '../../http/control/coverage.ts'
import { Badge, Card } from '../parts.tsx'
import type { List } from '../rows.ts'
import type { View } from '../view.ts'

/** Situations that calls and webhooks have met, in all worlds at the base URL or in this one. */
export const coverage: List<CoverageRow> = {
  name: 'coverage',
  title: 'Coverage',
  noun: 'situation',
  rows: rowsOf,
  find: (view, id) => rowsOf(view).find((row) => row.id === id),
  filters: [
    { name: 'met', label: 'Met or not', of: metOf },
    { name: 'area', label: 'All areas', of: ({ area }) => area },
  ],
  columns: [
    { name: 'Situation', value: ({ text }) => text, kind: 'fill' },
    { name: 'Area', value: ({ area }) => area, isSecond: true },
    { name: 'Met', value: metOf, show: showMet, kind: 'mark' },
  ],
  detail: (row) => (
    <Card title={row.text}>
      <p>{showMet(row)}</p>
      <p>
        How to make it happen: <code>{row.how}</code>
      </p>
      <p class="quiet">
        Id: <code>{row.id}</code>
      </p>
    </Card>
  ),
  empty: { title: 'No situations.', body: () => null },
}

/** The last row comes first in a list. */
function rowsOf({ prefix, control, services, world }: View): CoverageRow[] {
  const situations = prefix === '' ? control.situations : services.situations
  const counted = readCoverage(situations, control.operations, world.settings)
  return reportCoverage(counted).rows.toReversed()
}

function metOf({ met }: CoverageRow): string {
  return met ? 'met' : 'never met'
}

function showMet(row: CoverageRow) {
  return <Badge status={metOf(row)} tone={row.met ? 'good' : 'quiet'} />
}
