import { Icon } from './icons.tsx'
import { Line, Press, type PressProps } from './parts.tsx'
import { state } from './store.ts'
import { askQuote, isQuoteExpired } from './trading.ts'
import { formatCad, formatCountdown, roundParts, t } from './words.ts'

/** How long the rate of the quote holds. */
export const RateLock = () => {
  const { quote, now } = state
  const isOver = isQuoteExpired()
  return quote?.expiresAt ? (
    <p class="lock">
      <Icon name={isOver ? 'warn' : 'lock'} size={16} />
      {isOver
        ? t('rateExpired')
        : t('locked', { time: formatCountdown(Date.parse(quote.expiresAt) - now) })}
    </p>
  ) : null
}

/** A step on with the quote, or another quote where its rate is over. */
export const QuotePress = (props: Omit<PressProps, 'kind'>) => {
  // One element whose props change: two in turn would take the focus from what is opened next.
  const { step, what, act, disabled, children }: Omit<PressProps, 'kind'> = isQuoteExpired()
    ? { step: 'requote', what: 'asks for a new rate', act: askQuote, children: t('newRate') }
    : props
  return (
    <Press step={step} what={what} kind="primary" act={act} disabled={disabled ?? false}>
      {children}
    </Press>
  )
}

/** The sum at a glance, its parts on demand. */
export const Fees = () => {
  const { fee = 0, gas = 0, spread = 0, total = fee + gas + spread } = state.quote?.breakdown ?? {}
  const [service = 0, network = 0, margin = 0] = roundParts([fee, gas, spread], total)
  return (
    <details class="fees">
      <summary data-step="fees">
        <span>{t('fees')}</span>
        <span class="sum">{formatCad(total)}</span>
        <Icon name="down" size={18} />
      </summary>
      <dl>
        <Line name={t('feeService')}>{formatCad(service)}</Line>
        <Line name={t('feeGas')}>{formatCad(network)}</Line>
        <Line name={t('feeSpread')}>{formatCad(margin)}</Line>
      </dl>
    </details>
  )
}
