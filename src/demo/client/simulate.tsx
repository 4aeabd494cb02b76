import { simulate } from './api.ts'
import { Button } from './parts.tsx'
import { outside } from './queue.ts'
import { change, hasChain, state } from './store.ts'
import { isBuy, isPending, receiveCoins } from './trading.ts'
import { formatMoment, t, type WordKey } from './words.ts'

interface Act {
  /** Its name for the automatic play. */
  step: string
  text: WordKey
  run: () => Promise<unknown>
  isOn?: boolean
}

/** What others decide, and time: all of it outside of the phone. */
function actsOf(): [group: WordKey, acts: Act[]][] {
  const { transaction: row, userId, userStatus, losesWebhook } = state
  const isUnverified = userId !== '' && userStatus !== 'verified'
  const decide = (status: string, reason?: WordKey) => () =>
    simulate(`/simulate/users/${userId}/kyc`, { status, ...(reason && { reasons: [t(reason)] }) })
  const move = (lever: string) => () => simulate(`/simulate/transactions/${row?.id}/${lever}`)
  const advance = (by: string, text: WordKey): Act => ({
    step: `sim-${by}`,
    text,
    run: () => simulate('/clock/advance', { by }),
  })
  const loseNext = async () => {
    await simulate('/faults', { on: 'webhook', then: { drop: true } })
    change({ losesWebhook: true })
  }
  return [
    ['The clock', [advance('10m', '+10 min'), advance('1h', '+1 h'), advance('24h', '+24 h')]],
    [
      'The reviewer',
      [
        { step: 'sim-approve', text: 'Approve', run: decide('verified'), isOn: isUnverified },
        {
          step: 'sim-more',
          text: 'Ask for documents',
          run: decide('upload', 'The photo of the document is blurred'),
          isOn: isUnverified,
        },
        {
          step: 'sim-reject',
          text: 'Reject',
          run: decide('rejected', 'The document has expired'),
          isOn: isUnverified,
        },
      ],
    ],
    [
      'The bank',
      [
        {
          step: 'sim-bank',
          text: 'Decline the e-transfer',
          run: move('bank-refused'),
          isOn: row !== null && isPending(row) && isBuy(row),
        },
      ],
    ],
    [
      'The provider',
      [
        {
          step: 'sim-settle',
          text: 'Settle',
          run: move('settled'),
          isOn: row?.status.startsWith('processing') ?? false,
        },
      ],
    ],
    [
      'The network',
      [
        { step: 'sim-lose', text: 'Lose the next webhook', run: loseNext, isOn: !losesWebhook },
        {
          step: 'sim-receive',
          text: 'Receive 120 USDC',
          run: receiveCoins,
          isOn: state.token !== '',
        },
      ],
    ],
  ]
}

export const Simulate = () => (
  <aside class="simulate" aria-label={t('Simulate')}>
    <h2>{t('Simulate')}</h2>
    {actsOf().map(([group, acts]) => (
      <fieldset key={group} class="group">
        <legend>{t(group)}</legend>
        {group === 'The clock' && (
          <p class="clock">
            <b>{formatMoment(state.now)}</b>{' '}
            <span class="quiet">{t(state.mode === 'running' ? 'running' : 'frozen')}</span>
          </p>
        )}
        {acts.map(({ step, text, run, isOn = true }) => (
          <Button
            key={step}
            step={step}
            disabled={state.isGone || !isOn}
            act={() => outside(`${t(group)}: ${t(text)}`, run)}
          >
            {t(text)}
          </Button>
        ))}
      </fieldset>
    ))}
    {hasChain && (
      <p class="quiet">
        {t('The wallet on the chain:')} <code>{state.wallet}</code>
      </p>
    )}
    {state.chainProblem !== '' && <p role="alert">{state.chainProblem}</p>}
  </aside>
)
