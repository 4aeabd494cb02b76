import type { TransactionResponse } from '../../http/v2/shapes.ts'
import { plural } from '../lib/format.ts'
import { heldLabels, heldOf, rateOf } from './balances.ts'
import { networkOf } from './coins.ts'
import { customer } from './customer.ts'
import { coinOf, formatAmount, formatCad, formatShort, roundParts } from './format.ts'
import type { Received as CoinsReceived } from './holdings.ts'
import { Coin, Icon, type IconName } from './icons.tsx'
import { openCount, openOrder } from './orders.ts'
import { Button, Item, Logo, Press, Problem, rateText } from './parts.tsx'
import { tap } from './queue.ts'
import { startOrder } from './quotes.ts'
import { startOver, state } from './store.ts'
import { theme } from './theme.ts'
import { coinLabel, getsOf, isBuy, isDone, isOpen, isPending, paysOf } from './transactions.ts'

/** Shown while the wallet is empty. */
const EMPTY = ['USDC-ETH', 'CADC-ETH']

export const Home = () => {
  const { activeMax: max, email } = state
  const { name } = customer()
  const held = heldLabels()
  const shown = held.length > 0 ? held : EMPTY
  const worth = shown.map((label) => heldOf(label) * rateOf(label))
  const total = worth.reduce((sum, value) => sum + value, 0)
  const isFull = openCount() >= max
  return (
    <div class="screen home">
      <header class="greeting">
        <Logo size={32} />
        <span class="brand-name">{theme.name}</span>
        <Press class="avatar" step="sign-out" text="Sign out" act={() => startOver(email)}>
          {(name || email).slice(0, 1).toUpperCase()}
        </Press>
      </header>
      <section class="balance" aria-label="Total balance">
        <h1>{name ? `Hello, ${name}` : 'Hello'}</h1>
        <p class="label">Total balance</p>
        <p class="total">{formatCad(total)}</p>
        <div class="actions">
          {(['buy', 'sell'] as const).map((side) => (
            <Press
              key={side}
              step={side}
              text={side === 'buy' ? 'Buy' : 'Sell'}
              icon={side}
              kind="primary"
              act={() => startOrder(side)}
              disabled={isFull}
            />
          ))}
        </div>
      </section>
      {isFull && (
        <p class="aside">
          {max === 0
            ? 'New orders are switched off.'
            : `You have ${plural(openCount(), 'open order')}, and the maximum is ${max}. Finish or cancel one first.`}
        </p>
      )}
      <Problem />
      <h2>Coins</h2>
      <Coins labels={shown} worth={roundParts(worth, total)} />
      <Activity />
    </div>
  )
}

const Coins = ({ labels, worth }: { labels: readonly string[]; worth: readonly number[] }) => (
  <ul class="list">
    {labels.map((label, at) => (
      <li key={label} class="item">
        <Item
          lead={<Coin label={label} />}
          main={`${coinOf(label)} on ${networkOf(label)}`}
          value={formatAmount(heldOf(label), label)}
          sub={rateText(label, rateOf(label))}
          subvalue={formatCad(worth[at] ?? 0)}
        />
      </li>
    ))}
  </ul>
)

const Activity = () => {
  const { transactions, activeMax: max } = state
  const rows = [...transactions, ...customer().received].sort(
    (one, other) => Date.parse(other.date) - Date.parse(one.date),
  )
  const count = openCount()
  return (
    <>
      <div class="heading">
        <h2>Activity</h2>
        {count > 0 && <span class="quiet">{`${count} of ${max} open orders`}</span>}
      </div>
      {rows.length === 0 && <p class="quiet">Nothing yet. What you buy and sell appears here.</p>}
      <ul class="list">
        {rows.map((row) => (
          <li key={row.id}>
            {'label' in row ? (
              <div class="item">
                <Received row={row} />
              </div>
            ) : (
              <Button
                class="item"
                step="activity"
                act={() => tap(titleOf(row), () => openOrder(row))}
              >
                <Order row={row} />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const Direction = ({ icon, isIn }: { icon: IconName; isIn: boolean }) => (
  <span class={`direction ${isIn ? 'in' : 'out'}`}>
    <Icon name={icon} size={18} />
  </span>
)

const Received = ({ row: { label, amount, date } }: { row: CoinsReceived }) => (
  <Item
    lead={<Direction icon="buy" isIn />}
    main={`Received ${coinOf(label)}`}
    value={`+${formatAmount(amount, label)}`}
    sub={`From another wallet · ${networkOf(label)}`}
    subvalue={formatShort(Date.parse(date))}
  />
)

function titleOf(row: TransactionResponse): string {
  const [wanted, done] = isBuy(row) ? ['Buy', 'Bought'] : ['Sell', 'Sold']
  return `${isDone(row) ? done : wanted} ${coinOf(coinLabel(row))}`
}

const Order = ({ row }: { row: TransactionResponse }) => {
  const isBought = isBuy(row)
  const coins = isBought ? getsOf(row) : paysOf(row)
  const [status, tone, icon] = statusOf(row)
  return (
    <Item
      lead={<Direction icon={icon} isIn={isDone(row) && isBought} />}
      main={titleOf(row)}
      value={isDone(row) ? `${isBought ? '+' : '−'}${coins}` : coins}
      isQuiet={!isDone(row)}
      sub={`${status} · ${row.rmtId}`}
      tone={tone}
      subvalue={formatShort(Date.parse(row.date))}
    />
  )
}

function statusOf(row: TransactionResponse): [string, tone: string, IconName] {
  if (isDone(row)) return ['Complete', 'good', isBuy(row) ? 'buy' : 'sell']
  if (isPending(row)) return [isBuy(row) ? 'To pay' : 'To send', '', 'clock']
  if (isOpen(row)) return ['On its way', '', 'clock']
  return row.status === 'expired' ? ['Expired', 'bad', 'clock'] : ['Cancelled', '', 'cross']
}
