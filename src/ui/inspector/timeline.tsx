import type { TimelineEntry } from '../../control-api/wire.ts'
import { Choices, Find } from '../lib/filters.tsx'
import { plural } from '../lib/format.ts'
import { NewRows, NoMatch, Older, useNewest } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery, world } from '../lib/page.ts'
import { Card, PageHead } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { EntryList, hasFailed, isCall } from './entries.tsx'
import { NewTransaction } from './new-transaction.tsx'
import { Start } from './start.tsx'
import { wasSent } from './words.tsx'

/** The first page: everything that was done to this world, and how to reach it. */
export const Timeline = () => {
  const { name } = world
  return (
    <>
      <PageHead title={name === 'default' ? 'Timeline' : `World ${name}`}>
        <NewTransaction />
      </PageHead>
      <div class="columns">
        <Start />
        <Everything />
      </div>
    </>
  )
}

const CHOICES = [
  ['', 'All'],
  ['calls', 'Calls'],
  ['errors', 'Errors'],
  ['webhooks', 'Webhooks'],
] as const

const Everything = () => {
  const only = query.value.get('only') ?? ''
  const user = query.value.get('user') ?? ''
  const { path, of, loadOlder } = useNewest('/timeline', { only, q: user })
  const { data, error } = useRead<'timeline.read'>(path)
  const entries = data && [...data.entries].reverse()
  const { total = 0 } = data ?? {}
  return (
    <Card
      title="Timeline"
      class="timeline-card"
      aside={
        <div class="timeline-filters">
          <Choices label="Show" name="only" options={CHOICES} chosen={only} />
          <Find id="timeline-user" name="user" label="Filter by user" />
        </div>
      }
    >
      <p class="quiet" role="status" aria-label="Counts">
        {entries && <Counts entries={entries} />}
      </p>
      {error && <NoMatch name="timeline" title={error.message} />}
      {entries && <EntryList entries={entries} />}
      {entries?.length === 0 && (only || user ? NOTHING_FOUND : NOTHING_YET)}
      {entries && total > entries.length && (
        <Older shown={entries.length} total={total} onClick={loadOlder} />
      )}
      <NewRows ids={entries?.map(({ row }) => row.id) ?? []} of={of} />
    </Card>
  )
}

const NOTHING_FOUND = <NoMatch name="timeline" title="Nothing matches." />

const NOTHING_YET = (
  <p class="hint">
    Nothing yet. Calls show up here as they happen, each with the events, messages and webhooks that
    it caused.
  </p>
)

const Counts = ({ entries }: { entries: readonly TimelineEntry[] }) => {
  const calls = entries.filter(isCall)
  const errors = entries.filter(({ row }) => hasFailed(row))
  const all = entries.flatMap(({ row }) => row.caused?.deliveries ?? []).filter(wasSent)
  const webhooks = new Map(all.map((delivery) => [delivery.id, delivery]))
  const failed = [...webhooks.values()].filter((row) => row.failed && row.repeatOf === null).length
  return (
    <>
      {plural(calls.length, 'call')} · {plural(errors.length, 'error')} ·{' '}
      {plural(webhooks.size, 'webhook')}
      {failed > 0 && (
        <>
          , <a href={urlOf('webhooks', { outcome: 'failed' })}>{`${failed} failed`}</a>
        </>
      )}
    </>
  )
}

interface TimelineOfProps {
  /** What is looked for, such as the id of a transaction. */
  about: string
  /** Leaves out effects that are about somebody else. */
  only(ref: string): boolean
}

const SHOWN = 25

/** The timeline of a transaction or of a user. */
export const TimelineOf = ({ about, only }: TimelineOfProps) => {
  const asked = { q: about, last: String(SHOWN) }
  const { data } = useRead<'timeline.read'>(withQuery('/timeline', asked))
  const entries = data && [...data.entries].reverse()
  const more = <a href={urlOf('timeline', { user: about })}>Show all</a>
  return (
    <Card title="Timeline" aside={(data?.total ?? 0) > SHOWN && more}>
      {entries?.length === 0 && <p class="hint">Nothing yet.</p>}
      {entries && <EntryList entries={entries} isKnown only={only} />}
    </Card>
  )
}
