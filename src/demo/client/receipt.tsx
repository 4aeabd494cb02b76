import { pathTo } from './api.ts'
import { chainOf } from './chain.ts'
import { Icon, type IconName } from './icons.tsx'
import { Line, Outcome, Press, Problem, Rate } from './parts.tsx'
import { change, state } from './store.ts'
import { theme } from './theme.ts'
import { coinLabel, goHome, isBuy, networkOf, order, orderOf } from './trading.ts'
import { formatAmount, formatMoment, shorten, t, type WordKey } from './words.ts'

const ENDS: Readonly<Record<string, [WordKey, WordKey | '']>> = {
  expired: ['expired', 'expiredBuy'],
  cancelled: ['cancelled', 'cancelledText'],
  canceled: ['cancelled', 'cancelledText'],
}

export const Receipt = () => {
  const { transaction } = state
  if (!transaction) return null
  const isBuying = isBuy(transaction)
  const isDone = transaction.status === 'complete'
  const { isDeposited } = orderOf(transaction)
  const gets = formatAmount(transaction.rightSideValue, transaction.rightSideLabel)
  const [title, text] = ENDS[transaction.status] ?? [
    isBuying ? 'boughtDone' : isDeposited ? 'depositedDone' : 'soldDone',
    '',
  ]
  const isSellExpired = transaction.status === 'expired' && !isBuying
  const icon: IconName = isDone ? 'check' : transaction.status === 'expired' ? 'clock' : 'cross'
  return (
    <div class="screen">
      <Outcome
        icon={icon}
        tone={isDone ? 'good' : 'over'}
        title={t(title, { amount: gets })}
        text={text && t(isSellExpired ? 'expiredSell' : text)}
      />
      {isDone && <Details />}
      <div class="foot">
        <Problem />
        {isDone && !isBuying && !isDeposited && (
          <Press step="deposit" what="opens the bank" act={() => change({ screen: 'bank' })}>
            <Icon name="bank" size={18} />
            {t('depositNow')}
          </Press>
        )}
        {!isDone && (
          <Press step="reorder" what="starts again" act={() => order(isBuying ? 'buy' : 'sell')}>
            {t('again')}
          </Press>
        )}
        {isDone && navigator.share !== undefined && (
          <Press step="share" what="shares the receipt" act={share}>
            {t('share')}
          </Press>
        )}
        <Press step="home" what="goes to the home screen" kind="primary" act={goHome}>
          {t('done')}
        </Press>
      </div>
    </div>
  )
}

/** The system's own sheet; closing it is no error. */
function share() {
  const { rmtId, rightSideValue, rightSideLabel } = state.transaction ?? {}
  const text = `${t('reference')}: ${rmtId} · ${formatAmount(rightSideValue, rightSideLabel)}`
  void navigator.share({ title: theme.name, text }).catch(() => null)
}

const Details = () => {
  const { transaction } = state
  const record = orderOf(transaction)
  const { leftSideValue, leftSideLabel, rightSideValue, rightSideLabel, paymentId } = transaction
  const isBuying = isBuy(transaction)
  const coin = coinLabel(transaction)
  return (
    <dl class="sheet-list">
      <Line name={t(isBuying ? 'paid' : 'sent')}>{formatAmount(leftSideValue, leftSideLabel)}</Line>
      <Line name={t(isBuying ? 'got' : 'paidOut')}>
        {formatAmount(rightSideValue, rightSideLabel)}
      </Line>
      <Line name={t('network')}>{networkOf(coin)}</Line>
      {isBuying && (
        <Line name={t('address')}>
          <code>{shorten(transaction.wallet ?? '')}</code>
        </Line>
      )}
      {record.breakdown && (
        <Line name={t('allFees')}>{formatAmount(record.breakdown.total, 'CAD')}</Line>
      )}
      {record.rate && <Rate coin={coin} rate={record.rate} />}
      <Line name={t('date')}>{formatMoment(Date.parse(transaction.date))}</Line>
      <Line name={t('reference')}>
        <code>{transaction.rmtId}</code>
      </Line>
      {(isBuying || chainOf(coin)) && paymentId && (
        <Line name={t('transfer')}>
          <a
            class="hash"
            href={pathTo(`/ui/transactions/${transaction.id}`)}
            target="_blank"
            rel="noreferrer"
          >
            <code>{shorten(paymentId)}</code>
            <Icon name="link" size={15} />
          </a>
        </Line>
      )}
      {!isBuying && record.answer && (
        <Line name={t('answer')}>
          <code>{record.answer}</code>
        </Line>
      )}
    </dl>
  )
}
