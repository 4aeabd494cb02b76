import { Coin } from './icons.tsx'
import { Line, Problem, Rate, Top } from './parts.tsx'
import { Fees, QuotePress, RateLock } from './quote.tsx'
import { change, state } from './store.ts'
import { networkOf, placeOrder, walletOf } from './trading.ts'
import { formatAmount, parseAmount, shorten, t } from './words.ts'

/** Everything once more, before money moves. */
export const Confirm = () => {
  const { side, coin, quote, amount } = state
  const isBuying = side === 'buy'
  const pays = formatAmount(parseAmount(amount) ?? 0, isBuying ? 'CAD' : coin)
  const { rightSideValue, rightSideLabel = '', rate } = quote ?? {}
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
        {rate !== undefined && <Rate coin={coin} rate={rate} />}
      </dl>
      <Fees />
      <RateLock />
      <div class="foot">
        <p class="small-print">{t('disclosure')}</p>
        <Problem />
        <QuotePress step="confirm" what="confirms the order" act={placeOrder}>
          {t(isBuying ? 'confirmBuy' : 'confirmSell', { amount: (isBuying && gets) || pays })}
        </QuotePress>
      </div>
    </div>
  )
}
