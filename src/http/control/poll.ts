import type { FeedKind } from '../../engine/feed.ts'
import type { Journal } from '../../world/journal.ts'
import type { Call } from '../operation.ts'
import { type Condition, matchesAll, tellNearest } from './near-miss.ts'
import { createSearch, LIMIT_MAX } from './page.ts'
import { waitFor } from './wait.ts'

export interface PollQuery {
  after?: number | undefined
  /** How many rows to wait for, and to answer; without it one is enough and all are answered. */
  count?: number | undefined
  timeout?: number | undefined
}

export interface Poll<Row> {
  kind: FeedKind
  /** What a row is, for people. */
  noun: string
  journal: Journal<Row>
  conditions: readonly Condition<Row>[]
  /** A row in a few words. */
  tell(row: Row): string
}

export interface Polled<Row> {
  matched: boolean
  rows: Row[]
  cursor: string
  /** When nothing matched: what came nearest. */
  nearest: string | undefined
}

/** Rows of a journal after a cursor, the moment there are enough of them. */
export async function poll<Row extends { readonly cursor: number }>(
  call: Pick<Call, 'c' | 'services'>,
  { after = 0, count, timeout = 0 }: PollQuery,
  { kind, noun, journal, conditions, tell }: Poll<Row>,
): Promise<Polled<Row>> {
  const matches = matchesAll(conditions)
  const search = createSearch({ journal, after, most: count ?? LIMIT_MAX, matches })
  const { found } = search
  const end = await waitFor(call, {
    kind,
    timeoutMs: timeout,
    look() {
      search.readOn()
      return found.length >= (count ?? 1)
    },
  })
  if (end === 'reset') return { matched: false, rows: [], cursor: '0', nearest: RESET }
  if (end === 'met')
    return { matched: true, rows: found, cursor: search.cursor, nearest: undefined }
  const nearest =
    found.length > 0
      ? `Of ${count} that were asked for, ${found.length} came.`
      : tellNearest({ noun, rows: journal.after(after), conditions, tell })
  return { matched: false, rows: found, cursor: search.cursor, nearest }
}

const RESET = 'The world was reset meanwhile.'
