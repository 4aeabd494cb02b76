import type * as z from 'zod'
import { LIMIT_MAX, type Page, underName, type Wait } from '../../control-api/pages.ts'
import { realTime } from '../../real-time.ts'
import { DomainError } from '../../world/domain-error.ts'
import { type Entries, type Entry, findById } from '../../world/entries.ts'
import { plural } from '../../world/plural.ts'
import { toVisible, wordList } from '../../world/word-list.ts'
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

/** A list without pages, with the number of all rows that match. */
export function readList<Row, Query extends Paging, Shown>(
  list: readonly Row[],
  { query, filters, present }: PageListing<Row, Query, Shown>,
) {
  const conditions = toConditions({ query, filters })
  const found = list.filter((row) => conditions.every((condition) => condition.matches(row)))
  const shown = query.last === undefined ? found : found.slice(-query.last)
  return { items: shown.map(present), total: found.length }
}

/** Rows by their positions, of which the oldest may be forgotten. */
type Rows<Row> = Pick<Entries<Row & Entry>, 'last' | 'after'>

/** Returns the rows after a cursor that fit in one response, and the next cursor. */
export function listRows<Name extends string, Row extends Entry, Query extends Paging, Shown>(
  name: Name,
  listing: Listing<Row, Query, Shown>,
) {
  const search = new Search(listing)
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  return search.present(name)
}

interface Listing<Row extends Entry, Query extends Paging, Shown> {
  rows: Rows<Row>
  /** The newest position that a cursor may have; by default that of the rows. */
  end?: number
  /** The cursor and the conditions. */
  query: Query
  filters: Filters<Row, Query>
  present(row: Row): Shown
}

/** A page of a list that only grows, by the places in it, with the total of all pages. */
export function readPage<Row, Query extends Paging, Shown>(
  list: readonly Row[],
  { query, filters, present }: PageListing<Row, Query, Shown>,
) {
  const { last, limit = LIMIT_DEFAULT } = query
  const after = startOf(query, list.length)
  const conditions = toConditions({ query, filters })
  const all = list
    .map((row, i) => ({ row, place: i + 1 }))
    .filter(({ row }) => conditions.every((condition) => condition.matches(row)))
  const from = Math.max(after, (last !== undefined && all.at(-last - 1)?.place) || 0)
  const found = all.filter(({ place }) => place > from)
  const items = presentRows(found.slice(0, limit), ({ row }) => present(row))
  const end = items.length === found.length ? list.length : Number(found[items.length - 1]?.place)
  return { items, cursor: String(end), more: end < list.length, total: all.length }
}

interface PageListing<Row, Query extends Paging, Shown> {
  query: Query
  filters: Filters<Row, Query>
  present(row: Row): Shown
}

interface Polling<Row extends Entry, Query extends Paging, Shown>
  extends Listing<Row, Query, Shown> {
  noun: string
  format(row: Row): string
}

/** Waits until there are enough rows, and returns them with the next cursor. By default one row is enough. */
export async function pollRows<Name extends string, Row extends Entry, Query extends Paging, Shown>(
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
    const after = startOf(polling.query, polling.end ?? polling.rows.last)
    const none = { ...underName(name, [] as Shown[]), cursor: String(after), more: true }
    return { matched: false, ...none, nearest: 'The world was reset while the call was waiting.' }
  }
  const page = { matched: end === 'met', ...search.present(name) }
  if (page.matched) return page
  const { length } = search.found
  const tooFew = `Only ${length} of ${count} arrived.`
  return { ...page, nearest: length > 0 ? tooFew : formatNearest(polling, search) }
}

interface Condition<Row> {
  name: string
  matches(row: Row): boolean
}

/**
 * Collects the rows after a cursor that match. Each `readOn` continues where the last one stopped.
 */
class Search<Row extends Entry, Query extends Paging, Shown> {
  readonly conditions: readonly Condition<Row>[]
  readonly found: Row[] = []
  readonly #listing: Listing<Row, Query, Shown>
  #position: number
  /** Number of matching rows up to a position, including those before the cursor. */
  #counted: { total: number; until: number } | undefined

  constructor(listing: Listing<Row, Query, Shown>) {
    const { rows, query, end = rows.last } = listing
    const { last } = query
    const after = startOf(query, end)
    this.#listing = listing
    this.#position = after
    this.conditions = toConditions(listing)
    if (last === undefined) return
    const all = this.#matching(0)
    this.#counted = { total: all.length, until: rows.last }
    const older = all.filter(({ pos }) => pos > after).at(-last - 1)
    this.#position = older?.pos ?? after
  }

  matches(row: Row): boolean {
    return this.conditions.every((condition) => condition.matches(row))
  }

  missedBy(row: Row): string[] {
    return this.conditions.filter((one) => !one.matches(row)).map(({ name }) => name)
  }

  readOn(max: number): void {
    const { rows } = this.#listing
    for (const row of rows.after(this.#position)) {
      if (this.found.length === max) return
      this.#position = row.pos
      if (this.matches(row)) this.found.push(row)
    }
    this.#position = Math.max(this.#position, rows.last)
  }

  #matching(after: number): Row[] {
    return this.#listing.rows.after(after).filter((row) => this.matches(row))
  }

  /** Presents the rows that fit in one response, with the cursor after the last of them. */
  present<Name extends string>(name: Name) {
    const { present, rows } = this.#listing
    const shown = presentRows(this.found, present)
    const isAll = shown.length === this.found.length
    const end = isAll ? this.#position : Number(this.found[shown.length - 1]?.pos)
    const page = { ...underName(name, shown), cursor: String(end), more: end < rows.last }
    if (this.#counted === undefined) return page
    const { total, until } = this.#counted
    return { ...page, total: total + this.#matching(until).length }
  }
}

function toConditions<Row, Query extends Paging>({
  query,
  filters,
}: Omit<PageListing<Row, Query, unknown>, 'present'>): Condition<Row>[] {
  const names = Object.keys(filters) as (keyof typeof filters & string)[]
  return names.flatMap((name) => {
    const asked = query[name]
    return asked == null ? [] : [{ name, matches: (row) => filters[name](row, asked) }]
  })
}

/** Position after which a reader begins. This world never gave out one ahead of the last row. */
function startOf({ after = 0 }: Paging, last: number): number {
  if (after === Number.POSITIVE_INFINITY) return last
  if (after <= last) return after
  throw new DomainError('cursor-ahead', `The cursor ${after} is beyond the last row.`, {
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

const NOUNS = { calls: 'request', actions: 'action', deliveries: 'delivery' } as const
const PREFIXES = { calls: 'req', actions: 'act', deliveries: 'dlv' } as const

/** The call, action or delivery of an id. The error says whether it is no longer kept. */
export function getFromJournal<Kind extends keyof typeof NOUNS>(
  { journal, forgotten }: Pick<Services, 'journal' | 'forgotten'>,
  kind: Kind,
  id: string,
): NonNullable<ReturnType<Services['journal'][Kind]['at']>> {
  const rows: Entries<Entry & { id: string }> = journal[kind]
  const found = findById(rows, id)
  if (found !== undefined) return found as never
  const why = explainMissing({ kind, id, rows, forgotten })
  const message = `There is no ${NOUNS[kind]} ${toVisible(id)}${why}.`
  throw new DomainError('not-found', message, { field: 'id' })
}

interface Missing {
  kind: keyof typeof NOUNS
  id: string
  rows: Pick<Entries<Entry>, 'total' | 'max'>
  forgotten: Forgotten | undefined
}

/** Ends a sentence about a missing row with the reason: forgotten, or not there yet. */
function explainMissing({ kind, id, rows, forgotten }: Missing): string {
  const [, prefix, digits] = /^([a-z]+)_(\d{1,15})$/.exec(id) ?? []
  if (prefix !== PREFIXES[kind]) return ''
  const number = Number(digits)
  if (number === 0) return ''
  if (number <= rows.total) return `; only the last ${rows.max} are kept`
  if (forgotten === undefined || number > forgotten[kind].total) return ' yet'
  return `; it was deleted when the world was reset at ${new Date(forgotten.at).toISOString()}`
}

/** Outcome of a wait. `gone`: the caller left or the world closed. */
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
    const unfollow = services.journal.follow((kind) => {
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

/** Names conditions in a sentence; the text that a list is searched for has no name there. */
const listConditions = (names: readonly string[], last: 'and' | 'or'): string =>
  wordList(
    names.map((name) => (name === 'q' ? 'text' : name)),
    last,
  )

/** Most rows that the sentence about near misses names. */
const NAMED_MAX = 5

function formatNearest<Row extends Entry, Query extends Paging>(
  { rows: all, query: { after = 0 }, noun, format }: Polling<Row, Query, unknown>,
  search: Search<Row, Query, unknown>,
): string {
  const rows = all.after(after).map((row) => ({ row, missed: search.missedBy(row) }))
  const isNew = after > 0
  const what = isNew ? `new ${noun}` : noun
  const when = isNew ? '' : ' so far'
  if (rows.length === 0) return `No ${what}s${when}.`
  const head = `${plural(rows.length, what)}${when}`
  const fewest = Math.min(...rows.map(({ missed }) => missed.length))
  if (fewest === search.conditions.length) {
    return `${head}, none with this ${listConditions(
      search.conditions.map(({ name }) => name),
      'or',
    )}.`
  }
  const nearest = rows.filter(({ missed }) => missed.length === fewest).slice(-NAMED_MAX)
  const named = nearest.map(
    ({ row, missed }) => `${format(row)} (different ${listConditions(missed, 'and')})`,
  )
  return `${head}; nearest: ${named.join(', ')}.`
}
