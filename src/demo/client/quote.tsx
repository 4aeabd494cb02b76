import { Coin, Icon } from './icons.tsx'
import { Foot, Press, type PressProps, rateLine, Sheet, Top } from './parts.tsx'
import { change, state } from './store.ts'
import { askQuote, isQuoteExpired, networkOf, placeOrder, walletOf } from './trading.ts'
import {
  formatAmount,
  formatCad,
  formatCountdown,
  parseAmount,
  roundParts,
  shorten,
  t,
} from './words.ts'

/** How long the rate of the quote holds. */
export const RateLock = () => {
  const { quote, now } = state
  if (!quote?.expiresAt) return null
  const isOver = isQuoteExpired()
  const time = formatCountdown(Date.parse(quote.expiresAt) - now)
  return (
    <p class="lock">
      <Icon name={isOver ? 'warn' : 'lock'} size={16} />
      {isOver ? t('This rate has expired.') : t('Rate locked for {time}', { time })}
    </p>
  )
}

/** A step on with the quote, or another quote where its rate is over. */
export const QuotePress = (props: Pick<PressProps, 'step' | 'text' | 'act' | 'disabled'>) => {
  // One element whose props change: two in turn would take the focus from what is opened next.
  const press = isQuoteExpired()
    ? { step: 'requote', text: t('Get a new rate'), act: askQuote }
    : props
  return <Press kind="primary" {...press} />
}

/** The sum at a glance, its parts on demand. */
export const Fees = () => {
  const { fee = 0, gas = 0, spread = 0, total = fee + gas + spread } = state.quote?.breakdown ?? {}
  const [service = 0, network = 0, margin = 0] = roundParts([fee, gas, spread], total)
  return (
    <details class="fees">
      <summary data-step="fees">
        <span>{t('Fees')}</span>
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

/** Everything once more, before money moves. */
export const Confirm = () => {
  const { side, coin, quote, amount } = state
  const isBuying = side === 'buy'
  const pays = formatAmount(parseAmount(amount) ?? 0, isBuying ? 'CAD' : coin)
  const { rightSideValue, rightSideLabel = '', rate } = quote ?? {}
  const gets = rightSideValue === undefined ? '' : formatAmount(rightSideValue, rightSideLabel)
  const wallet = isBuying && (
    <>
      {t('This wallet')} <code>{shorten(walletOf(coin))}</code>
    </>
  )
  return (
    <div class="screen">
      <Top title={t('Check your order')} back={() => change({ screen: 'amount' })} />
      <div class="swap">
        <Coin label={coin} size={48} />
        <p class="got">{gets || pays}</p>
        <p class="quiet">{`${t(isBuying ? 'You pay' : 'You sell')} ${pays}`}</p>
      </div>
      <Sheet
        class="sheet-list"
        lines={[
          ['Pay with', isBuying && t('e-transfer')],
          ['Paid to', !isBuying && t('Your bank, by e-transfer')],
          ['Delivered to', wallet],
          ['Network', networkOf(coin)],
          rateLine(coin, rate),
        ]}
      />
      <Fees />
      <RateLock />
      <Foot>
        <p class="small-print">{t(DISCLOSURE)}</p>
        <QuotePress
          step="confirm"
          text={t(isBuying ? 'Buy {amount}' : 'Sell {amount}', {
            amount: (isBuying && gets) || pays,
          })}
          act={placeOrder}
        />
      </Foot>
    </div>
  )
}
