import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { DURATION_HELP, formatDuration, parseDuration } from '../../world/duration.ts'
import type { Journal } from '../../world/journal.ts'
import { WAIT_MAX_MS } from './wait.ts'

export const LIMIT_DEFAULT = 100
/** Rows in one answer. */
export const LIMIT_MAX = 1_000

/** Where a reader stands; cursors are opaque texts to it. */
export const Cursor = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a cursor from an earlier answer' })
    .transform(Number)
    .optional()

/** How many rows, from 1 to `LIMIT_MAX`. */
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

/** A cursor that lies ahead was not given out by this world. */
export function refuseAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('invalid', 'after', `The cursor ${after} lies ahead of this world.`, {
    code: 'cursor-ahead',
    hint: 'Was the world reset? Start again without after.',
  })
}

interface Row {
  readonly cursor: number
}

export interface Search<T extends Row> {
  journal: Journal<T>
  after?: number | undefined
  /** Rows to find at most. */
  most: number
  matches(row: T): boolean
}

/** Reads a journal onwards, as often as it is asked, and collects what matches. */
export function createSearch<T extends Row>({ journal, after = 0, most, matches }: Search<T>) {
  refuseAhead(after, journal.last)
  const found: T[] = []
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
        if (matches(row)) found.push(row)
        if (found.length >= most) return
      }
      cursor = journal.last
    },
  }
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
  refuseAhead(after, rows.length)
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
export const PageAnswer = (row: z.ZodType) =>
  z.strictObject({ items: z.array(row), total: z.int(), cursor: z.string(), more: z.boolean() })
