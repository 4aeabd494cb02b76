import { pathTo } from './api.ts'
import { Icon } from './icons.tsx'
import { Line, Press, Problem, Top, WebBar } from './parts.tsx'
import { enqueue } from './queue.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'
import {
  cancel,
  deadlineOf,
  goHome,
  isBuy,
  isOpen,
  isPending,
  keep,
  networkOf,
  orderOf,
  sendCoins,
} from './trading.ts'
import {
  formatAmount,
  formatCountdown,
  formatMoment,
  language,
  shorten,
  t,
  type WordKey,
} from './words.ts'

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
      {isWaiting ? <Instructions /> : <OnItsWay />}
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
  const { transaction, now } = state
  const isBuying = isBuy(transaction)
  const isWaiting = isPending(transaction)
  const left = deadlineOf(transaction) - now
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
    [waiting, isWaiting ? deadline : '', isWaiting ? 'now' : 'reached'],
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
  const { transaction } = state
  const amount = formatAmount(transaction.leftSideValue, transaction.leftSideLabel)
  const isBuying = isBuy(transaction)
  const address = transaction.depositAddress || orderOf(transaction).depositAddress
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

/** What a person wants to know while others work. */
const OnItsWay = () => {
  const { leftSideValue, leftSideLabel, rightSideValue, rightSideLabel, rmtId, wallet } =
    state.transaction ?? {}
  const isBuying = isBuy(state.transaction)
  return (
    <dl class="sheet-list">
      <Line name={t(isBuying ? 'paid' : 'sent')}>{formatAmount(leftSideValue, leftSideLabel)}</Line>
      <Line name={t('youGet')}>{formatAmount(rightSideValue, rightSideLabel)}</Line>
      <Line name={t(isBuying ? 'deliverTo' : 'paidTo')}>
        {isBuying ? <code>{shorten(wallet ?? '')}</code> : t('yourBank')}
      </Line>
      <Line name={t('reference')}>
        <code>{rmtId}</code>
      </Line>
      <Line name={t('nextStep')}>{t(isBuying ? 'nextBuy' : 'nextSell')}</Line>
    </dl>
  )
}

/** The page of the user's bank, as the phone opens it. */
export const Bank = () => (
  <div class="screen framed">
    <WebBar
      host="your-bank.example"
      close={() => change({ screen: isOpen(state.transaction) ? 'progress' : 'receipt' })}
    />
    <iframe
      src={pathTo(
        `/bank/${state.transaction?.id}?lang=${language}&for=${encodeURIComponent(theme.name)}`,
      )}
      title={t('yourBank')}
      onLoad={(event: Event) => onBank(event.target as HTMLIFrameElement)}
    />
  </div>
)

/** A payout ends when the bank says so. */
function onBank({ contentDocument }: HTMLIFrameElement) {
  const { transaction } = state
  const isDeposited = contentDocument?.querySelector('.bank .outcome.good') !== null
  if (!transaction || isBuy(transaction) || !isDeposited || orderOf(transaction).isDeposited) return
  const run = () => keep({ id: transaction.id, isDeposited: true })
  void enqueue({ kind: 'outside', title: 'The bank deposited the money', run })
}
