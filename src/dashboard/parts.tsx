import type { Child } from 'hono/jsx'
import type { User } from '../world/state.ts'
import {
  formatDistance,
  formatInstant,
  formatJson,
  formatShort,
  shellQuote,
  shortenId,
} from './format.ts'
import { splitJson } from './json-parts.ts'
import type { View } from './view.ts'

const TONES = {
  good: ['verified', 'complete', 'delivered'],
  busy: ['in-review', 'processing request money transfer', 'pending'],
  warn: ['upload', 'pending request money transfer', 'blocked'],
  bad: ['rejected', 'expired', 'refused', 'timeout', 'tls', 'overflow'],
  quiet: ['active', 'initial', 'inactive', 'cancelled', 'canceled', 'suppressed'],
} as const
export type Tone = keyof typeof TONES

const TONE_OF = new Map<string, string>(
  Object.entries(TONES).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone])),
)

/** A status or an outcome as its badge says it. */
export const shortStatus = (status: string): string =>
  status === 'refused'
    ? 'no connection'
    : status.replace(/^(pending|processing) request money transfer$/, '$1')

export const Badge = ({ status, tone }: { status: string; tone?: Tone | undefined }) => (
  <span class={`badge ${tone ?? TONE_OF.get(status) ?? 'busy'}`} title={status}>
    {shortStatus(status)}
  </span>
)

export const Quiet = ({ text }: { text: string | undefined }) =>
  text ? <span class="quiet">{text}</span> : null

/** An instant; shorter when `now` is given. */
export const Time = ({ at, now }: { at: number; now?: number }) => (
  <time datetime={new Date(at).toISOString()} title={`${formatInstant(at)} UTC`}>
    {now === undefined ? formatInstant(at) : formatShort(at, now)}
  </time>
)

/** The time left until an instant, which client code keeps up to date. */
export const Countdown = ({ at, now }: { at: number; now: number }) => (
  <time class="countdown" datetime={new Date(at).toISOString()} data-until={at}>
    {formatDistance(at, now)}
  </time>
)

/** User whose access token client code puts in place of `$TOKEN`, fresh for each use. */
export interface TokenOf {
  user: string
  integrator: string | null
}

interface CopyProps {
  text: string
  what: string
  label?: string
  token?: TokenOf | undefined
}

export const Copy = ({ text, what, label, token }: CopyProps) => {
  const title = label ? `${label} of ${what}` : `Copy ${what}`
  const name = label ? 'button small' : 'copy'
  return (
    <button
      type="button"
      class={name}
      data-copy={text}
      data-token-of={token?.user}
      data-integrator={token?.integrator}
      aria-label={title}
      title={title}
    >
      {label ?? <CopyIcon />}
    </button>
  )
}

const CopyIcon = () => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-.5A1.5 1.5 0 0 0 9 1.5H3A1.5 1.5 0 0 0 1.5 3v6A1.5 1.5 0 0 0 3 10.5h.5" />
  </svg>
)

/** An id with a button that copies all of it. */
export const Id = ({ id, what, isShort }: { id: string; what: string; isShort?: boolean }) => (
  <span class="id">
    <code>{isShort ? shortenId(id) : id}</code>
    <Copy text={id} what={what} />
  </span>
)

export const PageHead = (props: { title: string; count?: string; children?: Child }) => (
  <header class="page-head">
    <h1>{props.title}</h1>
    <Quiet text={props.count} />
    {props.children}
  </header>
)

interface DetailHeadProps {
  title: string
  badge?: Child
  at?: number | undefined
  id?: string
  noun?: string
  curl?: string | undefined
  token?: TokenOf | undefined
  children?: Child
}

export const DetailHead = ({ noun = '', ...props }: DetailHeadProps) => (
  <header class="detail-head">
    <div class="line">
      <h1>{props.title}</h1>
      {props.badge}
    </div>
    <div class="line quiet">
      {props.at !== undefined && <Time at={props.at} />}
      {props.children}
      {props.id && <Id id={props.id} what={`the ${noun}'s id`} />}
      {props.curl && (
        <Copy text={props.curl} what={`this ${noun}`} label="Copy curl" token={props.token} />
      )}
    </div>
  </header>
)

/** The curl command that reads a record of the control API. */
export const curlOf = ({ baseUrl }: View, path: string) =>
  `curl -sS ${shellQuote(`${baseUrl}/_sandbox/${path}`)}`

export const linkTo = (view: View, page: string, text: Child): Child => (
  <a href={view.page(page)}>{text}</a>
)

export const linkToUser = (view: View, user: User | undefined): Child =>
  user && linkTo(view, `users/${user.id}`, user.email)

type Rows = Readonly<Record<string, Child>>

interface CardProps {
  title: string
  aside?: Child
  fields?: Rows
  children?: Child
  class?: string
  id?: string
}

/** A titled box. Without children and values it is not rendered. */
export const Card = ({ title, aside, fields, children, class: name = '', id }: CardProps) => {
  if (fields && !children && !Object.values(fields).some(isShown)) return null
  return (
    <section class={`card ${name}`} id={id}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {fields && <Fields rows={fields} />}
      {children}
    </section>
  )
}

const isShown = (value: Child) => Boolean(value) || value === 0

/** A list of names and values, which leaves out empty values. */
export const Fields = ({ rows }: { rows: Rows }) => (
  <dl class="fields">
    {Object.entries(rows)
      .filter(([, value]) => isShown(value))
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
)

interface TableProps {
  label: string
  /** A column without a name has buttons or links. */
  head: readonly string[]
  rows: readonly (readonly Child[])[]
}

/** A table that is scrolled sideways on a small screen, also with keys. */
export const Table = ({ label, head, rows }: TableProps) => (
  <section class="scrolled" aria-label={label} tabindex={0}>
    <table class="table">
      <thead>
        <tr>
          {head.map((name) => (
            <th>{name || <span class="unseen">Actions</span>}</th>
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
  </section>
)

/** Exact text with a copy button; `shown` may colour it. */
export const Code = ({ text, what, shown }: { text: string; what: string; shown?: Child }) => (
  <div class="code">
    <section tabindex={0} aria-label={what}>
      <pre>{shown ?? text}</pre>
    </section>
    <Copy text={text} what={what} />
  </div>
)

/** Indented, coloured JSON; text that is not JSON stays as it is. */
export const Json = ({ text, what }: { text: string; what: string }) => {
  const shown = formatJson(text)
  const parts = splitJson(shown).map(({ text, kind }) =>
    kind ? <span class={`j-${kind}`}>{text}</span> : text,
  )
  return <Code text={shown} what={what} shown={parts} />
}

export const JsonCard = ({ title, text }: { title: string; text: string | null | undefined }) =>
  text ? (
    <Card title={title}>
      <Json text={text} what={`the ${title.toLowerCase()}`} />
    </Card>
  ) : null

export const Fold = (props: { title: string; id: string; open?: boolean; children: Child }) => (
  <details id={props.id} open={props.open}>
    <summary class="quiet">{props.title}</summary>
    {props.children}
  </details>
)

/** A text whose words in backticks are shown as code. */
export const Ticked = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
