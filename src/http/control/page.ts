import * as z from 'zod'
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
/** Parameters of a wait: where to go on, how many rows to wait for, and how long. */
export const Wait = () => ({ after: Cursor(), count: Count(), timeout: WaitTime().optional() })
type Paging = z.output<z.ZodObject<ReturnType<typeof Page> & ReturnType<typeof Wait>>>
/** Parameters that are not filters. */
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

/** Rows at positions from 1 on, of which the oldest may be forgotten. */
type Rows<Row> = Pick<Journal<Row>, 'last' | 'count' | 'at'>

/** Rows, and how they are asked for. */
interface Listing<Row, Shown> {
  rows: Rows<Row>
  /** Cursor to go on from, and conditions: each on the field of a row with its name, or on what `tests` looks at. */
  query: Paging & Readonly<Record<string, unknown>>
  tests?: Readonly<Record<string, (row: Row, value: never) => boolean>>
  present(row: Row): Shown
}

/** The rows after a cursor that one response holds, and the cursor to go on with. */
export function listRows<Name extends string, Row, Shown>(
  name: Name,
  listing: Listing<Row, Shown>,
) {
  const search = createSearch(listing)
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  return search.present(name)
}

/** A page of a list that only grows, and how many rows there are on all pages. */
export function readPage<Row, Shown>(
  list: readonly Row[],
  listing: Omit<Listing<Row, Shown>, 'rows'>,
) {
  const { length } = list
  const rows = { last: length, count: length, at: (position: number) => list[position - 1] }
  const search = createSearch({ ...listing, rows })
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  const { items, cursor } = search.present('items')
  const total = search.conditions.length === 0 ? length : list.filter(search.matches).length
  return { items, total, cursor, more: Number(cursor) < length }
}

interface Polling<Row, Shown> extends Listing<Row, Shown> {
  rows: Journal<Row>
  /** Word for a row, for people. */
  noun: string
  /** A row in a few words. */
  format(row: Row): string
}

/** Like `listRows`, as soon as there are enough; without a count one is enough and all are read. */
export async function pollRows<Name extends string, Row, Shown>(
  name: Name,
  call: Pick<Call, 'c' | 'services'>,
  polling: Polling<Row, Shown>,
) {
  const { count, timeout = 0 } = polling.query
  const search = createSearch(polling)
  const end = await waitFor(call, timeout, () => {
    search.readOn(count ?? LIMIT_MAX)
    return search.found.length >= (count ?? 1)
  })
  if (end === 'reset') {
    const none = { ...underName(name, [] as Shown[]), cursor: '0' }
    return { matched: false, ...none, nearest: 'The world was reset meanwhile.' }
  }
  const page = { matched: end === 'met', ...search.present(name) }
  if (page.matched) return page
  const { length } = search.found
  const tooFew = `Of ${count} that were asked for, ${length} came.`
  return { ...page, nearest: length > 0 ? tooFew : formatNearest(polling, search) }
}

type Search<Row> = ReturnType<typeof createSearch<Row, unknown>>

/** Reads rows onwards, as often as it is asked, and collects what meets the conditions. */
function createSearch<Row, Shown>({ rows, query, tests = {}, present }: Listing<Row, Shown>) {
  const { after = 0 } = query
  assertNotAhead(after, rows.last)
  const conditions = Object.entries(query).filter(
    ([name, value]) => value !== undefined && !PAGING.has(name),
  )
  const found: { row: Row; position: number }[] = []
  let position = after
  return { conditions, found, matches, missedBy, readOn, present: presentUnder }

  function meets(row: Row, [name, value]: [string, unknown]): boolean {
    return tests[name]?.(row, value as never) ?? row[name as keyof Row] === value
  }

  function matches(row: Row): boolean {
    return conditions.every((condition) => meets(row, condition))
  }

  /** Names of the conditions that a row does not meet. */
  function missedBy(row: Row): string[] {
    return conditions.filter((condition) => !meets(row, condition)).map(([name]) => name)
  }

  /** Goes on until so many are found. */
  function readOn(max: number): void {
    position = Math.max(position, rows.last - rows.count)
    while (position < rows.last && found.length < max) {
      position++
      const row = rows.at(position) as Row
      if (matches(row)) found.push({ row, position })
    }
  }

  /** Presents what was found, as far as one response holds it, with the cursor behind that. */
  function presentUnder<Name extends string>(name: Name) {
    const shown = presentRows(found, ({ row }) => present(row))
    const isAll = shown.length === found.length
    const cursor = String(isAll ? position : found[shown.length - 1]?.position)
    return { ...underName(name, shown), cursor }
  }
}

/** A cursor ahead of the last row is not one of this world. */
function assertNotAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('cursor-ahead', `The cursor ${after} lies ahead of this world.`, {
    field: 'after',
    hint: 'Was the world reset? Start again without after.',
  })
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

const NOUNS = { req: 'request', act: 'action', dlv: 'delivery' }

/** Like `findInJournal`, but throws where it is not there, or kept no longer. */
export function getFromJournal<Row>(
  journal: Pick<Journal<Row>, 'at' | 'max'>,
  prefix: keyof typeof NOUNS,
  id: string,
): Row {
  const found = findInJournal(journal, prefix, id)
  if (found !== undefined) return found
  const message = `There is no ${NOUNS[prefix]} ${id}; the last ${journal.max} are kept.`
  throw new DomainError('not-found', message, { field: 'id' })
}

/** How a wait ended; `gone` means that the caller or the world is. */
type WaitEnd = 'met' | 'timeout' | 'reset' | 'gone'

/**
 * Looks at once, and then whenever something happens. The look and the listening are one
 * synchronous step, so nothing can happen unseen between them.
 */
function waitFor(
  { c, services }: Pick<Call, 'c' | 'services'>,
  timeoutMs: number,
  look: () => boolean,
): Promise<WaitEnd> | WaitEnd {
  if (look()) return 'met'
  if (timeoutMs === 0) return 'timeout'
  const { signal } = c.req.raw
  if (signal.aborted) return 'gone'
  return new Promise((resolve) => {
    const unfollow = services.feed.follow(({ kind }) => {
      if (kind === 'reset') end('reset')
      else if (kind === 'closed') end('gone')
      else if (look()) end('met')
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
  { rows: journal, query: { after = 0 }, noun, format }: Polling<Row, unknown>,
  { conditions, missedBy }: Search<Row>,
): string {
  const rows = journal.after(after).map((row) => ({ row, missed: missedBy(row) }))
  const when = after > 0 ? 'came since' : 'came so far'
  if (rows.length === 0) return `No ${noun} ${when}.`
  const head = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'} ${when}`
  const fewest = Math.min(...rows.map(({ missed }) => missed.length))
  if (fewest === conditions.length) {
    return `${head}, none with this ${conditions.map(([name]) => name).join(' or ')}.`
  }
  const nearest = rows.filter(({ missed }) => missed.length === fewest).slice(-NAMED_MAX)
  const named = nearest.map(({ row, missed }) => `${format(row)} (another ${missed.join(' and ')})`)
  return `${head}; nearest: ${named.join(', ')}.`
}
