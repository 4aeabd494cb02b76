import type { Child } from 'hono/jsx'
import { formatInstant } from './format.ts'
import { shortStatus } from './parts.tsx'
import type { View } from './view.ts'

export const ROWS_PER_PAGE = 50
/** Name of the time column, by which lists are sorted by default. */
export const AT = 'at'

export interface Column<Row> {
  name: string
  /** Text to search in and to sort by, also shown unless there is a `show`. */
  value(row: Row, view: View): string | number
  show?(row: Row, view: View): Child
  /** A `fill` takes the room that is left, a text has a maximum, and a `mark` is a badge. */
  kind?: 'mark' | 'number' | 'id' | 'url' | 'fill' | 'time'
  /** Shown below the first column on a narrow list. */
  isSecond?: boolean
}

export interface Filter<Row> {
  name: string
  /** Shown while nothing is chosen. */
  label: string
  /** The options that a row belongs to; for a status, what its badge says. */
  of(row: Row, view: View): string | readonly string[]
  /** All options, some with their count; by default those of the rows, which costs a pass. */
  options?(view: View): readonly (string | readonly [option: string, count: number])[]
}

export interface Identified {
  readonly id: string
}

/** A list of the inspector: where its rows come from, and how they look. */
export interface List<Row extends Identified> {
  name: string
  title: string
  noun: string
  /** Oldest first. */
  rows(view: View): readonly Row[]
  find(view: View, id: string): Row | undefined
  /** More text to search in, such as ids that no cell shows. */
  hidden?(row: Row, view: View): readonly unknown[]
  filters: readonly Filter<Row>[]
  /** The first one is the link; a column for the time is added at the end. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  time?: { name: string; of(row: Row): number }
  detail(row: Row, view: View): Child
  empty: { title: string; body(view: View): Child }
  /** Rows that match and are not listed, for a list without rows. */
  unshown?(view: View): Child
  /** Number of older rows that are no longer kept. */
  forgotten?(view: View): number
  aside?(view: View, chosen: Row | undefined): Child
  /** Shown above the rows while none is chosen. */
  head?(view: View): Child
  footer?(view: View): Child
}

/** The rows that match the search and the filters, newest first. */
export function findMatching<Row extends Identified>(view: View, list: List<Row>): Row[] {
  const matches = createRowTest(view, list)
  return (matches ? list.rows(view).filter(matches) : [...list.rows(view)]).reverse()
}

/** Tests a row for the search and the filters; undefined without any. */
function createRowTest<Row extends Identified>(view: View, list: List<Row>) {
  const hasWords = createMatcher(view.query.get('q'))
  const chosen = list.filters.flatMap((filter) => {
    const option = chosenOf(view, filter)
    return option ? [{ filter, option }] : []
  })
  if (!hasWords && chosen.length === 0) return undefined
  return (row: Row): boolean =>
    chosen.every(({ filter, option }) => isAmong(filter.of(row, view), option)) &&
    (!hasWords || hasWords(textsOf(row, list, view)))
}

const isAmong = (options: string | readonly string[], option: string): boolean =>
  typeof options === 'string' ? options === option : options.includes(option)

function textsOf<Row extends Identified>(row: Row, list: List<Row>, view: View): unknown[] {
  const { columns, time, hidden } = list
  const cells = columns.map((column) => column.value(row, view))
  return [row.id, ...cells, time && formatInstant(time.of(row)), ...(hidden?.(row, view) ?? [])]
}

/** One page of rows. The chosen row stays even if it no longer matches, as after a resend. */
export function findPage<Row extends Identified>(
  view: View,
  list: List<Row>,
  chosen: Row | undefined,
) {
  const { key, isDown } = orderOf(view)
  const column = list.columns.find((each) => keyOf(each) === key)
  const matches = createRowTest(view, list)
  const rows = list.rows(view)
  const found = matches ? rows.filter((row) => row.id === chosen?.id || matches(row)) : rows
  const extra = matches && chosen && !matches(chosen) && found.some(({ id }) => id === chosen.id)
  const pages = Math.max(1, Math.ceil(found.length / ROWS_PER_PAGE))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(view.query.get('page')) || 1)))
  const sorted = column ? sortBy(found, (row) => column.value(row, view)) : found
  return {
    rows: takePage(sorted, page, isDown),
    total: found.length - (extra ? 1 : 0),
    page,
    pages,
  }
}

/** A page of sorted rows. Only its rows are copied, as there may be very many others. */
function takePage<Row>(sorted: readonly Row[], page: number, isDown: boolean): Row[] {
  const skip = (page - 1) * ROWS_PER_PAGE
  if (!isDown) return sorted.slice(skip, skip + ROWS_PER_PAGE)
  const end = sorted.length - skip
  return sorted.slice(Math.max(0, end - ROWS_PER_PAGE), end).reverse()
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Sorts rows by a column. Each distinct value is compared once, as most have few. */
function sortBy<Row>(rows: readonly Row[], valueIn: (row: Row) => string | number): Row[] {
  const groups = new Map<string | number, Row[]>()
  for (const row of rows) {
    const value = valueIn(row)
    const group = groups.get(value)
    if (group) group.push(row)
    else groups.set(value, [row])
  }
  return [...groups]
    .map(([value, group]) => ({ key: normalise(String(value)), group }))
    .sort((one, other) => compare(one.key, other.key))
    .flatMap(({ group }) => group)
}

export const keyOf = <Row>({ name }: Column<Row>) => name.toLowerCase().replace(/\W+/g, '-')

export function orderOf({ query }: View): { key: string; isDown: boolean } {
  const sort = query.get('sort') ?? `-${AT}`
  return { key: sort.replace(/^-/, ''), isDown: sort.startsWith('-') }
}

/** The chosen option; a status may be given as its badge says it, or whole. */
export const chosenOf = <Row>({ query }: View, { name }: Filter<Row>): string =>
  shortStatus(query.get(name) ?? '')

export function optionsOf<Row extends Identified>(
  view: View,
  list: List<Row>,
  filter: Filter<Row>,
) {
  const options = filter.options?.(view) ?? countOptions(view, list, filter)
  return new Map(
    options.map((option): [string, string] => {
      if (typeof option === 'string') return [option, option]
      const [word, count] = option
      return [word, `${word} (${count})`]
    }),
  )
}

function countOptions<Row extends Identified>(view: View, list: List<Row>, filter: Filter<Row>) {
  const words = list.rows(view).flatMap((row) => filter.of(row, view))
  const counts = new Map<string, number>()
  for (const word of words.filter(Boolean)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort()
}

/** Makes a test for texts that contain every word of a search; undefined without words. */
export function createMatcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = normalise(query ?? '')
    // An id that is shown shortened has both of its ends.
    .split(/[\s…]+/)
    .filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = normalise(texts.join('\n'))
    return words.every((word) => text.includes(word))
  }
}

/** Lower case without accents, and `2,000.50` as `2000.5`. */
const normalise = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/(\d\.\d*?)0+(?!\d)/g, '$1')
    .replace(/(\d)\.(?!\d)/g, '$1')
