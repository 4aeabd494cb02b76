import type { Origin } from '../engine/call-record.ts'
import type { Journal } from '../engine/journal.ts'

type Effects = ReturnType<Journal['causedBy']>

/** What calls and actions have caused; the journal is read once for each page. */
export function readEffects(journal: Journal) {
  let byCause: Map<number, Effects> | undefined
  const effectsOf = ({ pos }: Origin): Effects => {
    byCause ??= groupByCause(journal)
    return byCause.get(pos) ?? { events: [], messages: [], deliveries: [] }
  }
  return {
    eventsOf: (origin: Origin) => effectsOf(origin).events,
    messagesOf: (origin: Origin) => effectsOf(origin).messages,
    deliveriesOf: (origin: Origin) => effectsOf(origin).deliveries,
  }
}

function groupByCause(journal: Journal): Map<number, Effects> {
  const groups = new Map<number, Effects>()
  for (const kind of ['events', 'messages', 'deliveries'] as const) {
    for (const row of journal[kind].after(0)) {
      const pos = journal.causeOf(row)?.pos ?? 0
      const group = groups.get(pos) ?? { events: [], messages: [], deliveries: [] }
      groups.set(pos, group)
      const rows: unknown[] = group[kind]
      rows.push(row)
    }
  }
  return groups
}
