import type { Child } from 'hono/jsx'
import { formatDistance, formatInstant, formatShort, shortenId } from './format.ts'

type Tone = 'good' | 'busy' | 'bad' | 'quiet' | 'warn'

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

export const shortStatus = (status: string): string => SHORT[status] ?? status

export const Badge = ({ status, tone }: { status: string; tone?: Tone | undefined }) => (
  <span class={`badge ${tone ?? TONES[status] ?? 'busy'}`} title={status}>
    {shortStatus(status)}
  </span>
)

/** Short where the present is given. */
export const Time = ({ at, now }: { at: number; now?: number }) => (
  <time datetime={new Date(at).toISOString()} title={`${formatInstant(at)} UTC`}>
    {now === undefined ? formatInstant(at) : formatShort(at, now)}
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

/** An id of a row, which has little room. */
export const ShortId = ({ id, what }: { id: string; what: string }) => (
  <span class="id">
    <code>{shortenId(id)}</code>
    <Copy text={id} what={what} />
  </span>
)

/** A URL that keeps its end where it is cut. */
export const Url = ({ url }: { url: string }) => (
  <span class="url">
    <bdi>{url}</bdi>
  </span>
)

export const PageHead = (props: { title: string; count?: string; children?: Child }) => (
  <header class="page-head">
    <h1>{props.title}</h1>
    {props.count && <span class="quiet">{props.count}</span>}
    {props.children}
  </header>
)

/** The top of a detail: what it is, its badge, and a line about it. */
export const DetailHead = (props: { title: string; badge?: Child; children: Child }) => (
  <header class="detail-head">
    <div class="line">
      <h1>{props.title}</h1>
      {props.badge}
    </div>
    <div class="line quiet">{props.children}</div>
  </header>
)

interface CardProps {
  title: string
  aside?: Child
  children: Child
  class?: string
  id?: string
}

export const Card = (props: CardProps) => (
  <section class={`card ${props.class ?? ''}`} id={props.id}>
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

/** Names and values; what there is none of has no row. */
export const Fields = ({ rows }: { rows: Readonly<Record<string, Child>> }) => (
  <dl class="fields">
    {Object.entries(rows)
      .filter(([, value]) => value || value === 0)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

interface TableProps {
  head: readonly string[]
  rows: readonly (readonly Child[])[]
}

export const Table = ({ head, rows }: TableProps) => (
  <table class="table">
    <thead>
      <tr>
        {head.map((name) => (
          <th>{name}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells) => (
        <tr>
          {cells.map((cell) => (
            <td>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
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
