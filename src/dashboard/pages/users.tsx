import { USER_STATUSES, type User } from '../../world/state.ts'
import { formatName, formatNumber } from '../format.ts'
import { CallForm, Input, Submit } from '../forms.tsx'
import type { List } from '../list.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'
import { UserDetail } from './user.tsx'

export const users: List<User> = {
  name: 'users',
  title: 'Users',
  noun: 'user',
  rows: ({ world }) => world.users,
  find: ({ world }, id) => world.usersById.get(id) ?? world.usersByEmail.get(id.toLowerCase()),
  texts: (user) => [user.id, user.email, user.status, formatName(user), user.profile.phone],
  filter: {
    name: 'status',
    label: 'Any status',
    options: USER_STATUSES,
    matches: ({ status }, option) => status === option,
  },
  columns: [
    { name: 'E-mail', cell: ({ email }) => email },
    { name: 'Status', place: 'mark', cell: badge },
    { name: 'Name', place: 'second', cell: formatName },
    { name: 'Transactions', place: 'number', cell: countTransactions },
    { name: 'Integrators', cell: ({ integrators }) => integrators.join(', ') },
  ],
  at: ({ createdAt }) => createdAt,
  atName: 'Created',
  line: { badge, text: ({ email }) => email },
  heading: ({ email }) => email,
  detail: (user, view) => <UserDetail view={view} user={user} />,
  noMatch: 'No users match.',
  empty: {
    title: 'No users yet.',
    body: () => (
      <p>
        An integrator registers one with <code>POST /v2/users</code>. Do it here:
      </p>
    ),
  },
  // A chosen user's page has one of its own.
  aside: (view, chosen) => (chosen ? undefined : <NewTransaction view={view} />),
  footer: (view) => <AddUser view={view} />,
}

function badge({ status }: User) {
  return <Badge status={status} />
}

function countTransactions({ id }: User, { world }: View) {
  return formatNumber(world.userTransactions.get(id)?.all.length ?? 0)
}

const AddUser = ({ view }: { view: View }) => (
  <details class="add" id="add-user" open={view.world.users.length === 0}>
    <summary class="quiet">Add a user</summary>
    <CallForm
      path="/v2/users"
      apiKey={view.world.integrators[0]?.apiKey}
      done="The user is registered"
      go={`${view.page('users')}/{data.id}`}
      label="Add a user"
    >
      <Input
        name="email"
        type="email"
        required
        placeholder="ana@example.com"
        label="E-mail address"
      />
      <Submit text="Register" kind="primary" />
    </CallForm>
  </details>
)
