import type { Child } from 'hono/jsx'
import { formatDistance, formatInstant, formatShort } from './format.ts'
import type { View } from './view.ts'

export type Tone = 'good' | 'busy' | 'bad' | 'quiet' | 'warn'

const TONES: Record<string, Tone> = {
  verified: 'good',
  active: 'quiet',
  initial: 'quiet',
  inactive: 'quiet',
  rejected: 'bad',
  upload: 'warn',
  'in-review': 'busy',
  'pending request money transfer': 'warn',
  'processing request money transfer': 'busy',
  complete: 'good',
  cancelled: 'quiet',
  canceled: 'quiet',
  expired: 'bad',
  delivered: 'good',
  pending: 'busy',
  suppressed: 'quiet',
  refused: 'bad',
  timeout: 'bad',
  tls: 'bad',
  blocked: 'warn',
  overflow: 'bad',
}

/** Short names of long statuses. */
const SHORT: Record<string, string> = {
  'pending request money transfer': 'pending',
  'processing request money transfer': 'processing',
}

export const Badge = ({ status, tone }: { status: string; tone?: Tone | undefined }) => (
  <span class={`badge ${tone ?? TONES[status] ?? 'busy'}`} title={status}>
    {SHORT[status] ?? status}
  </span>
)

export const Time = ({ at, now, full }: { at: number; now: number; full?: boolean }) => (
  <time datetime={new Date(at).toISOString()} title={`${formatInstant(at)} UTC`}>
    {full ? formatInstant(at) : formatShort(at, now)}
  </time>
)

/** Time left until an instant; client code keeps it up to date. */
export const Countdown = ({ at, now }: { at: number; now: number }) => (
  <time class="countdown" datetime={new Date(at).toISOString()} data-until={at}>
    {formatDistance(at, now)}
  </time>
)

export const Copy = ({ text, what, label }: { text: string; what: string; label?: string }) => (
  <button
    type="button"
    class={label ? 'button small' : 'copy'}
    data-copy={text}
    aria-label={label ? `${label} of ${what}` : `Copy ${what}`}
    title={label ? `${label} of ${what}` : `Copy ${what}`}
  >
    {label ?? <CopyIcon />}
  </button>
)

const CopyIcon = () => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-.5A1.5 1.5 0 0 0 9 1.5H3A1.5 1.5 0 0 0 1.5 3v6A1.5 1.5 0 0 0 3 10.5h.5" />
  </svg>
)

export const Id = ({ id, what }: { id: string; what: string }) => (
  <span class="id">
    <code>{id}</code>
    <Copy text={id} what={what} />
  </span>
)

/** A call that a button or a form makes. */
export interface ButtonCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the world's base URL; `{name}` is replaced with a field of the body. */
  path: string
  body?: unknown
  /** The message after success. */
  done?: string
  /** The page to open after success, with fields of the answer such as `{data.id}`. */
  go?: string
  /** The field of the answer that holds a URL to open. */
  open?: string
  /** For calls of the emulated API. */
  apiKey?: string | undefined
}

const toData = (view: View, { method = 'POST', path, body = {}, ...call }: ButtonCall) => ({
  'data-call': method,
  'data-path': view.link(path),
  'data-body': JSON.stringify(body),
  'data-done': call.done,
  'data-go': call.go,
  'data-open': call.open,
  'data-key': call.apiKey,
})

interface ActProps extends ButtonCall {
  view: View
  children: Child
  /** The question that a second press confirms. */
  sure?: string
  kind?: 'primary' | 'danger' | 'plain'
  disabled?: boolean
  title?: string
}

/** A button that makes one call and shows the result. */
export const Act = ({
  view,
  children,
  kind = 'plain',
  sure,
  disabled,
  title,
  ...call
}: ActProps) => (
  <button
    type="button"
    class={`button ${kind}`}
    data-sure={sure}
    disabled={disabled}
    title={title}
    {...toData(view, call)}
  >
    {children}
  </button>
)

interface CallFormProps extends ButtonCall {
  view: View
  children: Child
  class?: string
  label?: string
  /** Submits as soon as something is chosen. */
  instant?: boolean
  /** Field names with dots are not nested. */
  flat?: boolean
}

/** A form whose fields are sent as JSON. */
export const CallForm = ({ view, children, label, instant, flat, ...rest }: CallFormProps) => {
  const { class: name = 'row', ...call } = rest
  return (
    <form
      class={name}
      aria-label={label}
      data-instant={instant ? '' : undefined}
      data-flat={flat ? '' : undefined}
      {...toData(view, call)}
    >
      {children}
    </form>
  )
}

export const Card = (props: { title: string; aside?: Child; children: Child; class?: string }) => (
  <section class={`card ${props.class ?? ''}`}>
    <header>
      <h2>{props.title}</h2>
      {props.aside}
    </header>
    {props.children}
  </section>
)

/** Shown in place of an empty list, with what would fill it. */
export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
)

export const Fields = ({ rows }: { rows: readonly (readonly [string, Child])[] }) => (
  <dl class="fields">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value === null || value === '' ? <span class="none">none</span> : value}</dd>
      </div>
    ))}
  </dl>
)

/** Exact text, such as a body. */
export const Code = ({ text, what }: { text: string; what: string }) => (
  <div class="code">
    <section tabindex={0} aria-label={what}>
      <pre>{text}</pre>
    </section>
    <Copy text={text} what={what} />
  </div>
)

/** A text with words in backticks as code. */
export const Ticked = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
