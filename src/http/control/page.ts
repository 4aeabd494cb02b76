import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { DURATION_HELP, formatDuration, parseDuration } from '../../world/duration.ts'
import type { Journal } from '../../world/journal.ts'

/** Longest wall time that one call waits. */
export const WAIT_MAX_MS = 60_000
const LIMIT_DEFAULT = 100
export const LIMIT_MAX = 1_000

/** A reader's position; to the reader it is an opaque text. */
export const Cursor = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a cursor from an earlier answer' })
    .transform(Number)
    .optional()

export const Count = () =>
  z
    .string()
    .regex(/^([1-9]\d{0,2}|1000)$/, { error: `must be a whole number from 1 to ${LIMIT_MAX}` })
    .transform(Number)
    .meta({ wire: { type: 'integer', minimum: 1, maximum: LIMIT_MAX } })
    .optional()

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
export const Filter = () => z.string().min(1).max(320).optional()

/** A cursor ahead of the last row is not one of this world. */
export function assertNotAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('invalid', 'after', `The cursor ${after} lies ahead of this world.`, {
    code: 'cursor-ahead',
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
  /** Rows to find at most. */
  most: number
  conditions: readonly Condition<Row>[]
}

/** Reads a journal onwards, as often as it is asked, and collects what matches. */
export function createSearch<Row extends { readonly cursor: number }>(search: Search<Row>) {
  const { journal, after = 0, most, conditions } = search
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
      if (found.length >= most) return
      for (const row of journal.after(cursor)) {
        cursor = row.cursor
        if (conditions.every(({ isMet }) => isMet(row))) found.push(row)
        if (found.length >= most) return
      }
      cursor = journal.last
    },
  }
}

/** The rows after a cursor that one answer holds, and the cursor to go on with. */
export function searchPage<Row extends { readonly cursor: number }>(
  journal: Journal<Row>,
  { after, limit = LIMIT_DEFAULT }: PageQuery,
  conditions: readonly Condition<Row>[],
) {
  const search = createSearch({ journal, after, most: limit, conditions })
  search.readOn()
  return { found: search.found, cursor: search.cursor }
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
  throw new DomainError('not-found', 'id', message)
}

/** Rows that one page of a filtered list looks at, so that a rare match cannot stall the server. */
const SCAN_MAX = 100_000

export interface PageQuery {
  after?: number | undefined
  limit?: number | undefined
}

/** A page of a list that only grows; its cursor is the position after the last row looked at. */
export function readPage<Row>(
  rows: readonly Row[],
  { after = 0, limit = LIMIT_DEFAULT }: PageQuery,
  matches: (row: Row) => boolean,
) {
  assertNotAhead(after, rows.length)
  const items: Row[] = []
  const end = Math.min(rows.length, after + SCAN_MAX)
  let position = after
  for (; position < end && items.length < limit; position++) {
    const row = rows[position] as Row
    if (matches(row)) items.push(row)
  }
  return { items, cursor: String(position), more: position < rows.length }
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
  const { items, cursor, more } = readPage(rows, query, matches)
  return { items: items.map(present), total: count(), cursor, more }

  function count() {
    if (status === undefined) return rows.length
    return counts ? (counts.get(status) ?? 0) : rows.filter(matches).length
  }
}
