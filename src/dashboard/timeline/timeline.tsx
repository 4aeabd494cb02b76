import type { Child } from 'hono/jsx'
import { describeAction } from '../../http/control/describe-action.ts'
import { wasSuppressed } from '../../webhooks/delivery.ts'
import { findById } from '../../world/entries.ts'
import type { Transaction, User } from '../../world/state.ts'
import { plural } from '../format.ts'
import { NewTransaction } from '../new-transaction.tsx'
import { firstCurl } from '../pages/requests.tsx'
import {
  Badge,
  Card,
  Code,
  DetailHead,
  Empty,
  Fields,
  Id,
  JsonCard,
  linkTo,
  PageHead,
  Time,
} from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import type { RenderPage, View } from '../view.ts'
import {
  findEntries,
  isAboutTransaction,
  isAboutUser,
  isFailedWebhook,
  isRefused,
  KIND_WORDS,
  ONLY,
  type TimelineEntry,
} from './entries.ts'
import { aboutRows, Effects, EntryList, StatusBadge } from './entry-list.tsx'

const ENTRIES_PER_PAGE = 50
/** The journals keep no more entries than these. */
const COUNTED_MAX = 2_000
const ENTRIES_MAX = 25

/** The first page: everything that was done to this world, and how to reach it. */
export const timeline: RenderPage = async (view) => ({
  title: 'Timeline',
  body: (
    <>
      <PageHead
        title={view.services.name === 'default' ? 'Timeline' : `World ${view.services.name}`}
      >
        <NewTransaction view={view} />
      </PageHead>
      <div class="columns">
        {showStart(view)}
        {showTimeline(view)}
      </div>
    </>
  ),
})

function showStart(view: View) {
  const { world, services, baseUrl, control } = view
  const isEmpty = world.users.length === 0
  const keys = world.integrators.map(({ name, apiKey, actsWithoutToken }) => [
    `API key, ${name}`,
    <span>
      <Id id={apiKey} what={`the API key of ${name}`} />
      {actsWithoutToken && <span class="quiet"> may act without a token</span>}
    </span>,
  ])
  const isKept = !services.isPrivate && control.storage() !== null
  const saved = isKept ? (view.storageProblem ?? 'All changes are saved') : undefined
  const facts = {
    'Base URL': <Id id={baseUrl} what="the base URL" />,
    ...Object.fromEntries(keys),
    Reference: <a href={view.link('/_sandbox/reference')}>Read about every call and try it</a>,
    Fixture: `${world.fixture}, seed ${world.seed}`,
    '--data': saved,
  }
  if (!isEmpty) {
    const line = [baseUrl, world.integrators[0]?.apiKey, saved].filter(Boolean).join(' · ')
    return showWorld(line, facts)
  }
  return (
    <Card title="Get started" class="pairs" fields={facts}>
      <p>
        There are no users yet. Call the API, {linkTo(view, 'users', 'add a user')}, or watch the{' '}
        <a href={view.link('/_sandbox/demo')}>demo wallet</a> do all of it in a world of its own.
      </p>
      <Code text={firstCurl(view)} what="a first call as curl" />
    </Card>
  )
}

/** A line above the timeline that opens to show the facts of this world. */
const showWorld = (line: string, facts: Readonly<Record<string, Child>>) => (
  <details class="custom this-world pairs" id="this-world">
    <summary>
      This world <span class="quiet">{line}</span>
    </summary>
    <Fields rows={facts} />
  </details>
)

/** Most users that the filter suggests, and that its words may match. */
const USERS_OFFERED = 50

function showTimeline(view: View) {
  const { query } = view
  const only = query.get('only') ?? ''
  const user = query.get('user') ?? ''
  const before = query.get('before') ?? undefined
  const search = { only, isAbout: isAboutAny(view, user) }
  const { entries, hasOlder } = findEntries(view, { ...search, before, max: ENTRIES_PER_PAGE })
  const isFiltered = only !== '' || user !== '' || before !== undefined
  const last = entries.at(-1)?.id
  const link = (more: Record<string, string | undefined>) =>
    view.page('timeline', { only, user, ...more })
  return (
    <Card title="Timeline" class="timeline-card" aside={showFilters(view, only, user)}>
      <p class="quiet" role="status" aria-label="Counts">
        {countIn(view, findEntries(view, { ...search, max: COUNTED_MAX }).entries)}
      </p>
      <EntryList view={view} entries={entries} />
      {entries.length === 0 && (isFiltered ? showNoMatch(view, only) : NOTHING_YET)}
      {(before || hasOlder) && (
        <nav class="pager" aria-label="Pages">
          {before && (
            <a id="newest" href={link({})}>
              Newest
            </a>
          )}
          {hasOlder && (
            <a id="older" href={link({ before: last })}>
              Older
            </a>
          )}
        </nav>
      )}
    </Card>
  )
}

const showFilters = (view: View, only: string, user: string) => (
  <div class="timeline-filters">
    <nav class="choices" aria-label="Show">
      {['', ...ONLY.keys()].map((choice) => (
        <a
          href={view.page('timeline', { only: choice, user })}
          aria-current={choice === only ? 'true' : undefined}
        >
          {choice ? choice.replace(/^./, (first) => first.toUpperCase()) : 'All'}
        </a>
      ))}
    </nav>
    <form method="get" action={view.page('timeline', { only })} data-auto>
      <input
        type="search"
        name="user"
        id="timeline-user"
        value={user}
        placeholder="Any user"
        aria-label="Filter by user"
        list="timeline-users"
        autocomplete="off"
      />
      <datalist id="timeline-users">
        {view.world.users.slice(-USERS_OFFERED).map(({ email }) => (
          <option value={email} />
        ))}
      </datalist>
    </form>
  </div>
)

function showNoMatch(view: View, only: string) {
  const isUnknown = only !== '' && !ONLY.has(only)
  return (
    <Empty title={isUnknown ? `There is no filter “${only}” here.` : 'Nothing matches.'}>
      {isUnknown && <p>{`The filters are ${[...ONLY.keys()].join(', ')}.`}</p>}
      {linkTo(view, 'timeline', 'Show all')}
    </Empty>
  )
}

const NOTHING_YET = (
  <p class="hint">
    Nothing yet. Calls show up here as they happen, each with the events, messages and webhooks that
    it caused.
  </p>
)

function countIn(view: View, entries: readonly TimelineEntry[]): Child {
  const { effects } = view
  const calls = entries.filter(({ kind }) => kind === 'call')
  const errors = entries.filter(isRefused)
  const deliveries = entries.flatMap((entry) => [
    ...effects.deliveriesOf(entry),
    ...effects.eventsOf(entry).flatMap(({ id }) => view.attemptsOf(id)),
  ])
  const webhooks = [...new Set(deliveries)].filter((delivery) => !wasSuppressed(delivery))
  const failed = webhooks.filter(isFailedWebhook).length
  const counts = [
    plural(calls.length, 'call'),
    plural(errors.length, 'error'),
    plural(webhooks.length, 'webhook'),
  ].join(' · ')
  const { calls: all } = view.services.journal
  const older = all.total - all.count
  const rest = older > 0 && `; ${plural(older, 'older call')} are no longer kept`
  if (failed === 0) return [counts, rest]
  const link = linkTo(view, 'webhooks?outcome=failed', `${failed} failed`)
  return (
    <>
      {counts}, {link}
      {rest}
    </>
  )
}

/** Selects entries about users whose address, name or id contains the words. */
function isAboutAny(view: View, words: string): ((entry: TimelineEntry) => boolean) | undefined {
  const { usersByEmail, usersById, users } = view.world
  const exact = usersByEmail.get(words.toLowerCase()) ?? usersById.get(words)
  if (exact) return isAboutUser(view, exact)
  const matches = createMatcher(words)
  if (!matches) return undefined
  const tests = users
    .filter(({ id, email, profile }) => matches([id, email, profile.firstName, profile.lastName]))
    .slice(0, USERS_OFFERED)
    .map((user) => isAboutUser(view, user))
  return (entry) => tests.some((isAbout) => isAbout(entry))
}

/** The timeline of a transaction, or of a user if there is none. */
export function showTimelineOf(view: View, user: User, transaction?: Transaction) {
  const isAbout = transaction ? isAboutTransaction(view, transaction) : isAboutUser(view, user)
  const { entries, hasOlder } = findEntries(view, { isAbout, max: ENTRIES_MAX })
  const more = <a href={view.page('timeline', { user: user.email })}>Show all</a>
  return (
    <Card title="Timeline" aside={hasOlder && more}>
      {entries.length === 0 && <p class="hint">Nothing yet.</p>}
      <EntryList view={view} entries={entries} known={{ user, transaction }} />
    </Card>
  )
}

/** The page of one action: a simulation, a move of the clock, a change or a scheduled task. */
export const action: RenderPage = (view, id = '') => {
  const found = findById(view.services.journal.actions, id)
  if (!found) return undefined
  const { kind, operation, input, at, until, problem } = found
  const about = aboutRows(view, found)
  const title = describeAction(found, view.world)
  return {
    title,
    body: (
      <article class="alone" aria-label="Chosen action">
        <DetailHead
          title={title}
          badge={
            isRefused(found) ? (
              <StatusBadge {...found} />
            ) : (
              <Badge status={KIND_WORDS[kind]} tone="quiet" />
            )
          }
          at={at}
          id={found.id}
          noun="action"
        >
          {until > at && (
            <span>
              to <Time at={until} />
            </span>
          )}
          <code>{operation}</code>
        </DetailHead>
        {problem && <p class="reason">{problem}</p>}
        {about.User && <Card title="About" fields={about} />}
        <Effects view={view} entry={found} />
        <JsonCard title="Input" text={input === '{}' ? '' : input} />
      </article>
    ),
  }
}
