import { simulate } from './api.ts'
import { receiveCoins } from './balances.ts'
import { Button } from './parts.tsx'
import { outside } from './queue.ts'
import { change, state } from './store.ts'
import { isBuy, isPending } from './transactions.ts'
import { formatMoment, t, type WordKey } from './words.ts'

type Act = readonly [step: string, text: WordKey, run: () => Promise<unknown>, isOn: boolean]

const advance = (by: string) => () => simulate('/clock/advance', { by })

export async function loseNext() {
  await simulate('/faults', { on: 'webhook', then: { drop: true } })
  change({ losesWebhook: true })
}

/** Lists the decisions of others, and the clock. */
function actsOf(): [group: WordKey, acts: Act[]][] {
  const { transaction: row, userId, userStatus, losesWebhook, token } = state
  const isNew = userId !== '' && userStatus !== 'verified'
  const decide = (status: string, reason?: WordKey) => () =>
    simulate(`/simulate/users/${userId}/kyc`, { status, ...(reason && { reasons: [t(reason)] }) })
  const move = (lever: string) => () => simulate(`/simulate/transactions/${row?.id}/${lever}`)
  const more = decide('upload', 'The photo of the document is blurred')
  const isToPay = row !== null && isPending(row) && isBuy(row)
  const isMoving = row?.status.startsWith('processing') ?? false
  return [
    [
      'The clock',
      [
        ['10m', '+10 min', advance('10m'), true],
        ['1h', '+1 h', advance('1h'), true],
        ['24h', '+24 h', advance('24h'), true],
      ],
    ],
    [
      'The reviewer',
      [
        ['approve', 'Approve', decide('verified'), isNew],
        ['more', 'Ask for documents', more, isNew],
        ['reject', 'Reject', decide('rejected', 'The document has expired'), isNew],
      ],
    ],
    ['The bank', [['bank', 'Decline the e-transfer', move('bank-refused'), isToPay]]],
    ['The provider', [['settle', 'Settle', move('settled'), isMoving]]],
    [
      'The network',
      [
        ['lose', 'Lose the next webhook', loseNext, !losesWebhook],
        ['receive', 'Receive 120 USDC', receiveCoins, token !== ''],
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
        {acts.map(([step, text, run, isOn]) => (
          <Button
            key={step}
            step={`sim-${step}`}
            disabled={state.isGone || !isOn}
            act={() => outside(t('{group}: {act}', { group: t(group), act: t(text) }), run)}
          >
            {t(text)}
          </Button>
        ))}
      </fieldset>
    ))}
  </aside>
)
