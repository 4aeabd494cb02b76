import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { DURATION_HELP, formatDuration, parseDuration } from '../../world/duration.ts'
import type { Journal } from '../../world/journal.ts'

/** Longest wall time that one call waits. */
export const WAIT_MAX_MS = 60_000
const LIMIT_DEFAULT = 100
export const LIMIT_MAX = 1_000
/** Bytes of one response; a page ends earlier than `limit` says where its rows are long. */
export const RESPONSE_MAX = 4 * 1024 * 1024
/** What of them is for rows. */
const ROWS_BYTES_MAX = RESPONSE_MAX - 64 * 1024

/** A reader's position; to the reader it is an opaque text. */
export const Cursor = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a cursor from an earlier answer' })
    .transform(Number)
    .optional()

export const Count = () => {
  const error = `must be an integer from 1 to ${LIMIT_MAX}`
  return toNumber(z.string().regex(/^([1-9]\d{0,2}|1000)$/, { error }), 1, LIMIT_MAX).optional()
}

/** A number as a query has it, as text; callers of the library give the number. */
export const toNumber = (text: z.ZodString, minimum: number, maximum: number) =>
  text
    .transform(Number)
    .meta({ wire: { type: 'integer', minimum, maximum } }) as unknown as z.ZodType<number, number>

/** A boolean as a query has it, as text. */
export const Flag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ wire: { type: 'boolean' } }) as unknown as z.ZodType<boolean, boolean>

/** A length of time to wait, read as ms; a query may say a number of ms as text. */
export const WaitTime = () =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const ms = parseDuration(/^\d{1,9}$/.test(String(value)) ? Number(value) : value)
    if (ms !== undefined && ms <= WAIT_MAX_MS) return ms
    const longest = formatDuration(WAIT_MAX_MS)
    context.addIssue({ code: 'custom', message: `must be ${DURATION_HELP}, at most ${longest}` })
    return z.NEVER
  })

export const Timeout = () => WaitTime().optional()

/** A word of a filter. */
export const FilterText = () => z.string().min(1).max(320)
export const Filter = () => FilterText().optional()

/** A cursor ahead of the last row is not one of this world. */
export function assertNotAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('cursor-ahead', `The cursor ${after} lies ahead of this world.`, {
    field: 'after',
    hint: 'Was the world reset? Start again without after.',
  })
}

/** One thing that a reader asks of a row. */
export interface Condition<Row> {
  /** The query parameter it comes from. */
  name: string
  isMet(row: Row): boolean
}

/** A condition for a parameter that was sent, and none for one that was not. */
export function when<Row, Value>(
  name: string,
  value: Value | undefined,
  isMet: (row: Row, value: Value) => boolean,
): Condition<Row>[] {
  return value === undefined ? [] : [{ name, isMet: (row) => isMet(row, value) }]
}

/** Conditions for parameters that were sent and that a row must have as they are. */
export const whenEqual = <Row>(asked: { [Name in keyof Row]?: Row[Name] | undefined }) =>
  Object.entries(asked).flatMap(([name, value]) =>
    when(name, value, (row: Row) => row[name as keyof Row] === value),
  )

export interface Search<Row> {
  journal: Journal<Row>
  after?: number | undefined
  /** Rows to find. */
  max: number
  conditions: readonly Condition<Row>[]
}

/** Reads a journal onwards, as often as it is asked, and collects what matches. */
export function createSearch<Row extends { readonly cursor: number }>(search: Search<Row>) {
  const { journal, after = 0, max, conditions } = search
  assertNotAhead(after, journal.last)
  const found: Row[] = []
  let cursor = after
  return {
    found,
    /** Everything up to here was looked at. */
    get cursor() {
      return String(cursor)
    },
    readOn(): void {
      if (found.length >= max) return
      for (const row of journal.after(cursor)) {
        cursor = row.cursor
        if (conditions.every(({ isMet }) => isMet(row))) found.push(row)
        if (found.length >= max) return
      }
      cursor = journal.last
    },
  }
}

/** The rows after a cursor that one response holds, and the cursor to go on with. */
export function searchPage<Row extends { readonly cursor: number }, Shown>(
  journal: Journal<Row>,
  { after, limit = LIMIT_DEFAULT }: PageQuery,
  { conditions, present }: { conditions: readonly Condition<Row>[]; present: (row: Row) => Shown },
) {
  const search = createSearch({ journal, after, max: limit, conditions })
  search.readOn()
  return presentFound(search, present)
}

/** What was found, as far as one response holds it, and the cursor behind that. */
export function presentFound<Row extends { readonly cursor: number }, Shown>(
  { found, cursor }: { found: readonly Row[]; cursor: string },
  present: (row: Row) => Shown,
) {
  const rows = presentRows(found, present)
  const isAll = rows.length === found.length
  return { rows, cursor: isAll ? cursor : String(found[rows.length - 1]?.cursor) }
}

/** Presents rows until there is a response full of them; the first one always fits. */
export function presentRows<Row, Shown>(
  rows: readonly Row[],
  present: (row: Row) => Shown,
  { lists = 1 } = {},
): Shown[] {
  const shown: Shown[] = []
  let bytes = 0
  for (const row of rows) {
    const each = present(row)
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1
    if (bytes > ROWS_BYTES_MAX / lists && shown.length > 0) break
    shown.push(each)
  }
  return shown
}

/** The row with an id such as `req_7`, which is a prefix and its position. */
export function findInJournal<Row>(
  journal: Pick<Journal<Row>, 'at'>,
  prefix: string,
  id: string,
): Row | undefined {
  const [, kind, position] = /^([a-z]+)_(\d{1,15})$/.exec(id) ?? []
  return kind === prefix ? journal.at(Number(position)) : undefined
}

/** As `findInJournal`; throws where it is not there, or kept no longer. */
export function getFromJournal<Row>(
  journal: Pick<Journal<Row>, 'at' | 'max'>,
  { prefix, noun, id }: { prefix: string; noun: string; id: string },
): Row {
  const found = findInJournal(journal, prefix, id)
  if (found !== undefined) return found
  const message = `There is no ${noun} ${id}; the last ${journal.max} are kept.`
  throw new DomainError('not-found', message, { field: 'id' })
}

/** Rows that one page of a filtered list looks at, so that a rare match cannot stall the server. */
const SCAN_MAX = 100_000

export interface PageQuery {
  after?: number | undefined
  limit?: number | undefined
}

/** A page of a list that only grows; its cursor is the position after the last row looked at. */
export function readPage<Row, Shown>(
  rows: readonly Row[],
  { after = 0, limit = LIMIT_DEFAULT }: PageQuery,
  { matches, present }: { matches: (row: Row) => boolean; present: (row: Row) => Shown },
) {
  assertNotAhead(after, rows.length)
  const found: { row: Row; cursor: number }[] = []
  const end = Math.min(rows.length, after + SCAN_MAX)
  let position = after
  for (; position < end && found.length < limit; position++) {
    const row = rows[position] as Row
    if (matches(row)) found.push({ row, cursor: position + 1 })
  }
  const page = presentFound({ found, cursor: String(position) }, ({ row }) => present(row))
  return { items: page.rows, cursor: page.cursor, more: Number(page.cursor) < rows.length }
}

/** `more` says whether reading on after `cursor` may find more. */
export const PageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ items: z.array(row), total: z.int(), cursor: z.string(), more: z.boolean() })

/** Every row in one answer, where there can only be few. */
export const ListOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ items: z.array(row), total: z.int() })

export const toList = <Row>(items: Row[]) => ({ items, total: items.length })

interface Source<Row> {
  rows: readonly Row[]
  status: string | undefined
  /** Counts the rows by status, where these are all the rows there are. */
  counts?: ReadonlyMap<string, number>
}

export function readPageByStatus<Row extends { status: string }, Record>(
  { rows, status, counts }: Source<Row>,
  query: PageQuery,
  present: (row: Row) => Record,
) {
  const matches = (row: Row) => status === undefined || row.status === status
  const { items, cursor, more } = readPage(rows, query, { matches, present })
  return { items, total: count(), cursor, more }

  function count() {
    if (status === undefined) return rows.length
    return counts ? (counts.get(status) ?? 0) : rows.filter(matches).length
  }
}
