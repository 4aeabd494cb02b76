import { Fees } from './amount.tsx'
import { Icon } from './icons.tsx'
import { Coin, Line, Press, Problem, Top } from './parts.tsx'
import { change, state } from './store.ts'
import { askQuote, isQuoteExpired, networkOf, placeOrder, walletOf } from './trading.ts'
import {
  coinOf,
  formatAmount,
  formatCountdown,
  formatRate,
  parseAmount,
  shorten,
  t,
} from './words.ts'

/** Everything once more, before money moves. */
export const Confirm = () => {
  const { side, coin, quote, amount, now } = state
  const isBuying = side === 'buy'
  const pays = formatAmount(parseAmount(amount) ?? 0, isBuying ? 'CAD' : coin)
  const { rightSideValue, rightSideLabel = '', rate, expiresAt } = quote ?? {}
  const gets = rightSideValue === undefined ? '' : formatAmount(rightSideValue, rightSideLabel)
  return (
    <div class="screen">
      <Top title={t('reviewTitle')} back={() => change({ screen: 'amount' })} />
      <div class="swap">
        <Coin label={coin} size={48} />
        <p class="got">{gets || pays}</p>
        <p class="quiet">{isBuying ? `${t('youPay')} ${pays}` : `${t('youSell')} ${pays}`}</p>
      </div>
      <dl class="sheet-list">
        <Line name={isBuying ? t('payWith') : t('paidTo')}>
          {isBuying ? t('etransfer') : t('yourBank')}
        </Line>
        {isBuying && (
          <Line name={t('deliverTo')}>
            {t('thisWallet')} <code>{shorten(walletOf(coin))}</code>
          </Line>
        )}
        <Line name={t('network')}>{networkOf(coin)}</Line>
        {rate !== undefined && (
          <Line name={t('rate')}>
            {t('rateIs', { coin: coinOf(coin), amount: formatRate(rate) })}
          </Line>
        )}
      </dl>
      <Fees />
      {expiresAt && (
        <p class="lock">
          <Icon name="lock" size={16} />
          {isQuoteExpired()
            ? t('rateExpired')
            : t('locked', { time: formatCountdown(Date.parse(expiresAt) - now) })}
        </p>
      )}
      <div class="foot">
        <p class="small-print">{t('disclosure')}</p>
        <Problem />
        {isQuoteExpired() ? (
          <Press step="requote" what="asks for a new rate" kind="primary" act={askQuote}>
            {t('newRate')}
          </Press>
        ) : (
          <Press step="confirm" what="confirms the order" kind="primary" act={placeOrder}>
            {t(isBuying ? 'confirmBuy' : 'confirmSell', { amount: (isBuying && gets) || pays })}
          </Press>
        )}
      </div>
    </div>
  )
}
