import { useEffect, useRef } from 'hono/jsx/dom'
import { Coin, Icon } from './icons.tsx'
import { Button, Foot, Item, rateLine, Sheet, Top } from './parts.tsx'
import { enqueue, tap } from './queue.ts'
import { Fees, QuotePress, RateLock } from './quote.tsx'
import { change, state } from './store.ts'
import * as trading from './trading.ts'
import { coinOf, formatAmount, formatPlain, formatRound, parseAmount, t, toTyped } from './words.ts'

const { askQuote, findAmountProblem, heldOf, networkOf } = trading
const TYPING_MS = 350
let typing: number | undefined

function setAmount(amount: string) {
  change({ amount, quote: null, problem: '' })
  clearTimeout(typing)
  typing = window.setTimeout(() => {
    if (findAmountProblem() !== undefined) return
    const title = t('{name} enters {amount}', { name: state.name, amount })
    void enqueue({ kind: 'tap', title, run: askQuote, isQuiet: true })
  }, TYPING_MS)
}

export const Amount = () => {
  const { side, coin, quote, isChoosing } = state
  const problem = findAmountProblem()
  if (isChoosing) return <CoinSheet />
  const title = t(side === 'buy' ? 'Buy {coin}' : 'Sell {coin}', { coin: coinOf(coin) })
  return (
    <div class="screen">
      <Top title={title} back={trading.goHome} />
      <Entry problem={state.amount === '' ? undefined : problem} />
      <Chips />
      <button
        type="button"
        class="coin-pick"
        data-step="coin"
        onClick={() => change({ isChoosing: true })}
      >
        <Coin label={coin} size={32} />
        <span class="main">{coinOf(coin)}</span>
        <span class="sub">{t('on {network}', { network: networkOf(coin) })}</span>
        <Icon name="down" />
      </button>
      {quote && problem === undefined ? (
        <Quote />
      ) : (
        <div class="quote waiting">
          {problem === undefined && <p class="quiet">{t('Getting your rate …')}</p>}
        </div>
      )}
      <Foot>
        <QuotePress
          step="review"
          text={t('Review')}
          act={() => change({ screen: 'confirm' })}
          disabled={quote === null || problem !== undefined}
        />
      </Foot>
    </div>
  )
}

/** The limits from the start, and what is wrong once something is. */
const Entry = ({ problem }: { problem: string | undefined }) => {
  const { side, amount, coin } = state
  const { minimum = 0, maximum = 0 } = trading.boundsOf() ?? {}
  const label = side === 'buy' ? 'CAD' : coin
  const range = { least: formatAmount(minimum, label), most: formatAmount(maximum, label) }
  const length = Math.max(amount.length, 1)
  return (
    <label class={`entry ${problem ? 'wrong' : ''}`}>
      <span class="label">{t(side === 'buy' ? 'You pay' : 'You sell')}</span>
      <span class="figure">
        {side === 'buy' && <span class="unit">$</span>}
        <input
          class="amount-field"
          inputmode="decimal"
          autocomplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby="amount-help"
          maxlength={16}
          style={{ width: `${length + 0.1}ch`, fontSize: `${Math.min(1, 8 / length)}em` }}
          value={amount}
          onInput={(event: Event) => setAmount((event.target as HTMLInputElement).value)}
        />
        {side === 'sell' && <span class="unit small">{coinOf(coin)}</span>}
      </span>
      <span id="amount-help" class="help" role={problem ? 'alert' : undefined}>
        {problem ?? t('{least} to {most} per order', range)}
      </span>
    </label>
  )
}

const Chips = () => {
  const { side, coin } = state
  const held = heldOf(coin)
  const most = Math.min(held, trading.boundsOf()?.maximum ?? held)
  const chips = side === 'buy' ? [100, 250, 1000] : [80, 100, most]
  return (
    <div class="chips">
      {chips.map((value, at) => (
        <button
          key={at}
          type="button"
          class={`chip ${parseAmount(state.amount) === value ? 'on' : ''}`}
          onClick={() => setAmount(toTyped(value))}
        >
          {side === 'buy' ? formatRound(value) : at === 2 ? t('Max') : formatPlain(value)}
        </button>
      ))}
    </div>
  )
}

const Quote = () => {
  const { rightSideValue, rightSideLabel = '', rate } = state.quote ?? {}
  return (
    <div class="quote">
      <div class="gets">
        <span class="label">{t('You get')}</span>
        {rightSideValue !== undefined && (
          <output class="got">{formatAmount(rightSideValue, rightSideLabel)}</output>
        )}
      </div>
      <Sheet lines={[rateLine(state.coin, rate)]} />
      <Fees />
      <RateLock />
    </div>
  )
}

const CoinSheet = () => {
  const sheet = useRef<HTMLDivElement>(null)
  // Not on a button: those cannot have the focus while a quote is asked for.
  useEffect(() => sheet.current?.focus(), [])
  const close = () => change({ isChoosing: false })
  const choose = (coin: string) => {
    change({ coin, quote: null, isChoosing: false })
    return tap(`${coinOf(coin)} ${t('on {network}', { network: networkOf(coin) })}`, askQuote)
  }
  return (
    <div
      ref={sheet}
      class="screen"
      role="dialog"
      tabIndex={-1}
      aria-label={t('Coin')}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
    >
      <Top title={t('Coin')} back={close} />
      <ul class="list">
        {trading.COINS.map(({ label, network }) => (
          <li key={label}>
            <Button class="item" step={`coin-${label}`} act={() => choose(label)}>
              <Item
                lead={<Coin label={label} />}
                main={coinOf(label)}
                value={formatAmount(heldOf(label), label)}
                sub={t('on {network}', { network })}
              />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
