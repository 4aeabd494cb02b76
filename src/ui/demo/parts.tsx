import type { ComponentChildren as Child } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { coinOf, formatMoment, formatRate } from './format.ts'
import { Icon, type IconName, Mark } from './icons.tsx'
import { player } from './player.ts'
import { askToCheck, SESSION_OVER, tap } from './queue.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'

interface ButtonProps {
  /** Name by which stories find it. */
  step: string
  act: () => Promise<void> | void
  children: Child
  class?: string
  /** Label of a button without text. */
  label?: string | undefined
  disabled?: boolean | undefined
}

/** A button that is disabled while something is at work. */
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

export interface PressProps extends Pick<ButtonProps, 'step' | 'act' | 'class' | 'disabled'> {
  /** The server's column uses it too. */
  text: string
  icon?: IconName
  kind?: 'primary' | 'plain' | 'danger'
  /** Shown instead of the text, which becomes the label. */
  children?: Child
}

export const Press = ({ text, act, icon, kind = 'plain', children, ...rest }: PressProps) => (
  <Button
    class={`press ${kind}`}
    {...rest}
    label={children ? text : undefined}
    act={() => tap(text, act)}
  >
    {icon && <Icon name={icon} size={18} />}
    {children ?? text}
  </Button>
)

export const Top = ({ title, back }: { title: string; back?: PressProps['act'] }) => (
  <header class="top">
    {back && (
      <Press class="round" step="back" text="Back" act={back}>
        <Icon name="back" />
      </Press>
    )}
    <h1>{title}</h1>
  </header>
)

interface WebPageProps {
  host: string
  src: string
  title: string
  close: () => void
  onLoad?: (event: Event) => void
}

/** A framed page of another company, with its host and a way back. */
export const WebPage = ({ host, close, onLoad, ...frame }: WebPageProps) => (
  <div class="screen framed">
    <header class="web-bar">
      <Press class="round" step="back" text="Close" act={close}>
        <Icon name="cross" />
      </Press>
      <span class="host">
        <Icon name="lock" size={14} />
        {host}
      </span>
      {state.mail && <ReadMail />}
    </header>
    <iframe
      {...frame}
      onLoad={(event: Event) => {
        takeOverInside(event.target as HTMLIFrameElement)
        onLoad?.(event)
      }}
    />
  </div>
)

/** Pauses a story for a touch of the framed page, too. */
function takeOverInside({ contentDocument }: HTMLIFrameElement): void {
  for (const kind of ['pointerdown', 'keydown']) {
    contentDocument?.addEventListener(kind, (event) => player.pauseForTouch(event))
  }
}

/** Opens the customer's last mail, over the screen. */
const ReadMail = () => (
  <button
    type="button"
    class="round"
    data-step="mail"
    aria-label="Read the message"
    onClick={() => change({ isReading: true })}
  >
    <Icon name="message" />
  </button>
)

interface DialogProps {
  kind: 'mail' | 'screen'
  label: string
  close: () => void
  children: Child
}

/** Lies over the screen and takes the focus; Escape closes it. */
export const Dialog = ({ kind, label, close, children }: DialogProps) => {
  const dialog = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => dialog.current?.focus(), [])
  return (
    <div
      ref={dialog}
      class={kind}
      role="dialog"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
    >
      {children}
    </div>
  )
}

/** The customer's last mail. */
export const MailSheet = () => {
  const { mail } = state
  const close = () => change({ isReading: false })
  if (!mail) return null
  return (
    <Dialog kind="mail" label="Messages" close={close}>
      <header class="top">
        <button type="button" class="round" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
        <h1>Messages</h1>
      </header>
      <h2>{mail.subject}</h2>
      <p class="quiet">{formatMoment(mail.sentAt)}</p>
      <p>{mail.text}</p>
    </Dialog>
  )
}

/** Buttons of a screen, below any problem. */
export const Foot = ({ children }: { children: Child }) => (
  <div class="foot">
    <Problem />
    {children}
  </div>
)

interface ScreenFormProps {
  submit: string
  step: string
  act: (fields: Record<string, FormDataEntryValue>) => Promise<void>
  children: Child
}

export const ScreenForm = ({ submit, step, act, children }: ScreenFormProps) => (
  <form
    class="screen"
    noValidate
    onSubmit={(event: Event) => {
      event.preventDefault()
      const form = event.target as HTMLFormElement
      const fields = Object.fromEntries(new FormData(form))
      const wrong = form.querySelector<HTMLInputElement>('input:invalid')
      if (!wrong) return void tap(submit, () => act(fields))
      wrong.focus()
      change({ problem: askToCheck(wrong.name), problemField: wrong.name })
    }}
  >
    {children}
    <Foot>
      <button type="submit" class="press primary" data-step={step} disabled={state.isBusy}>
        {submit}
      </button>
    </Foot>
  </form>
)

/** A problem in a customer's words. */
export const Problem = () => {
  const { problem } = state
  if (problem === '') return null
  const isCalm = problem === SESSION_OVER
  return (
    <p class={`problem ${isCalm ? 'calm' : ''}`} role="alert">
      <Icon name={isCalm ? 'lock' : 'warn'} size={18} />
      <span>{problem}</span>
    </p>
  )
}

type SheetLine = readonly [name: string, value: Child]

/** Names and values; a line without a value is left out. */
export const Sheet = ({ lines, ...rest }: { lines: readonly SheetLine[]; class?: string }) => (
  <dl {...rest}>
    {lines.map(([name, value]) =>
      value ? (
        <div key={name} class="pair" data-row={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null,
    )}
  </dl>
)

export const rateLine = (coin: string, rate: number | undefined): SheetLine => [
  'Rate',
  rateText(coin, rate),
]

export const rateText = (coin: string, rate: number | undefined): string =>
  rate ? `1 ${coinOf(coin)} = ${formatRate(rate)}` : ''

interface TrackProps {
  steps: readonly (readonly [text: string, sub: string])[]
  /** Index of the step in progress. */
  now: number
}

export const Track = ({ steps, now }: TrackProps) => (
  <ol class="track">
    {steps.map(([text, sub], at) => (
      <li key={text} class={progressOf(at, now)} aria-current={at === now ? 'step' : undefined}>
        <span class="dot">{at < now && <Icon name="check" size={14} />}</span>
        <b>{text}</b>
        <span class="quiet">{sub}</span>
      </li>
    ))}
  </ol>
)

function progressOf(at: number, now: number): string {
  if (at < now) return 'reached'
  return at === now ? 'now' : ''
}

type ItemProps = Record<'main' | 'value' | 'sub', string> & {
  lead: Child
  tone?: string
  subvalue?: string
  isQuiet?: boolean
}

export const Item = ({ lead, main, value, sub, tone = '', subvalue, isQuiet }: ItemProps) => (
  <>
    {lead}
    <span class="main">{main}</span>
    <span class={`value ${isQuiet ? 'quiet' : ''}`}>{value}</span>
    <span class={`sub ${tone}`}>{sub}</span>
    {subvalue && <span class="subvalue">{subvalue}</span>}
  </>
)

export const Logo = ({ size }: { size: number }) =>
  theme.logo === '' ? (
    <Mark size={size} />
  ) : (
    <img class="logo" src={theme.logo} alt="" style={{ maxHeight: `${size}px` }} />
  )

export const Outcome = (props: { icon: IconName; tone: string; title: string; text?: Child }) => (
  <div class={`end ${props.tone}`}>
    <span class="seal">
      <Icon name={props.icon} size={28} />
    </span>
    <h1>{props.title}</h1>
    {props.text && <p class="quiet">{props.text}</p>}
  </div>
)
