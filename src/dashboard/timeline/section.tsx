import { Card, Empty } from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import type { View } from '../view.ts'
import { Chart } from './chart.tsx'
import { findEntries, isAboutUser, isOnly, ONLY, type Only, type TimelineEntry } from './entries.ts'
import { EntryList } from './entry-list.tsx'

const ENTRIES_PER_PAGE = 50
/** Users whose addresses the filter offers, and whose entries a word of it finds. */
const USERS_OFFERED = 50

const NAMES: Record<Only, string> = { calls: 'Calls', errors: 'Errors', webhooks: 'Webhooks' }

/** Everything that was done to this world, with what it caused. */
export const TimelineSection = ({ view }: { view: View }) => {
  const { query } = view
  const asked = query.get('only')
  const only = isOnly(asked) ? asked : undefined
  const user = query.get('user') ?? ''
  const before = query.get('before') ?? undefined
  const search = { only, isAbout: isAboutAny(view, user), before, most: ENTRIES_PER_PAGE }
  const { entries, hasOlder } = findEntries(view, search)
  const link = (more: Record<string, string | undefined>) =>
    view.page('overview', { only, user, ...more })
  return (
    <Card title="Timeline" class="timeline-card" aside={<Filters view={view} only={only} />}>
      <Chart view={view} />
      {entries.length > 0 && <EntryList view={view} entries={entries} />}
      {entries.length === 0 &&
        (only || user || before ? (
          <Empty title="Nothing matches.">
            <a href={view.page('overview')}>Show all</a>
          </Empty>
        ) : (
          <p class="hint">
            Nothing yet. Calls show up here as they happen, each with the events, messages and
            webhooks that it caused.
          </p>
        ))}
      {(before || hasOlder) && (
        <nav class="pager" aria-label="Pages">
          {before ? (
            <a id="newest" href={link({})}>
              Newest
            </a>
          ) : (
            <span />
          )}
          {hasOlder && (
            <a id="older" href={link({ before: entries.at(-1)?.id })}>
              Older
            </a>
          )}
        </nav>
      )}
    </Card>
  )
}

const Filters = ({ view, only }: { view: View; only: Only | undefined }) => {
  const user = view.query.get('user') ?? ''
  const users = view.world.users.slice(-USERS_OFFERED)
  const choices = [undefined, ...ONLY]
  return (
    <div class="timeline-filters">
      <nav class="choices" aria-label="Show">
        {choices.map((choice) => (
          <a
            href={view.page('overview', { only: choice, user })}
            aria-current={choice === only ? 'true' : undefined}
          >
            {choice ? NAMES[choice] : 'All'}
          </a>
        ))}
      </nav>
      <form method="get" action={view.page('overview', { only })} data-auto>
        <input
          type="search"
          name="user"
          id="timeline-user"
          value={user}
          placeholder="Any user"
          aria-label="Only of the user"
          list="timeline-users"
          autocomplete="off"
        />
        <datalist id="timeline-users">
          {users.map(({ email }) => (
            <option value={email} />
          ))}
        </datalist>
      </form>
    </div>
  )
}

/** Selects what is about any user whose address, name or id has the words. */
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
