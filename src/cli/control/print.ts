import { type DeliveryRecord, deliveryCells } from '../../control-api/deliveries.ts'
import type { ControlOperation } from '../../control-api/index.ts'
import type { Columns } from '../../control-api/row.ts'
import { lines } from '../../control-api/text.ts'
import { hadNoUrl } from '../../webhooks/delivery.ts'
import { toTyped } from '../command.ts'
import { wrap } from '../terminal.ts'

type Fields = Record<string, unknown>

/** Lines of a list below a response. */
const BELOW_MAX = 20
const LAST_WIDTH_MIN = 30
/** Column width beyond which a longer cell moves the rest of its own line. */
const WIDTH_MAX = 40

/** Formats a response as its row says: a line for each row of a list, or one for the response. */
export function formatResponse(
  { columns, below = [], rows }: ControlOperation,
  response: Fields,
): string {
  const { text, pending } = response
  const { hint } = (response.problem ?? response) as { hint?: string }
  const advice = hint ? toTyped(`hint: ${hint}`) : ''
  if (typeof text === 'string') return lines([toTyped(text), advice])
  const list = rowsOf(response, rows)
  const hasDeliveries = 'deliveryCount' in response
  if (columns === undefined && list) return formatRecords(list)
  if (columns === undefined && !hasDeliveries) return formatFields(response)
  const lists = list ? [] : [...below, 'deliveries']
  return lines([
    columns
      ? formatColumns((list ?? [response]).map((row) => columns(row as never)))
      : formatFields(withoutEffects(response)),
    advice,
    ...lists.map((name) => formatBelow(name, response)),
    lists.length > 0 && pending && hasDeliveries ? `${pending} still in flight` : '',
  ])
}

const EFFECTS = ['events', 'eventCount', 'deliveries', 'deliveryCount', 'pending']

/** The fields of a response besides the events and webhooks that the call caused. */
const withoutEffects = (response: Fields): Fields =>
  Object.fromEntries(Object.entries(response).filter(([name]) => !EFFECTS.includes(name)))

export function rowsOf(response: Fields, name = ''): Fields[] | undefined {
  const isList = 'total' in response || 'more' in response
  const found = isList ? Object.values(response).find(Array.isArray) : response[name]
  return Array.isArray(found) ? found : undefined
}

function formatBelow(name: string, response: Fields): string {
  const { [name]: all = [], [toCount(name)]: count } = response as Record<string, Fields[]>
  // Where no URL is configured, this is so for each webhook, and no news.
  const isUnsent = (row: Fields) => hadNoUrl(row as DeliveryRecord)
  const rows = all.filter((row) => !isUnsent(row))
  const cells = (row: Fields) =>
    name === 'deliveries' ? deliveryCells(row as DeliveryRecord) : (Object.values(row) as string[])
  const unsent = all.filter(isUnsent)
  const more = Number(count ?? all.length) - unsent.length - Math.min(rows.length, BELOW_MAX)
  const table = formatColumns(rows.slice(0, BELOW_MAX).map(cells))
  return indent(lines([table, more > 0 ? `and ${more} more` : '', ...countReasons(unsent)]))
}

function countReasons(unsent: readonly Fields[]): string[] {
  return [...new Set(unsent.map(({ reason }) => reason))].map((reason) => {
    const count = unsent.filter((row) => row.reason === reason).length
    return `${count === 1 ? '1 webhook was' : `${count} webhooks were`} not sent: ${reason}`
  })
}

/** Deliveries are counted by `deliveryCount`. */
const toCount = (name: string) => `${{ deliveries: 'delivery', tasks: 'task' }[name] ?? name}Count`

function formatColumns(rows: readonly Columns[]): string {
  const [first] = rows
  if (first === undefined) return ''
  const head = Array.isArray(first) ? [] : [Object.keys(first)]
  return formatTable([
    ...head,
    ...rows.map((row) => Object.values(row).map((cell) => show(cell || (cell === 0 ? 0 : '')))),
  ])
}

/** Formats rows of cells with aligned columns. The last one wraps at the width of the terminal. */
function formatTable(all: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...all.map((row) => row.length))
  const isUsed = (at: number) => all.some((row) => row[at])
  const used = Array.from({ length: width }, (_, at) => at).filter(isUsed)
  const widths = used.map((at) =>
    Math.min(WIDTH_MAX, Math.max(...all.map((row) => row[at]?.length ?? 0))),
  )
  const left = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0)
  const columns = process.stdout.columns || Number.POSITIVE_INFINITY
  return all
    .map((row) => {
      const cells = used.map((at, i) => (row[at] ?? '').padEnd(widths[i] ?? 0))
      const last = cells.pop()?.trimEnd() ?? ''
      const wrapped = wrap(last, Math.max(LAST_WIDTH_MIN, columns - left))
      return [...cells, wrapped.join(`\n${' '.repeat(left)}`)].join('  ').trimEnd()
    })
    .join('\n')
}

/** Formats any response: a line for each field, records below their name, lists as tables. */
function formatFields(response: Fields): string {
  const all = Object.entries(response)
  const flat = all.filter(([, value]) => !isNested(value))
  const nested = all.filter(([, value]) => isNested(value))
  return [
    formatTable(flat.map(([name, value]) => [name, value === null ? 'none' : show(value)])),
    ...nested.map(([name, value]) => `\n${name}\n${indent(formatNested(value as object))}`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

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

/** Formats a value on one line; null, undefined and false cells are empty. */
function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(show).join(', ')
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value).map(([name, inner]) => `${name} ${show(inner)}`)
  return parts.join(', ')
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')
