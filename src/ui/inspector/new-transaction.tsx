import { act, type ButtonCall } from '../lib/act.ts'
import { Field, Form, UserField } from '../lib/form.tsx'
import { useRead } from '../lib/live.ts'
import { Menu } from '../lib/parts.tsx'

const PROPOSED_MAX = 100
const DEFAULT_COIN = 'USDC-ETH'
const ADDRESS = /@/

const SIDES = [
  ['buy', 'Buy (enter CAD)'],
  ['sell', 'Sell (enter coins)'],
] as const

const CREATE: ButtonCall = {
  call: '/simulate/users/{user}/{side}',
  done: 'Transaction created',
  after: ({ transaction }) => `transactions/${transaction?.id}`,
}

/** A button with a form that makes a quote and its transaction in one step. */
export const NewTransaction = ({ user }: { user?: string }) => (
  <Menu id={user ? 'trade' : 'new-transaction'} summary="New transaction">
    <NewTransactionForm {...(user && { user })} />
  </Menu>
)

const NewTransactionForm = ({ user }: { user?: string }) => {
  const labels = useRead<'settings.get'>('/settings/quotes.labels').data?.value
  const others = String(labels ?? '').split(',')
  const coins = [...new Set([DEFAULT_COIN, ...(ADDRESS.test(others[0] ?? '') ? [] : others)])]
  return (
    <Form
      onSend={({ cad, side, ...fields }) =>
        // A buy takes an amount in CAD, a sell an amount in coins.
        act(CREATE, { user, ...fields, side, [side === 'buy' ? 'cad' : 'coins']: cad })
      }
      class="stack"
      label="New transaction"
      submit="Create"
      kind="primary"
    >
      {!user && <NewestUser />}
      <Field name="side" label="Side" options={SIDES} />
      <Field label="Amount, in CAD or coins" name="cad" type="number" required value="250" />
      <Field label="Coin" name="coin" options={coins.filter(Boolean)} />
      <Field label="Wallet" name="wallet" placeholder="the user's own" />
      <Field type="checkbox" label="Settle at once" name="settle" />
    </Form>
  )
}

const NewestUser = () => {
  const { data } = useRead<'users.list'>(`/users?status=verified&last=${PROPOSED_MAX}`)
  const emails = [...(data?.items ?? [])].reverse().map(({ email }) => email)
  return <UserField label="User, by e-mail address or id" emails={emails} required />
}
