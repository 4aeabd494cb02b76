import { formatDistance, formatLength } from '../../dashboard/format.ts'
import { pathTo } from './api.ts'
import { askQuote, attempt, cancel, confirmOrder, goHome, sendCoins } from './flow.ts'
import { badgeTone, formatAmount, Press, Problem } from './parts.tsx'
import { change, state } from './store.ts'

const COINS = ['USDC-ETH', 'USDC-SOL', 'USDC-BASE', 'USDC-POLY', 'CADC-ETH']
const TYPING_MS = 350
const HOUR_MS = 3_600_000

let typing: number | undefined

function quoteSoon() {
  change({ quote: null, problem: '' })
  clearTimeout(typing)
  typing = window.setTimeout(() => Number(state.amount) > 0 && void attempt(askQuote), TYPING_MS)
}

export const Order = () => {
  const { side, coin, amount, quote } = state
  return (
    <div class="screen">
      <h1>{side === 'buy' ? 'Buy' : 'Sell'}</h1>
      <label class="field">
        {side === 'buy' ? 'You pay, in CAD' : `You send, in ${coin}`}
        <input
          class="amount-input"
          inputmode="decimal"
          value={amount}
          onInput={(event: Event) => {
            change({ amount: (event.target as HTMLInputElement).value })
            quoteSoon()
          }}
        />
      </label>
      <label class="field">
        Coin
        <select
          value={coin}
          onChange={(event: Event) => {
            change({ coin: (event.target as HTMLSelectElement).value })
            quoteSoon()
          }}
        >
          {COINS.map((label) => (
            <option key={label} selected={label === coin}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {quote ? <Quote /> : <p class="hint quote">Asking for a quote …</p>}
      <Problem />
      <Confirm />
      <Press step="back" act={goHome}>
        Back
      </Press>
    </div>
  )
}

const Quote = () => {
  const { quote, now } = state
  const { breakdown = {} } = quote
  const parts = [
    ['Fee', breakdown.fee],
    ['Gas', breakdown.gas],
    ['Spread', breakdown.spread],
  ]
  return (
    <div class="quote">
      <p class="get">{formatAmount(quote.rightSideValue ?? 0, quote.rightSideLabel ?? '')}</p>
      <p class="quiet">{`1 ${state.coin.split('-')[0]} is ${quote.rate} CAD`}</p>
      <dl>
        {parts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatAmount(value ?? 0, 'CAD')}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {isExpired()
          ? 'This quote has expired.'
          : `Rate locked for ${formatLength(Date.parse(quote.expiresAt) - now)}`}
      </p>
    </div>
  )
}

const isExpired = () => Date.parse(state.quote?.expiresAt ?? '') <= state.now

const Confirm = () =>
  state.quote && isExpired() ? (
    <Press step="requote" kind="primary" act={askQuote}>
      Get a new quote
    </Press>
  ) : (
    <Press step="confirm" kind="primary" act={confirmOrder} disabled={!state.quote}>
      {state.side === 'buy' ? 'Buy now' : 'Sell now'}
    </Press>
  )

const STEPS = ['pending', 'processing', 'complete']

const Track = () => {
  const status = state.transaction?.status.split(' ')[0]
  const at = STEPS.indexOf(status)
  return (
    <ol class="track" aria-label={`Status: ${status}`}>
      {STEPS.map((step, index) => (
        <li key={step} class={index <= at ? 'reached' : ''}>
          {step}
        </li>
      ))}
    </ol>
  )
}

export const Pay = () => {
  const { transaction, now } = state
  const isBuy = transaction?.leftSideLabel === 'CAD'
  const isPending = transaction?.status.startsWith('pending')
  const window = isBuy ? HOUR_MS : 24 * HOUR_MS
  const endsAt = Date.parse(transaction?.date ?? '') + window
  if (isPending && state.isBankOpen) {
    return (
      <div class="screen framed">
        <iframe src={pathTo(`/bank/${transaction.id}`)} title="The bank" />
        <Press step="unbank" act={async () => change({ isBankOpen: false })}>
          Back to the wallet
        </Press>
      </div>
    )
  }
  return (
    <div class="screen">
      <h1>{isBuy ? 'Pay' : 'Send your coins'}</h1>
      <p class="get">
        {formatAmount(transaction?.leftSideValue, transaction?.leftSideLabel ?? '')}
      </p>
      <Track />
      {isPending ? <Due isBuy={isBuy} endsAt={formatDistance(endsAt, now)} /> : <Moving />}
      <Problem />
      {isPending && (
        <Press step="cancel" kind="danger" act={cancel}>
          Cancel
        </Press>
      )}
      <Press step="home" act={goHome}>
        Back
      </Press>
    </div>
  )
}

const Due = ({ isBuy, endsAt }: { isBuy: boolean; endsAt: string }) => (
  <>
    <p class="quiet">
      {isBuy
        ? `Your bank has a money request, reference ${state.transaction?.rmtId}.`
        : `Send them to ${state.transaction?.depositAddress || 'the deposit address'}.`}
    </p>
    <p class="hint">{`Expires ${endsAt}.`}</p>
    {isBuy ? (
      <Press
        step="bank"
        kind="primary"
        act={async () => change({ isBankOpen: true, notice: null })}
      >
        Open my bank
      </Press>
    ) : (
      <Press step="send" kind="primary" act={sendCoins}>
        Send from my other wallet
      </Press>
    )}
  </>
)

const Moving = () => <p class="quiet">The money is on its way. You can close the app meanwhile.</p>

export const Done = () => {
  const { transaction } = state
  const status = transaction?.status ?? ''
  const isComplete = status === 'complete'
  return (
    <div class="screen">
      <div class={`seal ${badgeTone(status)}`} aria-hidden="true">
        {isComplete ? '✓' : '×'}
      </div>
      <h1 class="centred">{isComplete ? 'All done' : `This transaction is ${status}`}</h1>
      <p class="get centred">
        {isComplete && formatAmount(transaction.rightSideValue, transaction.rightSideLabel)}
      </p>
      {transaction?.paymentId && <code class="hash">{transaction.paymentId}</code>}
      <Press step="home" kind="primary" act={goHome}>
        Done
      </Press>
    </div>
  )
}
