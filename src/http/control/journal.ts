import { JournalEntry, LOG_KINDS } from '../../control-api/requests.ts'
import type { Announcement } from '../../engine/announcements.ts'
import { isBadAttempt } from '../../webhooks/delivery.ts'
import type { Services } from '../services.ts'
import { requestContext } from './context.ts'
import { implement } from './dialect.ts'
import { contains, equals } from './filters.ts'
import { listRows } from './page.ts'
import { presentAs } from './present-as.ts'
import { rowOf } from './stream.ts'

type LogKind = (typeof LOG_KINDS)[number]
type LogEntry = Announcement & { kind: LogKind }

/** Entries of a log, in the order in which they ended. */
export const journal = [
  implement('journal.read', ({ c, services, input: { query } }) => {
    const context = requestContext(c)
    const isShown = (entry: Announcement): entry is LogEntry => isKept(services, entry)
    const newest = services.journal.announcedAfter(0).findLast(isShown)
    return listRows('entries', {
      rows: {
        after: (pos) => services.journal.announcedAfter(pos).filter(isShown),
        last: newest?.pos ?? 0,
      },
      end: services.journal.position,
      query,
      filters: {
        kind: equals('kind'),
        failed: (entry, is: boolean) => hasFailed(services, entry) === is,
        q: contains((entry: LogEntry) => [rowOf(context, entry)]),
      },
      present: (entry) =>
        presentAs(JournalEntry, entry, {
          cursor: String(entry.pos),
          failed: hasFailed(services, entry),
          row: rowOf(context, entry) as never,
        }),
    })
  }),
]

function isKept({ journal }: Services, entry: Announcement): entry is LogEntry {
  const isShown = (LOG_KINDS as readonly string[]).includes(entry.kind)
  return isShown && rowsOf(journal)[entry.kind as LogKind].at(entry.of) !== undefined
}

const rowsOf = ({ calls, actions, messages, deliveries }: Services['journal']) => ({
  request: calls,
  action: actions,
  message: messages,
  delivery: deliveries,
})

/** Rule for what counts as failed, for a row of the journal and for its record. */
export const FAILED: Record<LogKind, (row: never) => boolean> = {
  request: ({ failed }: { failed: boolean }) => failed,
  delivery: isBadAttempt,
  action: ({ problem }: { problem: string | null }) => problem !== null,
  message: () => false,
}

function hasFailed({ journal }: Services, { kind, of }: LogEntry): boolean {
  const row = rowsOf(journal)[kind].at(of)
  return row !== undefined && FAILED[kind](row as never)
}
