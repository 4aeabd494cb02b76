import type { TimelineEntry } from '../../control-api/wire.ts'
import { plural } from '../lib/format.ts'
import { NewRows, NoMatch, Older, SearchField, useNewest } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { world } from '../lib/page.ts'
import { Card, Empty, PageHead } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { EntryList, isCall } from './entries.tsx'
import { NewTransaction } from './new-transaction.tsx'
import { Start } from './start.tsx'
import { wasSent } from './words.tsx'

/** Reads the newest entries, as many as were asked for. */
function useEntries(asked: Record<string, string>) {
  const { path, loadOlder } = useNewest(`/timeline?${new URLSearchParams(asked)}`)
  const { data } = useRead<'timeline.read'>(path)
  const entries = data && [...data.entries].reverse()
  return { entries, total: data?.total ?? 0, loadOlder }
}

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

const CHOICES = { '': 'All', calls: 'Calls', errors: 'Errors', webhooks: 'Webhooks' }

const Everything = () => {
  const only = query.value.get('only') ?? ''
  const user = query.value.get('user') ?? ''
  const asked = { ...(only && { only }), ...(user && { q: user }) }
  const isUnknown = !(only in CHOICES)
  const { entries, total, loadOlder } = useEntries(isUnknown ? {} : asked)
  if (isUnknown) return <UnknownChoice only={only} />
  return (
    <Card title="Timeline" class="timeline-card" aside={<Choices only={only} user={user} />}>
      <p class="quiet" role="status" aria-label="Counts">
        {entries && <Counts entries={entries} />}
      </p>
      {entries && <EntryList entries={entries} />}
      {entries?.length === 0 && (only || user ? NOTHING_FOUND : NOTHING_YET)}
      {entries && total > entries.length && (
        <Older shown={entries.length} total={total} onClick={loadOlder} />
      )}
      <NewRows ids={entries?.map(({ row }) => row.id) ?? []} of={`${only} ${user}`} />
    </Card>
  )
}

const Choices = ({ only, user }: { only: string; user: string }) => (
  <div class="timeline-filters">
    <nav class="choices" aria-label="Show">
      {Object.entries(CHOICES).map(([choice, text]) => (
        <a
          key={choice}
          href={urlOf('timeline', { only: choice, user })}
          aria-current={choice === only ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
    <SearchField id="timeline-user" name="user" label="Filter by user" />
  </div>
)

const UnknownChoice = ({ only }: { only: string }) => (
  <Empty title={`There is no filter “${only}” here.`}>
    <p>The filters are calls, errors, webhooks.</p>
    <a href={urlOf('timeline')}>Show all</a>
  </Empty>
)

const NOTHING_FOUND = <NoMatch name="timeline" title="Nothing matches." />

const NOTHING_YET = (
  <p class="hint">
    Nothing yet. Calls show up here as they happen, each with the events, messages and webhooks that
    it caused.
  </p>
)

const Counts = ({ entries }: { entries: readonly TimelineEntry[] }) => {
  const calls = entries.filter(isCall)
  const errors = entries.filter(({ row }) => row.status >= 400)
  const all = entries.flatMap(({ row }) => row.caused?.deliveries ?? []).filter(wasSent)
  const webhooks = new Map(all.map((delivery) => [delivery.id, delivery]))
  const failed = [...webhooks.values()].filter((row) => row.failed && row.repeatOf === null).length
  const texts = [
    plural(calls.length, 'call'),
    plural(errors.length, 'error'),
    plural(webhooks.size, 'webhook'),
  ]
  return (
    <>
      {texts.join(' · ')}
      {failed > 0 && ', '}
      {failed > 0 && <a href={urlOf('webhooks', { outcome: 'failed' })}>{`${failed} failed`}</a>}
    </>
  )
}

interface TimelineOfProps {
  /** What is looked for, such as the id of a transaction. */
  about: string
  /** Leaves out effects that are about somebody else. */
  only?(ref: string): boolean
}

const SHOWN = 25

/** The timeline of a transaction or of a user. */
export const TimelineOf = ({ about, only }: TimelineOfProps) => {
  const search = new URLSearchParams({ q: about, last: String(SHOWN) })
  const { data } = useRead<'timeline.read'>(`/timeline?${search}`)
  const entries = data && [...data.entries].reverse()
  const more = <a href={urlOf('timeline', { user: about })}>Show all</a>
  return (
    <Card title="Timeline" aside={(data?.total ?? 0) > SHOWN && more}>
      {entries?.length === 0 && <p class="hint">Nothing yet.</p>}
      {entries && <EntryList entries={entries} isKnown {...(only && { only })} />}
    </Card>
  )
}
