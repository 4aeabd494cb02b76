import type { Child } from 'hono/jsx/dom'
import { attempt } from './flow.ts'
import { state } from './store.ts'

interface PressProps {
  /** Its name for the automatic play. */
  step: string
  act: () => Promise<void>
  children: Child
  kind?: 'primary' | 'danger' | 'plain'
}

/** A button of the phone. */
export const Press = ({ step, act, children, kind = 'plain' }: PressProps) => (
  <button
    type="button"
    class={`button wide ${kind}`}
    data-step={step}
    disabled={state.isBusy}
    onClick={() => void attempt(act)}
  >
    {children}
  </button>
)

export const Problem = () =>
  state.problem ? (
    <p class="problem" role="alert">
      {state.problem}
    </p>
  ) : null

const money = new Intl.NumberFormat('en-CA', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
export const formatAmount = (value: number, label: string) =>
  `${money.format(value)} ${label.split('-')[0]}`

/** The colour of a transaction's status. */
export function badgeTone(status: string): string {
  if (status.startsWith('pending')) return 'warn'
  if (status === 'complete') return 'good'
  if (status === 'expired') return 'bad'
  return status.startsWith('cancel') ? 'quiet' : 'busy'
}
