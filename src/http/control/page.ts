import * as z from 'zod'
import type { FeedKind } from '../../engine/feed.ts'
import { realTime } from '../../real-time.ts'
import { DomainError } from '../../world/domain-error.ts'
import { DURATION_HELP, formatDuration, parseDuration } from '../../world/duration.ts'
import type { Journal } from '../../world/journal.ts'
import type { Call } from '../operation.ts'
import { Text } from './shapes.ts'

/** Longest wall time that one call waits. */
export const WAIT_MAX_MS = 60_000
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000
/** Bytes of one response; a page ends earlier than `limit` says where its rows are long. */
export const RESPONSE_MAX = 4 * 1024 * 1024
/** Share of them that is for rows. */
const ROWS_BYTES_MAX = RESPONSE_MAX - 64 * 1024

export const TOO_MANY_WAIT = { 429: 'Too many calls wait in this world.' }

/** A reader's position; to the reader it is an opaque text. */
const Cursor = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a cursor from an earlier response' })
    .transform(Number)
    .optional()

const Count = () => {
  const error = `must be an integer from 1 to ${LIMIT_MAX}`
  return toNumber(z.string().regex(/^([1-9]\d{0,2}|1000)$/, { error }), 1, LIMIT_MAX).optional()
}

/** A number as a query has it, as text; callers of the library give the number. */
export const toNumber = (text: z.ZodString, minimum: number, maximum: number) =>
  text
    .transform(Number)
    .meta({ wire: { type: 'integer', minimum, maximum } }) as unknown as z.ZodType<number, number>

/** A length of time to wait, read as ms; a query may say a number of ms as text. */
export const WaitTime = () =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const ms = parseDuration(/^\d{1,9}$/.test(String(value)) ? Number(value) : value)
    if (ms !== undefined && ms <= WAIT_MAX_MS) return ms
    const longest = formatDuration(WAIT_MAX_MS)
    context.addIssue({ code: 'custom', message: `must be ${DURATION_HELP}, at most ${longest}` })
    return z.NEVER
  })

/** A word of a filter. */
export const FilterText = () => Text(320)
export const Filter = () => FilterText().optional()

/** Parameters of a list: where to go on, and how many rows to read at most. */
export const Page = () => ({ after: Cursor(), limit: Count() })
type Page = z.output<z.ZodObject<ReturnType<typeof Page>>>

/** Parameters of a wait: where to go on, how many rows to wait for, and how long. */
export const Wait = () => ({ after: Cursor(), count: Count(), timeout: WaitTime().optional() })
type Wait = z.output<z.ZodObject<ReturnType<typeof Wait>>>
/** Parameters of a list that are not filters. */
const PAGING: ReadonlySet<string> = new Set(['after', 'limit', 'count', 'timeout'])

/** `more` says whether reading on after `cursor` may find more. */
export const PageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ items: z.array(row), total: z.int(), cursor: z.string(), more: z.boolean() })

/** Every row in one response, where there can only be few. */
export const ListOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ items: z.array(row), total: z.int() })

export const toList = <Row>(items: Row[]) => ({ items, total: items.length })

const underName = <Name extends string, Value>(name: Name, value: Value) =>
  ({ [name]: value }) as Record<Name, Value>

/** Schema of what `listRows` returns. */
export const RowsOf = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  z.strictObject({ ...underName(name, z.array(row)), cursor: z.string() })

/** Schema of what `pollRows` returns. */
export const PolledOf = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  z.strictObject({
    matched: z.boolean(),
    ...underName(name, z.array(row)),
    cursor: z.string(),
    nearest: z.string().optional().describe('When nothing matched: what came nearest.'),
  })

/** A cursor ahead of the last row is not one of this world. */
function assertNotAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('cursor-ahead', `The cursor ${after} lies ahead of this world.`, {
    field: 'after',
    hint: 'Was the world reset? Start again without after.',
  })
}

/** A page of a list that only grows; its cursor is the position after the last row looked at. */
export function readPage<Row extends { status?: string }, Shown>(
  rows: readonly Row[],
  { after = 0, limit = LIMIT_DEFAULT, status }: Page & { status?: string | undefined },
  present: (row: Row) => Shown,
) {
  assertNotAhead(after, rows.length)
  const matches = (row: Row) => status === undefined || row.status === status
  const found: { row: Row; cursor: number }[] = []
  let position = after
  for (; position < rows.length && found.length < limit; position++) {
    const row = rows[position] as Row
    if (matches(row)) found.push({ row, cursor: position + 1 })
  }
  const shown = presentFound({ found, cursor: position }, ({ row }) => present(row))
  const total = status === undefined ? rows.length : rows.filter(matches).length
  const more = Number(shown.cursor) < rows.length
  return { items: shown.rows, total, cursor: shown.cursor, more }
}

/** The rows of a journal, and how they are asked for. */
interface Listing<Row, Shown> {
  journal: Journal<Row>
  /** Each is a condition on the field of a row with its name, or on what `tests` looks at. */
  query: Readonly<Record<string, unknown>>
  tests?: Readonly<Record<string, (row: Row, value: never) => boolean>>
  present(row: Row): Shown
}

type Positioned = { readonly cursor: number }

/** The rows after a cursor that one response holds, and the cursor to go on with. */
export function listRows<Row extends Positioned, Shown>(listing: Listing<Row, Shown>) {
  const { after, limit = LIMIT_DEFAULT } = listing.query as Page
  const search = createSearch(listing, after, limit)
  search.readOn()
  return presentFound(search, listing.present)
}

interface Polling<Row, Shown> extends Listing<Row, Shown> {
  kind: FeedKind
  /** Word for a row, for people. */
  noun: string
  /** A row in a few words. */
  format(row: Row): string
}

/** Like `listRows`, as soon as there are enough; without a count one is enough and all are read. */
export async function pollRows<Row extends Positioned, Shown>(
  call: Pick<Call, 'c' | 'services'>,
  polling: Polling<Row, Shown>,
): Promise<{ matched: boolean; rows: Shown[]; cursor: string; nearest?: string }> {
  const { after = 0, count, timeout = 0 } = polling.query as Wait
  const search = createSearch(polling, after, count ?? LIMIT_MAX)
  const end = await waitFor(call, polling.kind, timeout, () => {
    search.readOn()
    return search.found.length >= (count ?? 1)
  })
  if (end === 'reset') {
    return { matched: false, rows: [], cursor: '0', nearest: 'The world was reset meanwhile.' }
  }
  const page = presentFound(search, polling.present)
  if (end === 'met') return { matched: true, ...page }
  const { length } = search.found
  const nearest =
    length > 0
      ? `Of ${count} that were asked for, ${length} came.`
      : formatNearest(polling, after, search.conditions)
  return { matched: false, ...page, nearest }
}

/** One thing that a reader asks of a row. */
interface Condition<Row> {
  /** The query parameter it comes from. */
  name: string
  isMet(row: Row): boolean
}

/** Reads a journal onwards, as often as it is asked, and collects what matches. */
function createSearch<Row extends Positioned>(
  { journal, query, tests = {} }: Listing<Row, unknown>,
  after = 0,
  max: number,
) {
  assertNotAhead(after, journal.last)
  const conditions = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !PAGING.has(name))
    .map(([name, value]): Condition<Row> => {
      const test = tests[name] ?? ((row: Row) => row[name as keyof Row] === value)
      return { name, isMet: (row) => test(row, value as never) }
    })
  const search = { found: [] as Row[], cursor: after, conditions, readOn }
  return search

  function readOn(): void {
    if (search.found.length >= max) return
    for (const row of journal.after(search.cursor)) {
      search.cursor = row.cursor
      if (conditions.every(({ isMet }) => isMet(row))) search.found.push(row)
      if (search.found.length >= max) return
    }
    search.cursor = journal.last
  }
}

/** Presents what was found, as far as one response holds it, with the cursor behind that. */
function presentFound<Row extends Positioned, Shown>(
  { found, cursor }: { found: readonly Row[]; cursor: number },
  present: (row: Row) => Shown,
) {
  const rows = presentRows(found, present)
  const isAll = rows.length === found.length
  return { rows, cursor: String(isAll ? cursor : found[rows.length - 1]?.cursor) }
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

/** Like `findInJournal`, but throws where it is not there, or kept no longer. */
export function getFromJournal<Row>(
  journal: Pick<Journal<Row>, 'at' | 'max'>,
  { prefix, noun, id }: { prefix: string; noun: string; id: string },
): Row {
  const found = findInJournal(journal, prefix, id)
  if (found !== undefined) return found
  const message = `There is no ${noun} ${id}; the last ${journal.max} are kept.`
  throw new DomainError('not-found', message, { field: 'id' })
}

/** How a wait ended; `gone` means that the caller or the world is. */
type WaitEnd = 'met' | 'timeout' | 'reset' | 'gone'

/**
 * Looks at once, and then whenever something of the kind happens. The look and the listening
 * are one synchronous step, so nothing can happen unseen between them.
 */
function waitFor(
  { c, services }: Pick<Call, 'c' | 'services'>,
  kind: FeedKind,
  timeoutMs: number,
  look: () => boolean,
): Promise<WaitEnd> | WaitEnd {
  if (look()) return 'met'
  if (timeoutMs === 0) return 'timeout'
  const { signal } = c.req.raw
  if (signal.aborted) return 'gone'
  return new Promise((resolve) => {
    const unfollow = services.feed.follow((entry) => {
      if (entry.kind === 'reset') end('reset')
      else if (entry.kind === 'closed') end('gone')
      else if (entry.kind === kind && look()) end('met')
    })
    const timer = realTime.setTimeout(() => end('timeout'), timeoutMs)
    const abort = () => end('gone')
    signal.addEventListener('abort', abort)
    function end(how: WaitEnd) {
      realTime.clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      unfollow()
      resolve(how)
    }
  })
}

/** Rows that a sentence about near misses names. */
const NAMED_MAX = 5

/** Says what came nearest to the conditions. */
function formatNearest<Row>(
  { journal, noun, format }: Polling<Row, unknown>,
  after: number,
  conditions: readonly Condition<Row>[],
): string {
  const rows = journal.after(after)
  const when = after > 0 ? 'came since' : 'came so far'
  if (rows.length === 0) return `No ${noun} ${when}.`
  const missedBy = (row: Row) =>
    conditions.filter(({ isMet }) => !isMet(row)).map(({ name }) => name)
  const fewest = Math.min(...rows.map((row) => missedBy(row).length))
  const head = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'} ${when}`
  if (fewest === conditions.length) {
    return `${head}, none with this ${conditions.map(({ name }) => name).join(' or ')}.`
  }
  const nearest = rows.filter((row) => missedBy(row).length === fewest).slice(-NAMED_MAX)
  const named = nearest.map((row) => `${format(row)} (another ${missedBy(row).join(' and ')})`)
  return `${head}; nearest: ${named.join(', ')}.`
}
