import { heldOf } from './balances.ts'
import { COINS, networkOf, walletOf } from './coins.ts'
import { customer } from './customer.ts'
import {
  coinOf,
  formatAmount,
  formatCad,
  formatCountdown,
  formatPlain,
  formatRound,
  parseAmount,
  roundParts,
  shorten,
} from './format.ts'
import { Coin, Icon } from './icons.tsx'
import { goHome, placeOrder } from './orders.ts'
import {
  Button,
  Dialog,
  Foot,
  Item,
  Press,
  type PressProps,
  rateLine,
  Sheet,
  Top,
} from './parts.tsx'
import { enqueue, tap } from './queue.ts'
import { askQuote, boundsOf, findAmountProblem, isQuoteExpired } from './quotes.ts'
import { change, state } from './store.ts'

const TYPING_MS = 350
let typing: number | undefined

function setAmount(amount: string) {
  change({ amount, quote: null, problem: '' })
  clearTimeout(typing)
  typing = window.setTimeout(() => {
    if (findAmountProblem() !== undefined) return
    const title = `${customer().name} enters ${amount}`
    void enqueue({ kind: 'tap', title, run: askQuote, isQuiet: true })
  }, TYPING_MS)
}

export const Amount = () => {
  const { side, coin, quote, isChoosing } = state
  const problem = findAmountProblem()
  if (isChoosing) return <CoinSheet />
  const title = `${side === 'buy' ? 'Buy' : 'Sell'} ${coinOf(coin)}`
  return (
    <div class="screen">
      <Top title={title} back={goHome} />
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
        <span class="sub">{`on ${networkOf(coin)}`}</span>
        <Icon name="down" />
      </button>
      {quote && problem === undefined ? (
        <Quote />
      ) : (
        <div class="quote waiting">
          {problem === undefined && <p class="quiet">Getting your rate …</p>}
        </div>
      )}
      <Foot>
        <QuotePress
          step="review"
          text="Review"
          act={() => change({ screen: 'confirm' })}
          disabled={quote === null || problem !== undefined}
        />
      </Foot>
    </div>
  )
}

const Entry = ({ problem }: { problem: string | undefined }) => {
  const { side, amount, coin } = state
  const { minimum = 0, maximum = 0 } = boundsOf() ?? {}
  const label = side === 'buy' ? 'CAD' : coin
  const range = `${formatAmount(minimum, label)} to ${formatAmount(maximum, label)}`
  const length = Math.max(amount.length, 1)
  return (
    <label class={`entry ${problem ? 'wrong' : ''}`}>
      <span class="label">{side === 'buy' ? 'You pay' : 'You sell'}</span>
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
        {problem ?? `${range} per order`}
      </span>
    </label>
  )
}

const Chips = () => {
  const { side, coin } = state
  const held = heldOf(coin)
  const max = Math.min(held, boundsOf()?.maximum ?? held)
  const isBuying = side === 'buy'
  const chips = isBuying ? [100, 250, 1000] : [80, 100, max]
  const toCoins = (value: number, at: number) => (at === 2 ? 'Max' : formatPlain(value))
  return (
    <div class="chips">
      {chips.map((value, at) => (
        <button
          key={at}
          type="button"
          class={`chip ${parseAmount(state.amount) === value ? 'on' : ''}`}
          onClick={() => setAmount(String(value))}
        >
          {isBuying ? formatRound(value) : toCoins(value, at)}
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
        <span class="label">You get</span>
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
  const close = () => change({ isChoosing: false })
  const choose = (coin: string) => {
    change({ coin, quote: null, isChoosing: false })
    return tap(`${coinOf(coin)} on ${networkOf(coin)}`, askQuote)
  }
  // A dialog takes the focus, because its buttons are disabled while a quote is on its way.
  return (
    <Dialog kind="screen" label="Coin" close={close}>
      <Top title="Coin" back={close} />
      <ul class="list">
        {COINS.map(({ label, network }) => (
          <li key={label}>
            <Button class="item" step={`coin-${label}`} act={() => choose(label)}>
              <Item
                lead={<Coin label={label} />}
                main={coinOf(label)}
                value={formatAmount(heldOf(label), label)}
                sub={`on ${network}`}
              />
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const RateLock = () => {
  const { quote, now } = state
  if (!quote?.expiresAt) return null
  const isOver = isQuoteExpired()
  const time = formatCountdown(Date.parse(quote.expiresAt) - now)
  return (
    <p class="lock">
      <Icon name={isOver ? 'warn' : 'lock'} size={16} />
      {isOver ? 'This rate has expired.' : `Rate locked for ${time}`}
    </p>
  )
}

/** Goes on with the quote, or asks for another once its rate has expired. */
const QuotePress = (props: Pick<PressProps, 'step' | 'text' | 'act' | 'disabled'>) => {
  // Only the props change: replacing the button would take the focus from the next screen.
  const press = isQuoteExpired()
    ? { step: 'requote', text: 'Get a new rate', act: askQuote }
    : props
  return <Press kind="primary" {...press} />
}

const Fees = () => {
  const { fee = 0, gas = 0, spread = 0, total = fee + gas + spread } = state.quote?.breakdown ?? {}
  const [service = 0, network = 0, margin = 0] = roundParts([fee, gas, spread], total)
  return (
    <details class="fees">
      <summary data-step="fees">
        <span>Fees</span>
        <span class="sum">{formatCad(total)}</span>
        <Icon name="down" size={18} />
      </summary>
      <Sheet
        lines={[
          ['Service fee', formatCad(service)],
          ['Network fee', formatCad(network)],
          ['Exchange margin', formatCad(margin)],
        ]}
      />
    </details>
  )
}

const DISCLOSURE = 'Stablecoins are not deposits and are not insured. Transfers of coins are final.'

export const Confirm = () => {
  const { side, coin, quote, amount } = state
  const isBuying = side === 'buy'
  const pays = formatAmount(parseAmount(amount) ?? 0, isBuying ? 'CAD' : coin)
  const { rightSideValue, rightSideLabel = '', rate } = quote ?? {}
  const gets = rightSideValue === undefined ? '' : formatAmount(rightSideValue, rightSideLabel)
  const wallet = isBuying && (
    <>
      This wallet <code>{shorten(walletOf(coin))}</code>
    </>
  )
  return (
    <div class="screen">
      <Top title="Check your order" back={() => change({ screen: 'amount' })} />
      <div class="swap">
        <Coin label={coin} size={48} />
        <p class="got">{gets || pays}</p>
        <p class="quiet">{`${isBuying ? 'You pay' : 'You sell'} ${pays}`}</p>
      </div>
      <RateLock />
      <Sheet
        class="sheet-list"
        lines={[
          ['Pay with', isBuying && 'e-transfer'],
          ['Paid to', !isBuying && 'Your bank, by e-transfer'],
          ['Delivered to', wallet],
          ['Network', networkOf(coin)],
          rateLine(coin, rate),
        ]}
      />
      <Fees />
      <Foot>
        <p class="small-print">{DISCLOSURE}</p>
        <QuotePress
          step="confirm"
          text={isBuying ? `Buy ${gets || pays}` : `Sell ${pays}`}
          act={placeOrder}
        />
      </Foot>
    </div>
  )
}
