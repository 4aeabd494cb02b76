import type { UserRecord } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { Act, CallForm, Field } from '../lib/form.tsx'
import { formatNumber, plural } from '../lib/format.ts'
import type { ListProps } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery } from '../lib/page.ts'
import { Badge, Card, Copy, DetailHead, Fold, Quiet } from '../lib/parts.tsx'
import { id as chosenId, urlOf } from '../lib/router.ts'
import { History } from './history.tsx'
import { info } from './info.ts'
import { NewTransaction } from './new-transaction.tsx'
import { TimelineOf } from './timeline.tsx'
import { issueToken } from './token.ts'

type Status = UserRecord['status']

/** Decisions of a reviewer, the most likely one first, and how their buttons look. */
const REVIEWS: Readonly<Record<Status, readonly [text: string, kind?: 'primary' | 'danger']>> = {
  verified: ['Verify', 'primary'],
  'in-review': ['Send for review'],
  upload: ['Ask for documents'],
  rejected: ['Reject', 'danger'],
  active: ['Activate'],
  inactive: ['Deactivate'],
  initial: ['Start over'],
}
const STATUSES = Object.keys(REVIEWS)
const EXPIRED = 'The document has expired'

export const USERS: ListProps<'users.list', UserRecord> = {
  name: 'users',
  title: 'Users',
  noun: 'user',
  path: '/users',
  rowsOf: ({ items }) => items,
  filters: [{ name: 'status', label: 'Any status', options: STATUSES }],
  columns: [
    { name: 'E-mail', show: ({ email }) => email },
    { name: 'Status', kind: 'mark', show: ({ status }) => <Badge status={status} /> },
    { name: 'Transactions', kind: 'number', show: ({ transactionCount }) => transactionCount },
    { name: 'Integrators', show: ({ integrators }) => integrators.join(', ') },
    { name: 'Name', kind: 'fill', isSecond: true, show: nameOf },
  ],
  time: ['Created', ({ createdAt }) => createdAt],
  detail: (user) => <User user={user} />,
  aside: () => chosenId.value === undefined && <NewTransaction />,
  footer: () => <AddUser />,
  empty: [
    'No users yet.',
    () => (
      <p>
        Your app registers one with <code>POST /v2/users</code>, or add one here:
      </p>
    ),
  ],
}

function nameOf({ profile }: UserRecord): string {
  return [profile.firstName, profile.lastName].filter(Boolean).join(' ') || 'no name yet'
}

const AddUser = () => (
  <details class="add" id="add-user" open={info.value?.counts.users === 0}>
    <summary class="quiet">Add a user</summary>
    <CallForm
      call="/v2/users"
      apiKey={info.value?.integrators[0]?.apiKey}
      done="User registered"
      after={({ data }) => `users/${data?.id}`}
      label="Add a user"
      submit="Register"
      kind="primary"
    >
      <Field isBare name="email" required placeholder="ana@example.com" label="E-mail address" />
    </CallForm>
  </details>
)

const User = ({ user }: { user: UserRecord }) => {
  const { email, status, integrators, transactionCount } = user
  return (
    <>
      <DetailHead
        title={email}
        badge={<Badge status={status} />}
        id={user.id}
        noun="user"
        curl={curlOf(`/users/${user.id}`)}
      >
        <span>{nameOf(user)}</span>
        <a href={urlOf('transactions', { q: email })}>{plural(transactionCount, 'transaction')}</a>
        {status === 'verified' && (
          <Copy
            text={() => issueToken(user.id, integrators[0] ?? null)}
            what="this user"
            label="Copy access token"
          />
        )}
        <NewTransaction user={user.id} />
      </DetailHead>
      <Kyc user={user} />
      <Own user={user} />
      <div class="grid">
        <Requirements user={user} />
        <Limits user={user} />
        <Account user={user} />
        <Profile user={user} />
      </div>
    </>
  )
}

/** The timeline of a user, without what an advance did to others. */
const Own = ({ user: { id, email } }: { user: UserRecord }) => {
  const { data } = useRead<'transactions.list'>(
    withQuery('/transactions', { email, limit: '1000' }),
  )
  const ids = new Set([id, ...(data?.items ?? []).map((row) => row.id)])
  return <TimelineOf about={email} only={(ref) => ids.has(ref)} />
}

const pathOf = ({ id }: UserRecord, name: string) => `/simulate/users/${id}/${name}`

const Kyc = ({ user }: { user: UserRecord }) => {
  const { id, status, reasons, history, integrators } = user
  const own = info.value?.integrators.find(({ name }) => name === integrators[0])
  return (
    <Card title="Identity check">
      <History of={history} />
      {reasons.length > 0 && <p class="reason">{reasons.join('; ')}</p>}
      <div class="actions">
        {Object.entries(REVIEWS)
          .filter(([to]) => to !== status)
          .map(([to, [text, kind]]) => (
            <Act
              key={to}
              call={pathOf(user, 'kyc')}
              body={{ status: to, ...(to === 'rejected' && { reasons: [EXPIRED] }) }}
              done={`The user’s status is now ${to}`}
              kind={kind ?? 'plain'}
            >
              {text}
            </Act>
          ))}
        {status !== 'verified' && (
          <Act
            call={`GET /v2/users/${id}/kyc-url`}
            apiKey={own?.apiKey}
            open={({ data }) => data?.url ?? ''}
            done="KYC page opened"
          >
            Open the KYC page
          </Act>
        )}
      </div>
      <Fold title="Set any status, with a reason or a delay">
        <CallForm call={pathOf(user, 'kyc')} done="Decided" label="Decide" submit="Decide">
          <Field isBare name="status" options={STATUSES} label="Status" />
          <Field isBare name="reasons" data-list placeholder="reason" label="Reason" />
          <Field isBare name="after" placeholder="e.g. 2h" label="Delay in world time" />
        </CallForm>
      </Fold>
    </Card>
  )
}

const Requirements = ({ user: { requirements } }: { user: UserRecord }) => {
  const { complete, outstanding } = requirements
  return (
    <Card title="Requirements" aside={<Badge status={complete ? 'complete' : 'outstanding'} />}>
      {complete ? (
        <p class="hint">Nothing is outstanding.</p>
      ) : (
        <ul class="stack">
          {outstanding.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> <Quiet text={message.replace(`${field} `, '')} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const Limits = ({ user: { limits } }: { user: UserRecord }) => {
  const { active, cancelledOrExpired, minimumCad, maximumCad, window } = limits
  return (
    <Card
      title={`Limits over ${window}`}
      fields={{
        Active: `${active.count} of ${active.maximum}`,
        'Cancelled or expired': `${cancelledOrExpired.count} of ${cancelledOrExpired.maximum}`,
        'Each transaction': `from ${formatNumber(minimumCad)} to ${formatNumber(maximumCad)} CAD`,
      }}
    />
  )
}

const Account = ({ user }: { user: UserRecord }) => {
  const { account, keyAccess } = user
  const { autodeposit } = account
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
      <a href={urlOf('reference/simulateAccount')}>Set a maximum amount or a fixed login code</a>
    </Card>
  )
}

const Profile = ({ user: { profile } }: { user: UserRecord }) => {
  const { olderUserInfo, ...own } = profile
  const fields = Object.entries({ ...own, ...olderUserInfo }).filter(([, value]) => value !== null)
  return (
    <Card
      title="Profile"
      fields={Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))}
    >
      {fields.length === 0 && (
        <p class="hint">
          Empty so far. Your app fills it in with <code>{'PATCH /v2/users/{userId}'}</code>.
        </p>
      )}
    </Card>
  )
}
