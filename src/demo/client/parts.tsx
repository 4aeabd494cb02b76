import type { Child } from 'hono/jsx/dom'
import { attempt } from './flow.ts'
import { state } from './store.ts'

interface PressProps {
  cue: string
  act: () => Promise<void>
  children: Child
  kind?: 'primary' | 'danger' | 'plain'
}

/** A button of the phone; `cue` is what the play by itself calls it. */
export const Press = ({ cue, act, children, kind = 'plain' }: PressProps) => (
  <button
    type="button"
    class={`button wide ${kind}`}
    data-cue={cue}
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
export const tellAmount = (value: number, label: string) =>
  `${money.format(value)} ${label.split('-')[0]}`
