import type { Child } from 'hono/jsx/dom'
import { control, simulate } from './api.ts'
import { hasChain } from './chain.ts'
import { Button } from './parts.tsx'
import { outside } from './queue.ts'
import { change, state } from './store.ts'
import { isBuy, isPending, receiveCoins } from './trading.ts'
import { formatMoment, t } from './words.ts'

interface ActProps {
  /** Its name for the automatic play. */
  step: string
  title: string
  path: string
  body?: object
  children: Child
  disabled?: boolean
  /** What to do besides. */
  after?: () => void
}

const Act = ({ step, title, path, body, children, disabled, after }: ActProps) => (
  <Button
    step={step}
    disabled={state.isGone || disabled === true}
    act={() =>
      outside(title, async () => {
        await simulate(path, body)
        after?.()
      })
    }
  >
    {children}
  </Button>
)

const Group = ({ title, children }: { title: string; children: Child }) => (
  <fieldset class="group">
    <legend>{title}</legend>
    {children}
  </fieldset>
)

const DECISIONS = [
  { step: 'sim-approve', title: 'The reviewer approves', text: 'Approve', status: 'verified' },
  {
    step: 'sim-more',
    title: 'The reviewer asks for documents',
    text: 'Ask for documents',
    status: 'upload',
    reasons: [t('reasonBlurred')],
  },
  {
    step: 'sim-reject',
    title: 'The reviewer rejects',
    text: 'Reject',
    status: 'rejected',
    reasons: [t('reasonExpired')],
  },
]

/** What others decide, and time: all of it outside of the phone. */
export const Simulate = () => {
  const { transaction, userId, userStatus, losesWebhook, wallet, chainProblem } = state
  const isUnverified = userId !== '' && userStatus !== 'verified'
  const kyc = `/simulate/users/${userId}/kyc`
  const tx = `/simulate/transactions/${transaction?.id}`
  const isWaiting = transaction !== null && isPending(transaction)
  const isMoving = transaction?.status.startsWith('processing') ?? false
  return (
    <aside class="simulate" aria-label="Simulate">
      <h2>Simulate</h2>
      <Clock />
      <Group title="The reviewer">
        {DECISIONS.map(({ step, title, text, ...body }) => (
          <Act key={step} path={kyc} disabled={!isUnverified} step={step} title={title} body={body}>
            {text}
          </Act>
        ))}
      </Group>
      <Group title="The bank">
        <Act
          step="sim-bank"
          title="The bank declines the e-transfer"
          path={`${tx}/bank-refused`}
          disabled={!isWaiting || !isBuy(transaction)}
        >
          Decline the e-transfer
        </Act>
      </Group>
      <Group title="The provider">
        <Act
          step="sim-settle"
          title="The provider settles"
          path={`${tx}/settled`}
          disabled={!isMoving}
        >
          Settle
        </Act>
      </Group>
      <Group title="The network">
        <Act
          step="sim-lose"
          title="The next webhook will be lost"
          path="/faults"
          body={{ on: 'webhook', then: { drop: true } }}
          disabled={losesWebhook}
          after={() => change({ losesWebhook: true })}
        >
          Lose the next webhook
        </Act>
        <Button
          step="sim-receive"
          disabled={state.token === ''}
          act={() => outside('Coins arrive from another wallet', receiveCoins)}
        >
          Receive 120 USDC
        </Button>
        {hasChain && (
          <p class="quiet">
            The wallet on the chain: <code>{wallet}</code>
          </p>
        )}
        {chainProblem !== '' && <p role="alert">{chainProblem}</p>}
      </Group>
    </aside>
  )
}

const LENGTHS = [
  ['10m', '10 minutes pass', '+10 min'],
  ['1h', 'An hour passes', '+1 h'],
  ['24h', 'A day passes', '+24 h'],
] as const

const Clock = () => (
  <Group title="The clock">
    <p class="clock">
      <b>{formatMoment(state.now)}</b> <span class="quiet">{state.mode}</span>
    </p>
    {LENGTHS.map(([by, title, text]) => (
      <Act key={by} path="/clock/advance" step={`sim-${by}`} title={title} body={{ by }}>
        {text}
      </Act>
    ))}
  </Group>
)

/** Takes back what was prepared and did not happen. */
export const clearFaults = (): Promise<unknown> => control('DELETE', '/faults')
