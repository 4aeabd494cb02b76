import { kycStatusesFrom } from '../../world/kyc.ts'
import { findActive, findUnsuccessful, LIMITS_WINDOW_MS, maximumCad } from '../../world/limits.ts'
import { getRequirements } from '../../world/requirements.ts'
import type { User } from '../../world/state.ts'
import { USER_STATUSES, type UserStatus } from '../../world/words.ts'
import { Diagram, type DiagramEdge } from '../diagram.tsx'
import { formatLength, formatName, formatNumber, plural } from '../format.ts'
import { Act, CallForm, Input } from '../forms.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge, Card, Copy, Countdown, curlOf, DetailHead, Fold, linkTo, Quiet } from '../parts.tsx'
import type { List } from '../rows.ts'
import { showTimelineOf } from '../timeline/timeline.tsx'
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
      of: (user) => user.status,
      options: () => USER_STATUSES,
    },
  ],
  columns: [
    { name: 'E-mail', value: ({ email }) => email },
    { name: 'Status', kind: 'mark', value: ({ status }) => status },
    { name: 'Transactions', kind: 'number', value: countTransactions },
    { name: 'Integrators', value: ({ integrators }) => integrators.join(', ') },
    { name: 'Name', kind: 'fill', isSecond: true, value: formatName },
  ],
  time: { name: 'Created', of: ({ createdAt }) => createdAt },
  detail: showUser,
  empty: {
    title: 'No users yet.',
    body: () => (
      <p>
        Your program registers one with <code>POST /v2/users</code>, or add one here:
      </p>
    ),
  },
  // The page of a user has its own button.
  aside: (view, chosen) => (chosen ? undefined : <NewTransaction view={view} />),
  footer: (view) => (
    <details class="add" id="add-user" open={view.world.users.length === 0}>
      <summary class="quiet">Add a user</summary>
      <CallForm
        call="/v2/users"
        apiKey={view.world.integrators[0]?.apiKey}
        done="User registered"
        go={`${view.page('users')}/{data.id}`}
        label="Add a user"
        submit="Register"
        kind="primary"
      >
        <Input
          name="email"
          type="email"
          required
          placeholder="ana@example.com"
          label="E-mail address"
        />
      </CallForm>
    </details>
  ),
}

function countTransactions({ id }: User, { world }: View): number {
  return world.transactionsOf(id).length
}

function showUser(user: User, view: View) {
  const { id, email, status, profile } = user
  const { olderUserInfo = {}, ...own } = profile
  const fields = Object.entries({ ...own, ...olderUserInfo })
  const count = plural(countTransactions(user, view), 'transaction')
  return (
    <>
      <DetailHead
        title={email}
        badge={<Badge status={status} />}
        id={id}
        noun="user"
        curl={curlOf(view, `users/${id}`)}
      >
        <span>{formatName(user)}</span>
        {linkTo(view, `transactions?q=${encodeURIComponent(email)}`, count)}
        {status === 'verified' && (
          <Copy
            text="$TOKEN"
            what="this user"
            label="Copy access token"
            token={{ user: id, integrator: user.integrators[0] ?? null }}
          />
        )}
        <NewTransaction view={view} user={user} />
      </DetailHead>
      {showKyc(user, view)}
      {showTimelineOf(view, user)}
      <div class="masonry">
        {showRequirements(user, view)}
        {showLimits(user, view)}
        {showAccount(user, view)}
        <Card
          title="Profile"
          fields={Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))}
        >
          {fields.length === 0 && (
            <p class="hint">
              Empty so far. Your program fills it in with <code>{'PATCH /v2/users/{userId}'}</code>.
            </p>
          )}
        </Card>
      </div>
    </>
  )
}

const showKyc = (user: User, view: View) => (
  <Card title="Identity check">
    {drawKyc(user, view)}
    {user.reasons.length > 0 && <p class="reason">{user.reasons.join('; ')}</p>}
    <div class="actions">
      {user.status !== 'verified' && (
        <Act
          call={`GET /v2/users/${user.id}/kyc-url`}
          apiKey={view.world.integratorsByName.get(user.integrators[0] ?? '')?.apiKey}
          open="data.url"
          done="KYC page opened"
        >
          Open the KYC page
        </Act>
      )}
    </div>
    <Fold title="Set any status, with a reason or a delay" id={`decide-${user.id}`}>
      <CallForm call={pathOf(user, 'kyc')} done="Decided" label="Decide" submit="Decide">
        <Input name="status" options={USER_STATUSES} label="Status" />
        <Input name="reasons" data-type="list" placeholder="reason" label="Reason" />
        <Input name="after" placeholder="e.g. 2h" label="Delay in world time" />
      </CallForm>
    </Fold>
  </Card>
)

const pathOf = ({ id }: User, name: string) => `/_sandbox/simulate/users/${id}/${name}`

function showRequirements(user: User, { world }: View) {
  const { complete, outstanding } = getRequirements(world, user)
  return (
    <Card title="Requirements" aside={<Badge status={complete ? 'complete' : 'outstanding'} />}>
      {complete ? (
        <p class="hint">Nothing is outstanding.</p>
      ) : (
        <ul class="stack">
          {outstanding.map(({ field, message }) => (
            <li>
              <code>{field}</code> <Quiet text={message.replace(`${field} `, '')} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Decisions of a reviewer, the most likely one first. */
const REVIEWS: Record<UserStatus, Pick<DiagramEdge, 'text' | 'kind'>> = {
  verified: { text: 'Verify', kind: 'primary' },
  'in-review': { text: 'Send to review' },
  upload: { text: 'Ask for documents' },
  rejected: { text: 'Reject', kind: 'danger' },
  active: { text: 'Activate' },
  inactive: { text: 'Deactivate' },
  initial: { text: 'Start over' },
}
const ORDER = Object.keys(REVIEWS)

function drawKyc(user: User, view: View) {
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
        ...REVIEWS[to],
        act: {
          call: pathOf(user, 'kyc'),
          body: { status: to, ...(to === 'rejected' && { reasons: ['The document has expired'] }) },
          done: `The user is now ${to}`,
        },
        at: tasks.find((task) => task.status === to)?.at,
      }))}
      rowStep={44}
    />
  )
}

function showLimits(user: User, { world }: View) {
  const { settings, now } = world
  const row = (instants: number[], maximum: number) => (
    <>
      {`${instants.length} of ${maximum}`}
      {instants.length > 0 && (
        <span class="quiet">
          , one less <Countdown at={Math.min(...instants) + LIMITS_WINDOW_MS} now={now} />
        </span>
      )}
    </>
  )
  const created = findActive(world, user).map(({ createdAt }) => createdAt)
  const closed = findUnsuccessful(world, user).map(({ closedAt }) => closedAt ?? 0)
  const [activeMax, cancelledMax] = [settings['limits.active'], settings['limits.cancelled']]
  const [min, max] = [settings['limits.minimum'], maximumCad(world, user)].map(formatNumber)
  return (
    <Card
      title={`Limits over ${formatLength(LIMITS_WINDOW_MS)}`}
      fields={{
        Active: row(created, activeMax),
        'Cancelled or expired': row(closed, cancelledMax),
        'Each transaction': `from ${min} to ${max} CAD`,
      }}
    />
  )
}

function showAccount(user: User, view: View) {
  const { autodeposit, keyAccess } = user
  const off = autodeposit ? 'off' : 'on'
  return (
    <Card title="Account">
      <div class="actions">
        <Act
          call={pathOf(user, 'account')}
          body={{ autodeposit: !autodeposit }}
          done={`Autodeposit is ${off}`}
        >
          {`Turn autodeposit ${off}`}
        </Act>
        <Act
          call={pathOf(user, 'access')}
          body={{ accessibleBy: keyAccess ? ['jwt'] : ['jwt', 'apiKey'] }}
          done={`Key-only access ${keyAccess ? 'revoked' : 'granted'}`}
        >
          {`${keyAccess ? 'Revoke' : 'Grant'} key-only access`}
        </Act>
      </div>
      <a href={view.link('/_sandbox/reference/simulateAccount')}>
        Set a maximum amount or a fixed login code
      </a>
    </Card>
  )
}
