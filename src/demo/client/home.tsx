import type { Json } from '../../client/http.ts'
import { Coin, Icon } from './icons.tsx'
import { Logo, Press, Problem } from './parts.tsx'
import { state } from './store.ts'
import { theme } from './theme.ts'
import {
  balanceOf,
  coinLabel,
  isBuy,
  isPending,
  open,
  openCount,
  order,
  rateOf,
} from './trading.ts'
import { coinOf, formatAmount, formatCad, formatDay, t, type WordKey } from './words.ts'

const HELD = ['USDC', 'CADC'] as const
const ORDERS = [
  ['buy', 'taps Buy'],
  ['sell', 'taps Sell'],
] as const

export const Home = () => {
  const worth = HELD.map((coin) => balanceOf(coin) * rateOf(coin))
  const isFull = openCount() >= state.activeMost
  return (
    <div class="screen home">
      <header class="greeting">
        <Logo size={32} />
        <span class="brand-name">{theme.name}</span>
        <span class="avatar" aria-hidden="true">
          {state.name.slice(0, 1)}
        </span>
      </header>
      <section class="balance" aria-label={t('total')}>
        <h1>{t('hello', { name: state.name })}</h1>
        <p class="label">{t('total')}</p>
        <p class="total">{formatCad(worth.reduce((sum, value) => sum + value, 0))}</p>
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
  const { transactions, activeMost } = state
  const count = openCount()
  return (
    <>
      <div class="heading">
        <h2>{t('activity')}</h2>
        {count > 0 && <span class="quiet">{t('openOrders', { count, most: activeMost })}</span>}
      </div>
      {transactions.length === 0 && <p class="quiet">{t('noActivity')}</p>}
      <ul class="list">
        {transactions.map((row) => (
          <li key={row.id}>
            <Press class="item" step="activity" what="opens an order" act={() => open(row)}>
              <span class={`direction ${isBuy(row) ? 'in' : 'out'}`}>
                <Icon name={isBuy(row) ? 'buy' : 'sell'} size={18} />
              </span>
              <span class="main">{t(titleWord(row), { coin: coinOf(coinLabel(row)) })}</span>
              <span class={`value ${isDone(row) ? '' : 'quiet'}`}>{signed(row)}</span>
              <span class={`sub ${toneOf(row)}`}>{t(statusWord(row))}</span>
              <span class="subvalue">{formatDay(Date.parse(row.date))}</span>
            </Press>
          </li>
        ))}
      </ul>
    </>
  )
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
