import { shownStatus } from '../../world/events.ts'
import { getRequirements } from '../../world/requirements.ts'
import { USER_STATUSES, type User } from '../../world/state.ts'
import { formatMoney, formatName, plural, shellQuote } from '../format.ts'
import { Act, CallForm, Input, Submit } from '../forms.tsx'
import { NewTransaction } from '../new-transaction.tsx'
import { Badge, Card, Copy, DetailHead, Fields, Id, Timeline } from '../parts.tsx'
import { isAboutUser } from '../timeline/entries.ts'
import { TimelinePart } from '../timeline/part.tsx'
import type { View } from '../view.ts'
import { AccountCard, LimitsCard } from './account.tsx'
import { KycDiagram } from './kyc-diagram.tsx'

interface Props {
  view: View
  user: User
}

const TRANSACTIONS_SHOWN = 8

export const UserDetail = ({ view, user }: Props) => (
  <>
    <Head view={view} user={user} />
    <Kyc view={view} user={user} />
    <div class="masonry">
      <Requirements view={view} user={user} />
      <History user={user} />
      <LimitsCard view={view} user={user} />
      <AccountCard user={user} />
      <ProfileCard user={user} />
      <Transactions view={view} user={user} />
    </div>
    <TimelinePart
      view={view}
      about={{ user }}
      isAbout={isAboutUser(view, user)}
      refs={new Set([user.id, ...transactionIds(view, user)])}
      more={view.page('overview', { user: user.email })}
    />
  </>
)

const transactionIds = ({ world }: View, { id }: User) =>
  (world.userTransactions.get(id)?.all ?? []).map((transaction) => transaction.id)

const Head = ({ view, user }: Props) => {
  const url = `${view.baseUrl}/_sandbox/users/${user.id}`
  return (
    <DetailHead title={user.email} badge={<Badge status={user.status} />}>
      <span>{formatName(user)}</span>
      <Id id={user.id} what="the user's id" />
      <Copy text={`curl -sS ${shellQuote(url)}`} what="this user" label="Copy curl" />
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

const History = ({ user }: { user: User }) => (
  <Card title="Statuses">
    <Timeline rows={user.history} />
    {user.reasons.length > 0 && <p class="reason">{user.reasons.join('; ')}</p>}
  </Card>
)

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

const Transactions = ({ view, user }: Props) => {
  const all = view.world.userTransactions.get(user.id)?.all ?? []
  const newest = all.slice(-TRANSACTIONS_SHOWN).reverse()
  const more = (
    <a href={view.page('transactions', { q: user.email })}>{plural(all.length, 'transaction')}</a>
  )
  return (
    <Card title="Transactions" aside={all.length > 0 && more}>
      <ol class="stack">
        {newest.map((row) => (
          <li class="row">
            <Badge status={shownStatus(view.world, row.status)} />
            <a href={view.page(`transactions/${row.id}`)}>
              {formatMoney(row.leftSide, row.leftSideLabel)} → {row.rightSideLabel}
            </a>
          </li>
        ))}
        {all.length === 0 && <li class="hint">None yet.</li>}
      </ol>
    </Card>
  )
}
