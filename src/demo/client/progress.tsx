import { pathTo } from './api.ts'
import { Icon } from './icons.tsx'
import { Line, Press, Problem, Top, WebBar } from './parts.tsx'
import { change, state } from './store.ts'
import { cancel, goHome, isBuy, isOpen, isPending, networkOf, sendCoins } from './trading.ts'
import { formatAmount, formatCountdown, formatMoment, language, t, type WordKey } from './words.ts'

export const Progress = () => {
  const { transaction } = state
  if (!transaction) return null
  const isWaiting = isPending(transaction)
  const isBuying = isBuy(transaction)
  const isSent = state.sentIds.includes(transaction.id)
  const amount = formatAmount(transaction.leftSideValue, transaction.leftSideLabel)
  const title = isWaiting
    ? t(isBuying ? 'payTitle' : 'sendTitle', { amount })
    : t(isBuying ? 'sendingCoins' : 'sendingMoney')
  return (
    <div class="screen">
      <Top title={title} back={goHome} />
      <Track />
      {isWaiting && <Instructions />}
      <div class="foot">
        <Problem />
        {isWaiting && isBuying && (
          <Press
            step="bank"
            what="opens the bank"
            kind="primary"
            act={() => change({ screen: 'bank' })}
          >
            <Icon name="bank" size={18} />
            {t('openBank')}
          </Press>
        )}
        {isWaiting && !isBuying && (
          <Press
            step="send"
            what={`sends ${amount}`}
            kind="primary"
            act={sendCoins}
            disabled={isSent}
          >
            {t(isSent ? 'coinsSent' : 'sendCoins', { amount })}
          </Press>
        )}
        {!isWaiting && (
          <Press step="home" what="goes to the home screen" act={goHome}>
            {t('done')}
          </Press>
        )}
        {isWaiting && (
          <Press step="cancel" what="cancels the order" kind="danger" act={cancel}>
            {t('cancelOrder')}
          </Press>
        )}
      </div>
    </div>
  )
}

const Track = () => {
  const { transaction, record, now } = state
  const isBuying = isBuy(transaction)
  const isWaiting = isPending(transaction)
  const expiresAt = record?.expiresAt ? Date.parse(record.expiresAt) : undefined
  const left = expiresAt === undefined ? 0 : expiresAt - now
  const waiting = isWaiting
    ? isBuying
      ? 'waitPayment'
      : 'waitCoins'
    : isBuying
      ? 'gotPayment'
      : 'gotCoins'
  const deadline = left > 0 ? t('expiresIn', { time: formatCountdown(left) }) : t('expiresNow')
  const steps: [WordKey, string, string][] = [
    ['ordered', formatMoment(Date.parse(transaction.date)), 'reached'],
    [waiting, isWaiting && expiresAt !== undefined ? deadline : '', isWaiting ? 'now' : 'reached'],
    [isBuying ? 'sendingCoins' : 'sendingMoney', t('arrives'), isWaiting ? '' : 'now'],
  ]
  return (
    <ol class="track">
      {steps.map(([key, text, tone]) => (
        <li key={key} class={tone} aria-current={tone === 'now' ? 'step' : undefined}>
          <span class="dot">{tone === 'reached' && <Icon name="check" size={14} />}</span>
          <b>{t(key)}</b>
          <span class="quiet">{text}</span>
        </li>
      ))}
    </ol>
  )
}

const Instructions = () => {
  const { transaction, record } = state
  const amount = formatAmount(transaction.leftSideValue, transaction.leftSideLabel)
  const isBuying = isBuy(transaction)
  const address = transaction.depositAddress || record?.depositAddress
  return (
    <div class="how">
      <p>
        {isBuying
          ? t('payHow', { amount })
          : t('sendHow', { network: networkOf(transaction.leftSideLabel) })}
      </p>
      <dl>
        {isBuying ? (
          <Line name={t('reference')}>
            <code>{transaction.rmtId}</code>
          </Line>
        ) : (
          <Line name={t('depositAddress')}>
            <code>{address}</code>
          </Line>
        )}
      </dl>
    </div>
  )
}

/** The page of the user's bank, as the phone opens it. */
export const Bank = () => (
  <div class="screen framed">
    <WebBar
      host="your-bank.example"
      close={() => change({ screen: isOpen(state.transaction) ? 'progress' : 'receipt' })}
    />
    <iframe src={pathTo(`/bank/${state.transaction?.id}?lang=${language}`)} title={t('yourBank')} />
  </div>
)
