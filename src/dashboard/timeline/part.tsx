import { Card } from '../parts.tsx'
import { journalRows, newest } from '../rows.ts'
import type { View } from '../view.ts'
import { UnknownList } from './effects.tsx'
import { type About, findEntries, type TimelineEntry } from './entries.ts'
import { EntryList } from './entry-list.tsx'

const ENTRIES_MAX = 25
const UNKNOWN_MAX = 25

interface PartProps {
  view: View
  about: Partial<About>
  isAbout: (entry: TimelineEntry) => boolean
  /** Ids that events and messages are about. */
  refs: ReadonlySet<string>
  /** Where the rest is. */
  more: string
}

/** What is about one user or one transaction. */
export const TimelinePart = ({ view, about, isAbout, refs, more }: PartProps) => {
  const { entries, hasOlder } = findEntries(view, { isAbout, most: ENTRIES_MAX })
  const unknown = hasOlder ? { events: [], messages: [] } : findUnknown(view, refs)
  const isEmpty = entries.length === 0 && unknown.events.length + unknown.messages.length === 0
  return (
    <Card title="Timeline" aside={hasOlder && <a href={more}>All of it</a>}>
      {isEmpty && <p class="hint">Nothing yet.</p>}
      {entries.length > 0 && <EntryList view={view} entries={entries} known={about} />}
      <UnknownList view={view} {...unknown} />
    </Card>
  )
}

/** What was restored, or came with the start: nobody knows its cause. */
function findUnknown({ world, services: { timeline } }: View, refs: ReadonlySet<string>) {
  const events = newest(journalRows(world.events), world.events.max)
    .filter(({ ref, cursor }) => refs.has(ref) && !timeline.causeOf('events', cursor))
    .slice(0, UNKNOWN_MAX)
  const messages = newest(journalRows(world.messages), world.messages.max)
    .filter(({ ref, cursor }) => refs.has(ref ?? '') && !timeline.causeOf('messages', cursor))
    .slice(0, UNKNOWN_MAX)
  return { events, messages }
}
