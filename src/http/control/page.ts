import type * as z from 'zod'
import { type Last, LIMIT_MAX, type Page, underName, type Wait } from '../../levers/pages.ts'
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

type Paging = z.output<
  z.ZodObject<ReturnType<typeof Page> & ReturnType<typeof Last> & ReturnType<typeof Wait>>
>

const PAGING: ReadonlySet<string> = new Set(['after', 'limit', 'last', 'count', 'timeout'])

export const toList = <Row>(items: Row[]) => ({ items, total: items.length })

/** Rows at positions from 1 on, of which the oldest may be forgotten. */
type Rows<Row> = Pick<Journal<Row>, 'last' | 'count' | 'at'>

/** Returns the rows after a cursor that fit in one response, and the next cursor. */
export function listRows<Name extends string, Row, Shown>(
  name: Name,
  listing: Listing<Row, Shown>,
) {
  const search = new Search(listing)
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  return search.present(name)
}

interface Listing<Row, Shown> {
  rows: Rows<Row>
  /** The cursor and the conditions. Each condition is on the field of the same name, or on a function in `tests`. */
  query: Paging & Readonly<Record<string, unknown>>
  tests?: Readonly<Record<string, (row: Row, value: never) => boolean>>
  present(row: Row): Shown
}

/** A page of a list that only grows, with the total of all pages. */
export function readPage<Row, Shown>(
  list: readonly Row[],
  listing: Omit<Listing<Row, Shown>, 'rows'>,
) {
  const { length } = list
  const rows = { last: length, count: length, at: (position: number) => list[position - 1] }
  const search = new Search({ ...listing, rows })
  search.readOn(listing.query.limit ?? LIMIT_DEFAULT)
  const { items, ...next } = search.present('items')
  const total =
    search.conditions.length === 0 ? length : list.filter((row) => search.matches(row)).length
  return { items, total, ...next }
}

interface Polling<Row, Shown> extends Listing<Row, Shown> {
  rows: Journal<Row>
  noun: string
  format(row: Row): string
}

/** Waits until there are enough rows, and returns them with the next cursor. By default one row is enough. */
export async function pollRows<Name extends string, Row, Shown>(
  name: Name,
  call: Pick<Call, 'c' | 'services'>,
  polling: Polling<Row, Shown>,
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

type Condition = [name: string, value: unknown]

/**
 * Collects the rows after a cursor that match. Each `readOn` continues where the last one stopped.
 */
class Search<Row, Shown> {
  readonly conditions: readonly Condition[]
  readonly found: { row: Row; position: number }[] = []
  readonly #listing: Listing<Row, Shown>
  #position: number

  constructor(listing: Listing<Row, Shown>) {
    const { rows, query } = listing
    const { after = 0 } = query
    assertNotAhead(after, rows.last)
    this.#listing = listing
    this.#position = after
    this.conditions = Object.entries(query).filter(
      ([name, value]) => value !== undefined && !PAGING.has(name),
    )
    if (query.last !== undefined) this.#skipBefore(query.last)
  }

  matches(row: Row): boolean {
    return this.conditions.every((condition) => this.#meets(row, condition))
  }

  missedBy(row: Row): string[] {
    return this.conditions.filter((condition) => !this.#meets(row, condition)).map(([name]) => name)
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
    const { present, rows } = this.#listing
    const shown = presentRows(this.found, ({ row }) => present(row))
    const isAll = shown.length === this.found.length
    const end = isAll ? this.#position : Number(this.found[shown.length - 1]?.position)
    return { ...underName(name, shown), cursor: String(end), more: end < rows.last }
  }

  #meets(row: Row, [name, value]: Condition): boolean {
    const { tests = {} } = this.#listing
    return tests[name]?.(row, value as never) ?? row[name as keyof Row] === value
  }
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

function formatNearest<Row>(
  { rows: journal, query: { after = 0 }, noun, format }: Polling<Row, unknown>,
  search: Search<Row, unknown>,
): string {
  const rows = journal.after(after).map((row) => ({ row, missed: search.missedBy(row) }))
  const when = after > 0 ? 'since then' : 'so far'
  if (rows.length === 0) return `No ${noun} ${when}.`
  const head = `${rows.length} ${noun}${rows.length === 1 ? '' : 's'} ${when}`
  const fewest = Math.min(...rows.map(({ missed }) => missed.length))
  if (fewest === search.conditions.length) {
    return `${head}, none with this ${search.conditions.map(([name]) => name).join(' or ')}.`
  }
  const nearest = rows.filter(({ missed }) => missed.length === fewest).slice(-NAMED_MAX)
  const named = nearest.map(({ row, missed }) => `${format(row)} (another ${missed.join(' and ')})`)
  return `${head}; nearest: ${named.join(', ')}.`
}
