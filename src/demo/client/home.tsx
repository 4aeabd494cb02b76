import type { Json } from '../../client/http.ts'
import { Coin, Icon, type IconName } from './icons.tsx'
import { Logo, Press, Problem } from './parts.tsx'
import { signOut } from './session.ts'
import { state } from './store.ts'
import { theme } from './theme.ts'
import {
  balanceOf,
  coinLabel,
  isBuy,
  isOpen,
  isPending,
  open,
  openCount,
  order,
  rateOf,
} from './trading.ts'
import {
  coinOf,
  formatAmount,
  formatCad,
  formatShort,
  roundParts,
  t,
  type WordKey,
} from './words.ts'

const HELD = ['USDC', 'CADC'] as const
const ORDERS = [
  ['buy', 'taps Buy'],
  ['sell', 'taps Sell'],
] as const

export const Home = () => {
  const exact = HELD.map((coin) => balanceOf(coin) * rateOf(coin))
  const total = exact.reduce((sum, value) => sum + value, 0)
  const worth = roundParts(exact, total)
  const isFull = openCount() >= state.activeMost
  return (
    <div class="screen home">
      <header class="greeting">
        <Logo size={32} />
        <span class="brand-name">{theme.name}</span>
        <Press
          class="avatar"
          step="sign-out"
          what="signs out"
          label={t('signOut')}
          act={() => signOut()}
        >
          {(state.name || state.email).slice(0, 1).toUpperCase()}
        </Press>
      </header>
      <section class="balance" aria-label={t('total')}>
        <h1>{state.name ? t('hello', { name: state.name }) : t('helloAgain')}</h1>
        <p class="label">{t('total')}</p>
        <p class="total">{formatCad(total)}</p>
        <div class="actions">
          {ORDERS.map(([side, what]) => (
            <Press
              key={side}
              step={side}
              what={what}
              kind="primary"
              act={() => order(side)}
              disabled={isFull}
            >
              <Icon name={side} size={18} />
              {t(side)}
            </Press>
          ))}
        </div>
      </section>
      {isFull && <p class="aside">{t('openFull', { most: state.activeMost })}</p>}
      <Problem />
      <h2>{t('coins')}</h2>
      <ul class="list">
        {HELD.map((coin, at) => (
          <li key={coin} class="item">
            <Coin label={coin} />
            <span class="main">{coin}</span>
            <span class="value">{formatAmount(balanceOf(coin), coin)}</span>
            <span class="sub">{t('rateIs', { coin, amount: formatCad(rateOf(coin)) })}</span>
            <span class="subvalue">{formatCad(worth[at] ?? 0)}</span>
          </li>
        ))}
      </ul>
      <Activity />
    </div>
  )
}

const Activity = () => {
  const { transactions, received, activeMost } = state
  const rows = [...transactions, ...received].sort(
    (one, other) => Date.parse(other.date) - Date.parse(one.date),
  )
  const count = openCount()
  return (
    <>
      <div class="heading">
        <h2>{t('activity')}</h2>
        {count > 0 && <span class="quiet">{t('openOrders', { count, most: activeMost })}</span>}
      </div>
      {rows.length === 0 && <p class="quiet">{t('noActivity')}</p>}
      <ul class="list">
        {rows.map((row) => (
          <li key={row.id}>
            {row.status === undefined ? <Received row={row} /> : <Order row={row} />}
          </li>
        ))}
      </ul>
    </>
  )
}

const Received = ({ row: { amount, date } }: { row: Json }) => (
  <div class="item">
    <span class="direction in">
      <Icon name="buy" size={18} />
    </span>
    <span class="main">{t('received', { coin: 'USDC' })}</span>
    <span class="value">{`+${formatAmount(amount, 'USDC')}`}</span>
    <span class="sub">{t('receivedFrom')}</span>
    <span class="subvalue">{formatShort(Date.parse(date))}</span>
  </div>
)

const Order = ({ row }: { row: Json }) => (
  <Press class="item" step="activity" what="opens an order" act={() => open(row)}>
    <span class={`direction ${isDone(row) && isBuy(row) ? 'in' : 'out'}`}>
      <Icon name={iconOf(row)} size={18} />
    </span>
    <span class="main">{t(titleWord(row), { coin: coinOf(coinLabel(row)) })}</span>
    <span class={`value ${isDone(row) ? '' : 'quiet'}`}>{signed(row)}</span>
    <span class={`sub ${toneOf(row)}`}>{`${t(statusWord(row))} · ${row.rmtId ?? ''}`}</span>
    <span class="subvalue">{formatShort(Date.parse(row.date))}</span>
  </Press>
)

/** What happened to it, not what was wanted. */
function iconOf(row: Json): IconName {
  if (isDone(row)) return isBuy(row) ? 'buy' : 'sell'
  if (isOpen(row) || row.status === 'expired') return 'clock'
  return 'cross'
}

const isDone = ({ status }: Json): boolean => status === 'complete'

function titleWord(row: Json): WordKey {
  if (isDone(row)) return isBuy(row) ? 'bought' : 'sold'
  return isBuy(row) ? 'buyTitle' : 'sellTitle'
}

/** The coins, with a sign once they have moved. */
function signed(row: Json): string {
  const isBought = isBuy(row)
  const amount = isBought
    ? formatAmount(row.rightSideValue, row.rightSideLabel)
    : formatAmount(row.leftSideValue, row.leftSideLabel)
  return isDone(row) ? `${isBought ? '+' : '−'}${amount}` : amount
}

function statusWord(row: Json): WordKey {
  if (isPending(row)) return isBuy(row) ? 'statusPending' : 'statusSend'
  if (row.status === 'complete') return 'statusComplete'
  if (row.status === 'expired') return 'statusExpired'
  return row.status.startsWith('cancel') ? 'statusCancelled' : 'statusProcessing'
}

const toneOf = ({ status }: Json) =>
  status === 'complete' ? 'good' : status === 'expired' ? 'bad' : ''
