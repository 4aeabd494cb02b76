/** Rows that one search looks at. */
export const SCAN_MAX = 100_000

export interface RowSource<Row> {
  length: number
  at(index: number): Row | undefined
}

/** The last rows, newest first. */
export function newest<Row>(source: RowSource<Row>, count: number, skip = 0): Row[] {
  const rows: Row[] = []
  for (let index = source.length - 1 - skip; index >= 0 && rows.length < count; index--) {
    const row = source.at(index)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

interface JournalRows<Row> {
  last: number
  max: number
  at(position: number): Row | undefined
}

/** A journal as a list, without the rows it has dropped. */
export function journalRows<Row>(journal: JournalRows<Row>): RowSource<Row> {
  const dropped = Math.max(0, journal.last - journal.max)
  return { length: journal.last - dropped, at: (index) => journal.at(index + 1 + dropped) }
}

/** A row of a journal by an id such as `msg_12`, whose prefix is `msg`. */
export function findInJournal<Row>(
  journal: JournalRows<Row>,
  prefix: string,
  id: string,
): Row | undefined {
  const [, kind, position] = /^([a-z]+)_(\d{1,15})$/.exec(id) ?? []
  return kind === prefix ? journal.at(Number(position)) : undefined
}

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
