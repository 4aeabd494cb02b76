import type { Child } from 'hono/jsx/dom'
import { Icon, type IconName, Mark } from './icons.tsx'
import { PROFILE_FIELDS } from './profile.ts'
import { tap } from './queue.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'
import { coinOf, formatRate, t } from './words.ts'

interface ButtonProps {
  /** Its name for the automatic play. */
  step: string
  act: () => Promise<void> | void
  children: Child
  class?: string
  /** Where its content is no text. */
  label?: string
  disabled?: boolean
}

/** A button that waits while something is at work. */
export const Button = ({ step, act, children, label, disabled, ...rest }: ButtonProps) => (
  <button
    type="button"
    class={rest.class ?? 'button'}
    data-step={step}
    aria-label={label}
    disabled={state.isBusy || disabled}
    onClick={() => void act()}
  >
    {children}
  </button>
)

export interface PressProps extends ButtonProps {
  /** What the user does, as the server's column says it. */
  what: string
  kind?: 'primary' | 'plain' | 'danger'
}

/** A button of the phone. */
export const Press = ({ what, act, kind = 'plain', ...button }: PressProps) => (
  <Button class={`press ${kind}`} {...button} act={() => tap(what, act)} />
)

interface TopProps {
  title: string
  /** Where back leads; none on the first screens. */
  back?: () => Promise<void> | void
}

export const Top = ({ title, back }: TopProps) => (
  <header class="top">
    {back && (
      <Press class="round" step="back" what="goes back" label={t('back')} act={back}>
        <Icon name="back" />
      </Press>
    )}
    <h1>{title}</h1>
  </header>
)

interface WebBarProps {
  host: string
  close: () => void
}

/** The bar over a page of somebody else: whose it is, and the way back. */
export const WebBar = ({ host, close }: WebBarProps) => (
  <header class="web-bar">
    <Press class="round" step="back" what="goes back to the wallet" label={t('close')} act={close}>
      <Icon name="cross" />
    </Press>
    <span class="host">
      <Icon name="lock" size={14} />
      {host}
    </span>
  </header>
)

interface ScreenFormProps {
  submit: string
  step: string
  what: string
  act: (fields: FormData) => Promise<void>
  children: Child
}

/** A screen that is one form, with its problem above the button. */
export const ScreenForm = ({ submit, step, what, act, children }: ScreenFormProps) => (
  <form
    class="screen"
    noValidate
    onSubmit={(event: Event) => {
      event.preventDefault()
      const form = event.target as HTMLFormElement
      const fields = new FormData(form)
      // The browser would say it in its own language.
      const wrong = form.querySelector<HTMLInputElement>('input:invalid')
      if (wrong) {
        wrong.focus()
        return change({ problem: 'problemForm', problemField: wrong.name })
      }
      void tap(what, () => act(fields))
    }}
  >
    {children}
    <div class="foot">
      <Problem />
      <button type="submit" class="press primary" data-step={step} disabled={state.isBusy}>
        {submit}
      </button>
    </div>
  </form>
)

/** The words on a field, not the API's name of it. */
function labelOf(field: string): string {
  const key = PROFILE_FIELDS.find(([name]) => name === field)?.[1]
  return key ? t(key) : t(field === 'email' ? 'email' : 'yourEntries')
}

/** An error in words of a customer. */
export const Problem = () => {
  const { problem, problemField } = state
  return problem === '' ? null : (
    <p class={`problem ${problem === 'problemSession' ? 'calm' : ''}`} role="alert">
      <Icon name={problem === 'problemSession' ? 'lock' : 'warn'} size={18} />
      <span>{t(problem, { field: labelOf(problemField) })}</span>
    </p>
  )
}

export const Line = ({ name, children }: { name: Child; children: Child }) => (
  <div class="pair">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** What one coin costs. */
export const Rate = ({ coin, rate }: { coin: string; rate: number }) => (
  <Line name={t('rate')}>{t('rateIs', { coin: coinOf(coin), amount: formatRate(rate) })}</Line>
)

export const Logo = ({ size }: { size: number }) =>
  theme.logo === '' ? (
    <Mark size={size} />
  ) : (
    <img class="logo" src={theme.logo} alt="" style={{ maxHeight: `${size}px` }} />
  )

/** A large mark and a title: what became of something. */
export const Outcome = (props: { icon: IconName; tone: string; title: string; text?: Child }) => (
  <div class={`end ${props.tone}`}>
    <span class="seal">
      <Icon name={props.icon} size={40} />
    </span>
    <h1>{props.title}</h1>
    {props.text && <p class="quiet">{props.text}</p>}
  </div>
)
