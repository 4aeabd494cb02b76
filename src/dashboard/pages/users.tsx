import { USER_STATUSES, type User } from '../../world/state.ts'
import { keptQuery, matcher, pageOf, RowLink, Split } from '../list.tsx'
import { Badge, CallForm, Empty, Time } from '../parts.tsx'
import type { Draw, View } from '../view.ts'
import { UserDetail } from './user.tsx'

export const users: Draw = (view, id) => {
  const { world, query } = view
  const chosen = id === undefined ? undefined : findUser(view, id)
  if (id !== undefined && !chosen) return undefined
  const list = pageOf(view, world.users, findMatcher(view))
  const isNarrowed = Boolean(query.get('q') || query.get('status'))
  const body = (
    <Split
      view={view}
      name="users"
      title="Users"
      noun="user"
      list={list}
      filter={{ name: 'status', label: 'Any status', options: USER_STATUSES }}
      detail={chosen && <UserDetail view={view} user={chosen} />}
    >
      {list.rows.length > 0 && (
        <ol class="rows">
          {list.rows.map((row) => (
            <RowLink key={row.id} view={view} name="users" id={row.id} chosen={row === chosen}>
              <span class="first">{row.email}</span>
              <Badge status={row.status} />
              <span class="second">{nameOf(row)}</span>
              <Time at={row.createdAt} now={world.now} />
            </RowLink>
          ))}
        </ol>
      )}
      {list.rows.length === 0 && isNarrowed && (
        <Empty title="Nobody matches.">
          <a href={view.page('users', { ...keptQuery(view), q: undefined, status: undefined })}>
            Show all
          </a>
        </Empty>
      )}
      {list.rows.length === 0 && !isNarrowed && (
        <Empty title="No users yet.">
          <p>
            An integrator registers one with <code>POST /v2/users</code>. Do it here:
          </p>
        </Empty>
      )}
      <AddUser view={view} />
    </Split>
  )
  return { title: chosen ? chosen.email : 'Users', part: 'Users', body }
}

const findUser = ({ world }: View, id: string): User | undefined =>
  world.usersById.get(id) ?? world.usersByEmail.get(id.toLowerCase())

export const nameOf = ({ profile }: User): string =>
  [profile.firstName, profile.lastName].filter(Boolean).join(' ') || 'no name yet'

function findMatcher({ query }: View): ((row: User) => boolean) | undefined {
  const status = query.get('status')
  const fits = matcher(query.get('q'))
  if (!status && !fits) return undefined
  return (row) =>
    (!status || row.status === status) &&
    (!fits || fits([row.id, row.email, row.status, nameOf(row), row.profile.phone]))
}

const AddUser = ({ view }: { view: View }) => (
  <details class="add" id="add-user" open={view.world.users.length === 0}>
    <summary class="quiet">Add a user</summary>
    <CallForm
      view={view}
      path="/v2/users"
      apiKey={view.world.integrators[0]?.apiKey}
      done="The user is registered"
      go={`${view.page('users')}/{data.id}`}
      label="Add a user"
    >
      <input
        name="email"
        type="email"
        required
        placeholder="ana@example.com"
        aria-label="E-mail address"
        autocomplete="off"
      />
      <button type="submit" class="button primary">
        Register
      </button>
    </CallForm>
  </details>
)
