import type { Child } from 'hono/jsx/dom'
import { attempt } from './flow.ts'
import { state } from './store.ts'

interface PressProps {
  /** Its name for the automatic play. */
  step: string
  act: () => Promise<void>
  children: Child
  kind?: 'primary' | 'danger' | 'plain'
  disabled?: boolean
}

/** A button of the phone. */
export const Press = ({ step, act, children, kind = 'plain', disabled }: PressProps) => (
  <button
    type="button"
    class={`button wide ${kind}`}
    data-step={step}
    disabled={state.isBusy || disabled}
    onClick={() => void attempt(act)}
  >
    {children}
  </button>
)

interface ScreenFormProps {
  submit: string
  step?: string
  act: (fields: FormData) => Promise<void>
  children: Child
  hint?: string
}

/** A screen that is one form, with its error above the button. */
export const ScreenForm = ({ submit, step, act, children, hint }: ScreenFormProps) => (
  <form
    class="screen"
    onSubmit={(event: Event) => {
      event.preventDefault()
      const fields = new FormData(event.target as HTMLFormElement)
      void attempt(() => act(fields))
    }}
  >
    {children}
    <Problem />
    <button type="submit" class="button wide primary" data-step={step} disabled={state.isBusy}>
      {submit}
    </button>
    {hint && <p class="hint">{hint}</p>}
  </form>
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
