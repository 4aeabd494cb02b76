import { simulate } from './api.ts'
import { receiveCoins } from './balances.ts'
import { formatMoment } from './format.ts'
import { Button } from './parts.tsx'
import { outside } from './queue.ts'
import { state } from './store.ts'
import { isBuy, isPending } from './transactions.ts'

type Act = readonly [step: string, text: string, run: () => Promise<unknown>, isOn: boolean]

const advance = (by: string) => () => simulate('/clock/advance', { by })

const loseNext = () => simulate('/faults', { on: 'webhook', then: { drop: true } })

/** Lists the decisions of others, and the clock. */
function actsOf(): [group: string, acts: Act[]][] {
  const { transaction: row, userId, userStatus, token } = state
  const isNew = userId !== '' && userStatus !== 'verified'
  const decide = (status: string, reason?: string) => () =>
    simulate(`/simulate/users/${userId}/kyc`, { status, ...(reason && { reasons: [reason] }) })
  const move = (name: string) => () => simulate(`/simulate/transactions/${row?.id}/${name}`)
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
        ['lose', 'Lose the next webhook', loseNext, true],
        ['receive', 'Receive 120 USDC', receiveCoins, token !== ''],
      ],
    ],
  ]
}

export const Simulate = () => (
  <aside class="simulate" aria-label="Simulate">
    <h2>Simulate</h2>
    {actsOf().map(([group, acts]) => (
      <fieldset key={group} class="group">
        <legend>{group}</legend>
        {group === 'The clock' && (
          <p class="clock">
            <b>{formatMoment(state.now)}</b> <span class="quiet">{state.mode}</span>
          </p>
        )}
        {acts.map(([step, text, run, isOn]) => (
          <Button
            key={step}
            step={`sim-${step}`}
            disabled={state.isGone || !isOn}
            act={() => outside(`${group}: ${text}`, run)}
          >
            {text}
          </Button>
        ))}
      </fieldset>
    ))}
  </aside>
)
