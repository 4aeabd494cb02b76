import type { Journal } from '../world/journal.ts'
import type { View } from './view.ts'

/** Rows that one search looks at. */
export const SCAN_MAX = 100_000

export interface RowSource<Row> {
  length: number
  at(index: number): Row | undefined
}

interface RowRange {
  count: number
  skip?: number
  order?: 'newest' | 'oldest'
}

/** Some rows, in the order that was asked for. */
export function takeRows<Row>(
  source: RowSource<Row>,
  { count, skip = 0, order = 'newest' }: RowRange,
): Row[] {
  const { length } = source
  const rows: Row[] = []
  for (let passed = skip; passed < length && rows.length < count; passed++) {
    const row = source.at(order === 'newest' ? length - 1 - passed : passed)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** The last rows, newest first. */
export const newest = <Row>(source: RowSource<Row>, count: number): Row[] =>
  takeRows(source, { count })

/** A journal as a list, without the rows it has dropped. */
export function journalRows<Row>(
  journal: Pick<Journal<Row>, 'last' | 'max' | 'at'>,
): RowSource<Row> {
  const dropped = Math.max(0, journal.last - journal.max)
  return { length: journal.last - dropped, at: (index) => journal.at(index + 1 + dropped) }
}

/** Refused calls among those that are kept. */
export const countErrors = ({ services: { requests } }: View): number =>
  newest(journalRows(requests), requests.max).filter(({ problem }) => problem !== null).length

/** Whether the texts together have all words of a search; undefined without words. */
export function createMatcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = texts.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
