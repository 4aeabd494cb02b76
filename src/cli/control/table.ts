/** Formats rows of cells with aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length)
    })
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats any response: a line for each field, records below their name, lists as tables. */
export function formatFields(response: object): string {
  const { items, total: _, ...fields } = response as Fields
  if (Array.isArray(items)) return formatRecords(items)
  const flat = Object.entries(fields).filter(([, value]) => !isNested(value))
  const nested = Object.entries(fields).filter(([, value]) => isNested(value))
  return [
    formatTable(flat.map(([name, value]) => [name, show(value)])),
    ...nested.map(([name, value]) => `\n${name}\n${indent(formatNested(value as object))}`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

type Fields = Record<string, unknown>

/** Returns true for a value that needs lines of its own. */
function isNested(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = Array.isArray(value) ? value[0] : Object.values(value)[0]
  return Array.isArray(value) ? typeof inner === 'object' && inner !== null : inner !== undefined
}

const formatNested = (value: object): string =>
  Array.isArray(value)
    ? formatRecords(value)
    : formatTable(Object.entries(value).map(([name, inner]) => [name, show(inner)]))

/** Formats records as a table with a head; fields that are empty in all records are left out. */
function formatRecords(records: readonly Fields[]): string {
  if (records.length === 0) return ''
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const names = all.filter((name) => records.some((record) => show(record[name]) !== ''))
  return formatTable([names, ...records.map((record) => names.map((name) => show(record[name])))])
}

/** Formats a value on one line; null and undefined are empty. */
function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(show).join(', ')
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value).map(([name, inner]) => `${name} ${show(inner)}`)
  return parts.join(', ')
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')
