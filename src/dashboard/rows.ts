import type { Journal } from '../world/journal.ts'

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

/** The last rows of a journal that are kept, newest first. */
export const newest = <Row>(
  journal: Pick<Journal<Row>, 'last' | 'max' | 'at'>,
  count = journal.max,
): Row[] => takeRows(journalRows(journal), { count })

/** A journal as a list, without the rows it has dropped. */
export function journalRows<Row>(
  journal: Pick<Journal<Row>, 'last' | 'max' | 'at'>,
): RowSource<Row> {
  const dropped = Math.max(0, journal.last - journal.max)
  return { length: journal.last - dropped, at: (index) => journal.at(index + 1 + dropped) }
}

/** Whether the texts together have all words of a search; undefined without words. */
export function createMatcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = normalise(query ?? '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = normalise(texts.join('\n'))
    return words.every((word) => text.includes(word))
  }
}

/** In small letters, and `2,000` as `2000`. */
export const normalise = (text: string) => text.toLowerCase().replace(/(\d),(?=\d{3})/g, '$1')
