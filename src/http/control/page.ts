import type * as z from 'zod'
import { LIMIT_MAX, type Page, underName, type Wait } from '../../control-api/pages.ts'
import { realTime } from '../../real-time.ts'
import { DomainError } from '../../world/domain-error.ts'
import type { Journal } from '../../world/journal.ts'
import type { Call } from '../operation.ts'
import type { Forgotten, Services } from '../services.ts'

const LIMIT_DEFAULT = 100

/** Bytes of one response; a page ends earlier than `limit` says where its rows are long. */
const RESPONSE_MAX = 4 * 1024 * 1024

/** The part of a response that rows may take. */
const ROWS_BYTES_MAX = RESPONSE_MAX - 64 * 1024

const PAGING = ['after', 'limit', 'last', 'count', 'timeout'] as const
type PagingName = (typeof PAGING)[number]

type Paging = Pick<
  z.output<z.ZodObject<ReturnType<typeof Page> & ReturnType<typeof Wait>>>,
  PagingName
>

/** A function for each condition of a query, by its name. */
export type Filters<Row, Query> = {
  readonly [Name in Exclude<keyof Query, PagingName>]-?: (
    row: Row,
    asked: NonNullable<Query[Name]>,
  ) => boolean
}

export const toList = <Row>(items: Row[]) => ({ items, total: items.length })

/** Rows at positions from 1 on, of which the oldest may be forgotten. */
type Rows<Row> = Pick<Journal<Row>, 'last' | 'count' | 'at'>

/** Returns the rows after a cursor that fit in one response, and the next cursor. */
export function listRows<Name extends string, Row, Query extends Paging, Shown>(
  name: Name,
  listing: Listing<Row, Query, Shown>,
) {
  const search = new Search(listing)
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  return search.present(name)
}

interface Listing<Row, Query extends Paging, Shown> {
  rows: Rows<Row>
  /** The cursor and the conditions. */
  query: Query
  filters: Filters<Row, Query>
  present(row: Row): Shown
}

/** A page of a list that only grows, with the total of all pages. */
export function readPage<Row, Query extends Paging, Shown>(
  list: readonly Row[],
  listing: Omit<Listing<Row, Query, Shown>, 'rows'>,
) {
  const { length } = list
  const rows = { last: length, count: length, at: (position: number) => list[position - 1] }
  const search = new Search({ ...listing, rows })
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  return { ...search.present('items'), total: search.countAll() }
}

interface Polling<Row, Query extends Paging, Shown> extends Listing<Row, Query, Shown> {
  rows: Journal<Row>
  noun: string
  format(row: Row): string
}

/** Waits until there are enough rows, and returns them with the next cursor. By default one row is enough. */
export async function pollRows<Name extends string, Row, Query extends Paging, Shown>(
  name: Name,
  call: Pick<Call, 'c' | 'services'>,
  polling: Polling<Row, Query, Shown>,
) {
  const { count, timeout = 0 } = polling.query
  const search = new Search(polling)
  const end = await waitFor(call, timeout, () => {
    search.readOn(count ?? LIMIT_MAX)
    return search.found.length >= (count ?? 1)
  })
  if (end === 'reset') {
    const none = { ...underName(name, [] as Shown[]), cursor: '0', more: true }
    return { matched: false, ...none, nearest: 'The world was reset meanwhile.' }
  }
  const page = { matched: end === 'met', ...search.present(name) }
  if (page.matched) return page
  const { length } = search.found
  const tooFew = `Of ${count} that were asked for, ${length} came.`
  return { ...page, nearest: length > 0 ? tooFew : formatNearest(polling, search) }
}

interface Condition<Row> {
  name: string
  matches(row: Row): boolean
}

/**
 * Collects the rows after a cursor that match. Each `readOn` continues where the last one stopped.
 */
class Search<Row, Query extends Paging, Shown> {
  readonly conditions: readonly Condition<Row>[]
  readonly found: { row: Row; position: number }[] = []
  readonly #listing: Listing<Row, Query, Shown>
  #position: number

  constructor(listing: Listing<Row, Query, Shown>) {
    const { rows, query } = listing
    const { after = 0 } = query
    assertNotAhead(after, rows.last)
    this.#listing = listing
    this.#position = after
    this.conditions = toConditions(listing)
    if (query.last !== undefined) this.#skipBefore(query.last)
  }

  matches(row: Row): boolean {
    return this.conditions.every((condition) => condition.matches(row))
  }

  missedBy(row: Row): string[] {
    return this.conditions.filter((one) => !one.matches(row)).map(({ name }) => name)
  }

  readOn(max: number): void {
    const { rows } = this.#listing
    this.#position = Math.max(this.#position, rows.last - rows.count)
    while (this.#position < rows.last && this.found.length < max) {
      this.#position++
      const row = rows.at(this.#position) as Row
      if (this.matches(row)) this.found.push({ row, position: this.#position })
    }
  }

  /** Counts the rows that match, those before the cursor included. */
  countAll(): number {
    const { rows } = this.#listing
    if (this.conditions.length === 0) return rows.count
    let count = 0
    for (let position = rows.last - rows.count + 1; position <= rows.last; position++) {
      if (this.matches(rows.at(position) as Row)) count++
    }
    return count
  }

  /** Skips all but the last so many rows that match. */
  #skipBefore(last: number): void {
    const { rows } = this.#listing
    let position = rows.last
    let left = last
    while (position > this.#position && left > 0) {
      const row = rows.at(position)
      if (row !== undefined && this.matches(row)) left--
      position--
    }
    this.#position = position
  }

  /** Presents the rows that fit in one response, with the cursor after the last of them. */
  present<Name extends string>(name: Name) {
    const { present, rows, query } = this.#listing
    const shown = presentRows(this.found, ({ row }) => present(row))
    const isAll = shown.length === this.found.length
    const end = isAll ? this.#position : Number(this.found[shown.length - 1]?.position)
    const total = query.last === undefined ? {} : { total: this.countAll() }
    return { ...underName(name, shown), cursor: String(end), more: end < rows.last, ...total }
  }
}

function toConditions<Row, Query extends Paging>({
  query,
  filters,
}: Pick<Listing<Row, Query, unknown>, 'query' | 'filters'>): Condition<Row>[] {
  const names = Object.keys(filters) as (keyof typeof filters & string)[]
  return names.flatMap((name) => {
    const asked = query[name]
    return asked == null ? [] : [{ name, matches: (row) => filters[name](row, asked) }]
  })
}

/** Rejects a cursor ahead of the last row, which this world never gave out. */
function assertNotAhead(after: number, last: number): void {
  if (after <= last) return
  throw new DomainError('cursor-ahead', `The cursor ${after} is ahead of this world.`, {
    field: 'after',
    hint: 'Was the world reset? Start again without after.',
  })
}

/** Presents rows until a response is full. The first row always fits. */
export function presentRows<Row, Shown>(
  rows: readonly Row[],
  present: (row: Row) => Shown,
  { lists = 1 }: { lists?: number } = {},
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
  const parsed = parseId(id)
  return parsed.prefix === prefix ? journal.at(parsed.position) : undefined
}

function parseId(id: string) {
  const [, prefix, position] = /^([a-z]+)_(\d{1,15})$/.exec(id) ?? []
  return { prefix, position: Number(position) }
}

const NOUNS = { req: 'request', act: 'action', dlv: 'delivery' } as const
const FORGOTTEN = { req: 'requests', act: 'actions', dlv: 'deliveries' } as const

/** Like `findInJournal`, but throws if the row is not there or no longer kept. */
export function getFromJournal<Row>(
  journal: Pick<Journal<Row>, 'at' | 'last' | 'max'>,
  prefix: keyof typeof NOUNS,
  id: string,
  { forgotten }: Pick<Services, 'forgotten'>,
): Row {
  const found = findInJournal(journal, prefix, id)
  if (found !== undefined) return found
  const why = explainMissing(journal, { prefix, id, forgotten })
  const message = `There is no ${NOUNS[prefix]} ${id}${why}.`
  throw new DomainError('not-found', message, { field: 'id' })
}

/** Ends a sentence about a missing row with the reason: forgotten, or not there yet. */
function explainMissing(
  { last, max }: Pick<Journal<unknown>, 'last' | 'max'>,
  missing: { prefix: keyof typeof NOUNS; id: string; forgotten: Forgotten | undefined },
): string {
  const { prefix, id, forgotten } = missing
  const { position, ...parsed } = parseId(id)
  if (parsed.prefix !== prefix) return ''
  if (position <= last) return `; the last ${max} are kept`
  if (forgotten === undefined || !(position <= forgotten[FORGOTTEN[prefix]].last)) return ' yet'
  return `; the reset of the world at ${new Date(forgotten.at).toISOString()} forgot it`
}

/** How a wait ended. `gone`: the caller left or the world closed. */
type WaitEnd = 'met' | 'timeout' | 'reset' | 'gone'

/**
 * Checks at once, and then after every change. The first check and the subscription are one
 * synchronous step, so that no change is missed in between.
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

/** Most rows that the sentence about near misses names. */
const NAMED_MAX = 5

function formatNearest<Row, Query extends Paging>(
  { rows: journal, query: { after = 0 }, noun, format }: Polling<Row, Query, unknown>,
  search: Search<Row, Query, unknown>,
): string {
  const rows = journal.after(after).map((row) => ({ row, missed: search.missedBy(row) }))
  const when = after > 0 ? 'since then' : 'so far'
  if (rows.length === 0) return `No ${noun} ${when}.`
  const head = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'} ${when}`
  const fewest = Math.min(...rows.map(({ missed }) => missed.length))
  if (fewest === search.conditions.length) {
    return `${head}, none with this ${search.conditions.map(({ name }) => name).join(' or ')}.`
  }
  const nearest = rows.filter(({ missed }) => missed.length === fewest).slice(-NAMED_MAX)
  const named = nearest.map(({ row, missed }) => `${format(row)} (another ${missed.join(' and ')})`)
  return `${head}; nearest: ${named.join(', ')}.`
}
