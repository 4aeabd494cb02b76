import { kycStatusesFrom } from '../../world/kyc.ts'
import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import { getRequirements } from '../../world/requirements.ts'
import { USER_STATUSES, type User, type UserStatus } from '../../world/state.ts'
import { Diagram, type DiagramEdge } from '../diagram.tsx'
import { formatLength, formatName, formatNumber, plural, shellQuote } from '../format.ts'
import { Act, CallForm, Field, Input, NumberField, Submit } from '../forms.tsx'
import type { List } from '../list.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge, Card, Copy, Countdown, DetailHead, Fields, Id } from '../parts.tsx'
import { isAboutUser } from '../timeline/entries.ts'
import { TimelinePart } from '../timeline/timeline.tsx'
import type { View } from '../view.ts'

export const users: List<User> = {
  name: 'users',
  title: 'Users',
  noun: 'user',
  rows: ({ world }) => world.users,
  find: ({ world }, id) => world.usersById.get(id) ?? world.usersByEmail.get(id.toLowerCase()),
  hidden: ({ profile }) => [profile.phone],
  filters: [
    {
      name: 'status',
      label: 'Any status',
      of: ({ status }) => status,
      options: () => USER_STATUSES,
    },
  ],
  columns: [
    { name: 'E-mail', value: ({ email }) => email },
    {
      name: 'Status',
      kind: 'mark',
      value: ({ status }) => status,
      show: ({ status }) => <Badge status={status} />,
    },
    {
      name: 'Transactions',
      kind: 'number',
      value: ({ id }, { world }) => world.userTransactions.get(id)?.all.length ?? 0,
    },
    { name: 'Id', kind: 'id', value: ({ id }) => id },
    { name: 'Integrators', value: ({ integrators }) => integrators.join(', ') },
    { name: 'Name', kind: 'fill', isSecond: true, value: formatName },
  ],
  time: { name: 'Created', of: ({ createdAt }) => createdAt },
  heading: ({ email }) => email,
  detail: (user, view) => <UserDetail view={view} user={user} />,
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

interface Props {
  view: View
  user: User
}

const UserDetail = ({ view, user }: Props) => (
  <>
    <Head view={view} user={user} />
    <Kyc view={view} user={user} />
    <div class="masonry">
      <Requirements view={view} user={user} />
      <LimitsCard view={view} user={user} />
      <AccountCard user={user} />
      <ProfileCard user={user} />
    </div>
    <TimelinePart
      view={view}
      about={{ user }}
      isAbout={isAboutUser(view, user)}
      more={view.page('timeline', { user: user.email })}
    />
  </>
)

const Head = ({ view, user }: Props) => {
  const url = `${view.baseUrl}/_sandbox/users/${user.id}`
  return (
    <DetailHead title={user.email} badge={<Badge status={user.status} />}>
      <span>{formatName(user)}</span>
      <Id id={user.id} what="the user's id" />
      <Copy text={`curl -sS ${shellQuote(url)}`} what="this user" label="Copy curl" />
      <a href={view.page('transactions', { q: user.email })}>
        {plural(view.world.userTransactions.get(user.id)?.all.length ?? 0, 'transaction')}
      </a>
      <NewTransaction view={view} user={user} />
    </DetailHead>
  )
}

const Kyc = ({ view, user }: Props) => {
  const path = `/_sandbox/simulate/users/${user.id}/kyc`
  const key = view.world.integratorsByName.get(user.integrators[0] ?? '')?.apiKey
  return (
    <Card title="Identity check">
      <KycDiagram view={view} user={user} />
      {user.reasons.length > 0 && <p class="reason">{user.reasons.join('; ')}</p>}
      <div class="actions">
        {user.status !== 'verified' && (
          <Act
            method="GET"
            path={`/v2/users/${user.id}/kyc-url`}
            apiKey={key}
            open="data.url"
            done="The KYC page opens"
          >
            Open the KYC page
          </Act>
        )}
      </div>
      <details id={`decide-${user.id}`}>
        <summary class="quiet">Any status, with a reason, or later</summary>
        <CallForm path={path} done="Decided" label="Decide">
          <select name="status" aria-label="Status">
            {USER_STATUSES.map((status) => (
              <option>{status}</option>
            ))}
          </select>
          <Input name="reasons" data-type="list" placeholder="reason" label="Reason" />
          <Input name="after" placeholder="after, e.g. 2h" label="After a while of world time" />
          <Submit text="Decide" />
        </CallForm>
      </details>
    </Card>
  )
}

const Requirements = ({ view, user }: Props) => {
  const { complete, outstanding } = getRequirements(view.world, user)
  return (
    <Card title="Requirements" aside={<Badge status={complete ? 'complete' : 'outstanding'} />}>
      {complete ? (
        <p class="hint">Nothing is outstanding.</p>
      ) : (
        <ul class="stack">
          {outstanding.map(({ field, message }) => (
            <li>
              <code>{field}</code>{' '}
              <span class="quiet">
                {message.startsWith(`${field} `) ? message.slice(field.length + 1) : message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const ProfileCard = ({ user }: { user: User }) => {
  const { olderUserInfo = {}, ...profile } = user.profile
  const fields = Object.entries({ ...profile, ...olderUserInfo })
  return (
    <Card title="Profile">
      {fields.length > 0 ? (
        <Fields rows={Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))} />
      ) : (
        <p class="hint">
          Empty; <code>{'PATCH /v2/users/{userId}'}</code> fills it.
        </p>
      )}
    </Card>
  )
}

/** What a reviewer may make of a user, most likely first. */
const DECISIONS: Record<UserStatus, Pick<DiagramEdge, 'text' | 'kind'>> = {
  verified: { text: 'Verify', kind: 'primary' },
  'in-review': { text: 'Send to review' },
  upload: { text: 'Ask for documents' },
  rejected: { text: 'Reject', kind: 'danger' },
  active: { text: 'Activate' },
  inactive: { text: 'Deactivate' },
  initial: { text: 'Start over' },
}
const ORDER = Object.keys(DECISIONS)

/** Where the identity check of a user is, and what may come next. */
const KycDiagram = ({ view, user }: Props) => {
  const { id, status, history } = user
  const tasks = view.world.tasks.of(id)
  const next = kycStatusesFrom(status).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const atOf = (of: UserStatus) => history.findLast((row) => row.status === of)?.at
  return (
    <Diagram
      view={view}
      label={`Identity check of this user, who is ${status}`}
      current={status}
      nodes={[
        { id: status, text: status, column: 0, row: (next.length - 1) / 2, at: atOf(status) },
        ...next.map((to, row) => ({ id: to, text: to, column: 1, row, at: atOf(to) })),
      ]}
      edges={next.map((to) => ({
        from: status,
        to,
        ...DECISIONS[to],
        call: {
          path: `/_sandbox/simulate/users/${id}/kyc`,
          body: { status: to, ...(to === 'rejected' && { reasons: ['The document has expired'] }) },
          done: `The user is now ${to}`,
        },
        at: tasks.find((task) => task.status === to)?.at,
      }))}
      rowStep={44}
      columnStep={310}
    />
  )
}

const LimitsCard = ({ view, user }: Props) => {
  const { world } = view
  const { settings } = world
  const window = settings['limits.window']
  const { active, unsuccessful } = world.transactionsOfUser(user.id)
  const [oldestActive] = active
  const [oldestUnsuccessful] = unsuccessful
  /** A count against its maximum, and when the oldest no longer counts. */
  const row = (count: number, maximum: number, oldest: number | null | undefined) => (
    <>
      {`${count} of ${maximum}`}
      {count > 0 && oldest && (
        <span class="quiet">
          , one less <Countdown at={oldest + window} now={world.now} />
        </span>
      )}
    </>
  )
  return (
    <Card title={`Limits, in ${formatLength(window)}`}>
      <Fields
        rows={{
          Active: row(countActive(world, user), settings['limits.active'], oldestActive?.createdAt),
          'Cancelled or expired': row(
            countUnsuccessful(world, user),
            settings['limits.cancelled'],
            oldestUnsuccessful?.closedAt,
          ),
          'Each transaction': `from ${formatNumber(settings['limits.minimum'])} to ${formatNumber(maximumCad(world, user))} CAD`,
        }}
      />
    </Card>
  )
}

const AccountCard = ({ user }: Pick<Props, 'user'>) => {
  const { id, autodeposit, keyAccess, maximumCad: own, loginCode } = user
  const path = `/_sandbox/simulate/users/${id}/account`
  const accessibleBy = keyAccess ? ['jwt'] : ['jwt', 'apiKey']
  return (
    <Card title="Account">
      <div class="actions">
        <Act
          path={path}
          body={{ autodeposit: !autodeposit }}
          done={`Autodeposit is ${autodeposit ? 'off' : 'on'}`}
        >
          {autodeposit ? 'Autodeposit on: switch off' : 'Autodeposit off: switch on'}
        </Act>
        <Act
          path={`/_sandbox/simulate/users/${id}/access`}
          body={{ accessibleBy }}
          done={keyAccess ? 'Key-only access revoked' : 'Key-only access granted'}
        >
          {keyAccess ? 'Revoke key-only access' : 'Grant key-only access'}
        </Act>
      </div>
      <CallForm path={path} done="The account is changed" class="stack" label="Account">
        <NumberField
          label="Own maximum per transaction, in CAD"
          name="maximumCad"
          data-empty="null"
          value={own ?? ''}
          placeholder="the general one"
        />
        <Field
          label="Fixed login code"
          name="loginCode"
          inputmode="numeric"
          pattern="[0-9]{4}"
          data-empty="null"
          value={loginCode ?? ''}
          placeholder="a new one each time"
        />
        <div>
          <Submit text="Save" />
        </div>
      </CallForm>
    </Card>
  )
}
