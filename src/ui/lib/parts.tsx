import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from './copy.ts'
import {
  formatBoth,
  formatDistance,
  formatInstant,
  formatJson,
  formatShort,
  shortenId,
  shortStatus,
} from './format.ts'
import { now } from './now.ts'
import { world } from './page.ts'
import { id, page, urlOf } from './router.ts'

const TONES = {
  good: ['verified', 'complete', 'delivered', 'running'],
  busy: ['in-review', 'processing', 'pending'],
  warn: ['upload', 'pending request money transfer', 'blocked'],
  bad: ['rejected', 'expired', 'refused', 'timeout', 'tls', 'overflow'],
  quiet: ['active', 'initial', 'inactive', 'cancelled', 'canceled', 'suppressed'],
} as const
export type Tone = keyof typeof TONES

const TONE_OF = new Map<string, string>(
  Object.entries(TONES).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone])),
)

export const Badge = ({ status, tone }: { status: string; tone?: Tone | undefined }) => (
  <span class={`badge ${tone ?? TONE_OF.get(status) ?? 'busy'}`} title={status}>
    {shortStatus(status)}
  </span>
)

interface HttpStatusProps {
  /** 0 while there is none. */
  status: number
  failed?: boolean
}

/** The status of an HTTP response, if it reached its client. */
export const HttpStatus = ({ status, failed }: HttpStatusProps) => {
  if (failed && status < 400) return <Badge status="no response" tone="bad" />
  if (status === 0) return <Badge status="pending" />
  const tone = status >= 400 ? 'warn' : 'good'
  return <Badge status={String(status)} tone={status >= 500 ? 'bad' : tone} />
}

export const Quiet = ({ text }: { text: string | false | undefined }) =>
  text ? <span class="quiet">{text}</span> : null

interface TimeProps {
  at: string
  /** Leaves out the day where it is today: in the world, or in real time. */
  short?: boolean | 'real'
}

/** An instant, which is given as ISO 8601. */
export const Time = ({ at, short }: TimeProps) => {
  const instant = Date.parse(at)
  const today = short === 'real' ? Date.now() : now.value
  return (
    <time dateTime={at} title={formatBoth(instant)}>
      {short ? formatShort(instant, today) : formatInstant(instant)}
    </time>
  )
}

/** The time left until an instant. */
export const Countdown = ({ at }: { at: string }) => {
  const instant = Date.parse(at)
  return (
    <time class="countdown" dateTime={at} title={formatBoth(instant)}>
      {formatDistance(instant, now.value)}
    </time>
  )
}

const COPIED_MS = 1_200

interface CopyProps {
  /** Text to copy, or a function that fetches it. */
  text: string | (() => Promise<string>)
  what: string
  label?: string
}

export const Copy = ({ text, what, label }: CopyProps) => {
  const [isCopied, setCopied] = useState(false)
  const title = label ? `${label} of ${what}` : `Copy ${what}`
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : await text()))) return
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <button
      type="button"
      class={`${label ? 'button small' : 'copy'}${isCopied ? ' copied' : ''}`}
      aria-label={title}
      title={title}
      onClick={copy}
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

/** Names the page in the title of the window; without a text it stays. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text) document.title = `${text} · ${world.name} · ramp-sandbox`
  }, [text])
}

interface PageHeadProps {
  title: string
  count?: string | false | undefined
  children?: ComponentChildren
}

export const PageHead = ({ title, count, children }: PageHeadProps) => {
  useTitle(title)
  return (
    <header class="page-head">
      <h1>{title}</h1>
      <Quiet text={count} />
      {children}
    </header>
  )
}

/** A page or a row that does not exist, or no longer. */
/** `all` is the page with the list, if it is not the page itself. */
export const Gone = ({ text, all }: { text: string; all?: string }) => (
  <>
    <PageHead title="Page not found" />
    <p>{text}</p>
    <a href={urlOf(all ?? (id.value === undefined ? 'timeline' : page.value))}>Show all</a>
  </>
)

interface DetailHeadProps {
  title: string
  badge?: ComponentChildren
  at?: string | undefined
  id?: string
  noun?: string
  curl?: CopyProps['text'] | false | null | undefined
  children?: ComponentChildren
}

export const DetailHead = ({ title, badge, at, id, noun, curl, children }: DetailHeadProps) => {
  useTitle(title)
  return (
    <header class="detail-head">
      <div class="line">
        <h1>{title}</h1>
        {badge}
      </div>
      <div class="line quiet">
        {at && <Time at={at} />}
        {children}
        {id && <Id id={id} what={`the ${noun}'s id`} />}
        {curl && <Copy text={curl} what={`this ${noun}`} label="Copy curl" />}
      </div>
    </header>
  )
}

type Rows = Readonly<Record<string, ComponentChildren>>

interface CardProps {
  title: string
  aside?: ComponentChildren
  fields?: Rows
  children?: ComponentChildren
  class?: string
}

/** A titled box. Without children and values it is not rendered. */
export const Card = ({ title, aside, fields, children, class: name = '' }: CardProps) => {
  if (fields && !children && !Object.values(fields).some(Boolean)) return null
  return (
    <section class={`card ${name}`}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {fields && <Fields rows={fields} />}
      {children}
    </section>
  )
}

/** A list of names and values, which leaves out empty values. */
export const Fields = ({ rows }: { rows: Rows }) => {
  const shown = Object.entries(rows).filter(([, value]) => value || value === 0)
  if (shown.length === 0) return null
  return (
    <dl class="fields">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
)

interface TableProps {
  label: string
  /** A column without a name has buttons or links. */
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
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

interface CodeProps {
  text: string
  what: string
  /** The same text with colours. */
  shown?: ComponentChildren
}

/** Exact text with a copy button. */
export const Code = ({ text, what, shown }: CodeProps) => (
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

interface JsonPart {
  text: string
  kind?: 'name' | 'text' | 'value'
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** Longer texts have no colours, because thousands of elements make a page slow. */
const COLOURED_MAX = 20_000

/** Splits JSON into the parts that have a colour of their own. */
function splitJson(text: string): JsonPart[] {
  if (text.length > COLOURED_MAX) return [{ text }]
  const parts: JsonPart[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match
    parts.push({ text: text.slice(end, match.index) })
    if (quoted === undefined) parts.push({ text: token, kind: 'value' })
    else if (colon === undefined) parts.push({ text: quoted, kind: 'text' })
    else parts.push({ text: quoted, kind: 'name' }, { text: colon })
    end = match.index + token.length
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '')
}

/** A card with a value as JSON; a text is shown as it is. */
export const JsonCard = ({ title, value }: { title: string; value: unknown }) => {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <Card title={title}>
      <Json text={text} what={`the ${title.toLowerCase()}`} />
    </Card>
  )
}

interface FoldProps {
  title: string
  open?: boolean
  children: ComponentChildren
}

export const Fold = ({ title, open, children }: FoldProps) => (
  <details open={open}>
    <summary class="quiet">{title}</summary>
    {children}
  </details>
)

interface MenuProps {
  id: string
  class?: string
  label?: string
  summary: ComponentChildren
  children: ComponentChildren
}

/** A button that opens a box, whose content is there only while it is open. */
export const Menu = ({ id, class: name = '', label, summary, children }: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class={`menu ${name}`}
      id={id}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class="button" aria-label={label}>
        {summary}
      </summary>
      <div class="popover">{isOpen && children}</div>
    </details>
  )
}

/** A text whose words in backticks are shown as code. */
export const Ticked = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
