import { labelsOf } from '../world/coins.ts'
import { DEFAULT_COIN } from '../world/orders.ts'
import type { User } from '../world/state.ts'
import { CallForm, Field } from './forms.tsx'
import type { View } from './view.ts'

const PROPOSED_MAX = 100

const SIDES = [
  ['buy', 'Buy, for CAD'],
  ['sell', 'Sell, for coins'],
] as const

/** A button with a form that makes a quote and its transaction in one step. */
export const NewTransaction = ({ view, user }: { view: View; user?: User | undefined }) => (
  <details class="menu" id={user ? 'trade' : 'new-transaction'}>
    <summary class="button">New transaction</summary>
    <div class="popover">
      <CallForm
        call={`/_sandbox/simulate/users/${user ? user.id : '{user}'}/{side}`}
        done="Transaction created"
        go={`${view.page('transactions')}/{transaction.id}`}
        class="stack"
        label="New transaction"
        submit="Create"
        kind="primary"
      >
        {!user && <UserField view={view} label="User, by e-mail address or id" required />}
        <Field name="side" label="Side" options={SIDES} />
        <Field
          label="Amount, in CAD or coins"
          name="cad"
          type="number"
          data-names="buy:cad sell:coins"
          required
          value="250"
        />
        <Field name="coin" label="Coin" options={coinsOf(view)} />
        <Field label="Wallet" name="wallet" placeholder="the user's own" />
        <Field type="checkbox" label="Settle at once" name="settle" />
      </CallForm>
    </div>
  </details>
)

export const UserField = (props: { view: View; label: string; required?: boolean }) => {
  const { view, label, required } = props
  const emails = proposedUsers(view).map(({ email }) => email)
  return (
    <>
      <Field
        label={label}
        name="user"
        list="proposed-users"
        required={required}
        placeholder="ana@example.com"
        value={emails[0] ?? ''}
      />
      <datalist id="proposed-users">
        {emails.map((email) => (
          <option value={email} />
        ))}
      </datalist>
    </>
  )
}

/** Verified users, newest first. */
export function proposedUsers({ world }: View): User[] {
  const verified: User[] = []
  for (let at = world.users.length - 1; at >= 0 && verified.length < PROPOSED_MAX; at--) {
    const user = world.users[at]
    if (user?.status === 'verified') verified.push(user)
  }
  return verified
}

const coinsOf = ({ world }: View): string[] => [
  ...new Set([DEFAULT_COIN, ...labelsOf(world).filter((label) => label !== 'CAD')]),
]
