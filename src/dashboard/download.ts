import { findMatching, type Identified, type List } from './rows.ts'
import { toFile } from './saved.ts'
import type { View } from './view.ts'

const TYPES = { csv: 'text/csv', json: 'application/json' } as const
export type DownloadKind = keyof typeof TYPES

export const isDownloadKind = (kind: string): kind is DownloadKind => Object.hasOwn(TYPES, kind)

/** Every row that matches the search and the filters, with the texts of its cells, as a file. */
export function downloadList<Row extends Identified>(
  view: View,
  list: List<Row>,
  kind: DownloadKind,
): Response {
  const rows = findMatching(view, list).map((row) => toRecord(row, list, view))
  const text = kind === 'csv' ? formatCsv(rows) : `${JSON.stringify(rows, null, 2)}\n`
  return toFile(TYPES[kind], text)
}

type Row = Record<string, string | number>

function toRecord<Of extends Identified>(row: Of, { columns, time }: List<Of>, view: View): Row {
  const cells = columns.map((column) => [column.name, column.value(row, view)] as const)
  return {
    Id: row.id,
    ...Object.fromEntries(cells),
    ...(time && { [time.name]: new Date(time.of(row)).toISOString() }),
  }
}

function formatCsv(rows: readonly Row[]): string {
  const [first = {}] = rows
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))]
  return lines.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(value: string | number): string {
  const text = String(value)
  // A spreadsheet would run text that begins like a formula.
  const safe = /^[=+\-@\t]/.test(text) && typeof value === 'string' ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
