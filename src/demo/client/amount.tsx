import { useEffect, useRef } from 'hono/jsx/dom'
import { Coin, Icon } from './icons.tsx'
import { Problem, Rate, Top } from './parts.tsx'
import { enqueue, tap } from './queue.ts'
import { Fees, QuotePress, RateLock } from './quote.tsx'
import { change, state } from './store.ts'
import {
  askQuote,
  boundsOf,
  COINS,
  findAmountProblem,
  goHome,
  heldOf,
  isQuoteExpired,
  networkOf,
} from './trading.ts'
import { coinOf, formatAmount, formatPlain, formatRound, t } from './words.ts'

const TYPING_MS = 350
let typing: number | undefined

function setAmount(amount: string) {
  change({ amount, quote: null, problem: '' })
  clearTimeout(typing)
  typing = window.setTimeout(() => {
    if (findAmountProblem() === undefined) {
      const title = `${state.name} enters ${state.amount}`
      void enqueue({ kind: 'tap', title, run: askQuote, isQuiet: true })
    }
  }, TYPING_MS)
}

const leftLabel = () => (state.side === 'buy' ? 'CAD' : state.coin)

export const Amount = () => {
  const { side, coin, quote, isChoosing } = state
  const problem = findAmountProblem()
  if (isChoosing) return <CoinSheet />
  const isReady = quote !== null && problem === undefined && !isQuoteExpired()
  return (
    <div class="screen">
      <Top
        title={t(side === 'buy' ? 'buyTitle' : 'sellTitle', { coin: coinOf(coin) })}
        back={goHome}
      />
      <Entry isWrong={problem !== undefined && state.amount !== ''} />
      <Chips />
      <button
        type="button"
        class="coin-pick"
        data-step="coin"
        onClick={() => change({ isChoosing: true })}
      >
        <Coin label={coin} size={32} />
        <span class="main">{coinOf(coin)}</span>
        <span class="sub">{t('on', { network: networkOf(coin) })}</span>
        <Icon name="down" />
      </button>
      {quote && problem === undefined ? <Quote /> : <Waiting />}
      <div class="foot">
        <Problem />
        <QuotePress
          step="review"
          what="reviews the order"
          act={() => change({ screen: 'confirm' })}
          disabled={!isReady}
        >
          {t('review')}
        </QuotePress>
      </div>
    </div>
  )
}

const Entry = ({ isWrong }: { isWrong: boolean }) => {
  const { side, amount, coin } = state
  return (
    <label class={`entry ${isWrong ? 'wrong' : ''}`}>
      <span class="label">{t(side === 'buy' ? 'youPay' : 'youSell')}</span>
      <span class="figure">
        {side === 'buy' && <span class="unit">$</span>}
        <input
          class="amount-field"
          inputmode="decimal"
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby="amount-help"
          maxlength={16}
          style={{
            width: `${Math.max(amount.length, 1) + 0.1}ch`,
            fontSize: `${Math.min(1, 8 / Math.max(amount.length, 1))}em`,
          }}
          value={amount}
          onInput={(event: Event) => setAmount((event.target as HTMLInputElement).value)}
        />
        {side === 'sell' && <span class="unit small">{coinOf(coin)}</span>}
      </span>
      <span id="amount-help" class="help" role={isWrong ? 'alert' : undefined}>
        {helpText()}
      </span>
    </label>
  )
}

/** The limits from the start, and what is wrong once something is. */
function helpText(): string {
  const { minimum = 0, maximum = 0 } = boundsOf() ?? {}
  const label = leftLabel()
  const params = {
    least: formatAmount(minimum, label),
    most: formatAmount(maximum, label),
    amount: formatAmount(heldOf(state.coin), state.coin),
    example: '250',
    count: state.side === 'buy' ? 2 : 6,
  }
  const problem = state.amount === '' ? undefined : findAmountProblem()
  return problem ? t(problem, params) : t('range', params)
}

const Chips = () => {
  const { side, coin } = state
  const held = heldOf(coin)
  const most = Math.min(held, boundsOf()?.maximum ?? held)
  const texts = side === 'buy' ? ['100', '250', '1000'] : ['80', '100', String(most)]
  return (
    <div class="chips">
      {texts.map((text, at) => (
        <button
          key={text}
          type="button"
          class={`chip ${state.amount === text ? 'on' : ''}`}
          onClick={() => setAmount(text)}
        >
          {side === 'sell' && at === 2
            ? t('maximum')
            : side === 'buy'
              ? formatRound(Number(text))
              : formatPlain(Number(text))}
        </button>
      ))}
    </div>
  )
}

const Waiting = () => (
  <div class="quote waiting">
    {findAmountProblem() === undefined && <p class="quiet">{t('asking')}</p>}
  </div>
)

const Quote = () => {
  const { rightSideValue, rightSideLabel = '', rate } = state.quote ?? {}
  return (
    <div class="quote">
      <div class="gets">
        <span class="label">{t('youGet')}</span>
        {rightSideValue !== undefined && (
          <output class="got">{formatAmount(rightSideValue, rightSideLabel)}</output>
        )}
      </div>
      {rate !== undefined && (
        <dl>
          <Rate coin={state.coin} rate={rate} />
        </dl>
      )}
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
  return (
    <div
      ref={sheet}
      class="screen"
      role="dialog"
      tabIndex={-1}
      aria-label={t('chooseCoin')}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
    >
      <Top title={t('chooseCoin')} back={close} />
      <ul class="list">
        {COINS.map(({ label, network }) => (
          <li key={label}>
            <button
              type="button"
              class="item"
              data-step={`coin-${label}`}
              disabled={state.isBusy}
              onClick={() => {
                change({ coin: label, quote: null, isChoosing: false })
                void tap(`chooses ${coinOf(label)} on ${network}`, askQuote)
              }}
            >
              <Coin label={label} />
              <span class="main">{coinOf(label)}</span>
              <span class="value">{formatAmount(heldOf(label), label)}</span>
              <span class="sub">{t('on', { network })}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
