import type { Child } from 'hono/jsx'
import type { CallRecord } from '../../engine/request-journal.ts'
import type { Cause } from '../../engine/timeline.ts'
import { findInJournal } from '../../http/control/page.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { Message, WorldEvent } from '../../world/state.ts'
import { formatName, formatTook, plural } from '../format.ts'
import { Badge, Card, Time } from '../parts.tsx'
import type { View } from '../view.ts'
import {
  type About,
  aboutEntry,
  aboutRef,
  formatAction,
  formatAmount,
  KIND_WORDS,
  type TimelineEntry,
  wasSuppressed,
} from './entries.ts'

/** Effects that are shown below one entry of a list. */
const EFFECTS_SHOWN = 10
const EFFECTS_MAX = 200

interface ListProps {
  view: View
  entries: readonly TimelineEntry[]
  /** What the page is about, which its entries need not repeat. */
  known?: Partial<About>
}

/** Entries, newest first, with what each caused. */
export const EntryList = ({ view, entries, known = {} }: ListProps) => (
  <ol class="causes flush">
    {entries.map((entry) => {
      const { user, transaction } = aboutEntry(view, entry)
      const isKnown = transaction !== undefined && transaction === known.transaction
      const amount = isKnown ? '' : formatAmount({ user, transaction }, entry)
      return (
        <li id={`entry-${entry.id}`} class="cause">
          <Line
            sort={<Time at={entry.at} now={view.world.now} />}
            href={view.page(entryPage(entry))}
            title={entry.operation}
            what={<What view={view} entry={entry} />}
            who={showWho(
              view,
              { transaction, user: user === known.user ? undefined : user },
              amount,
            )}
            out={<Result entry={entry} />}
          />
          <Reason entry={entry} />
          <EffectList view={view} entry={entry} most={EFFECTS_SHOWN} />
        </li>
      )
    })}
  </ol>
)

interface LineProps {
  sort: Child
  href: string
  title: string | null
  what: Child
  who?: Child
  out?: Child
}

/** One line of the timeline: when or of which sort, what, whom it is about, and what came of it. */
const Line = ({ sort, href, title, what, who, out }: LineProps) => (
  <div class="cause-line">
    <span class="sort">{sort}</span>
    <a class="what" href={href} title={title ?? undefined}>
      {what}
    </a>
    {who ? <span class="who">{who}</span> : null}
    <span class="out">{out}</span>
  </div>
)

interface EntryProps {
  view: View
  entry: TimelineEntry
}

const What = ({ view, entry }: EntryProps) => {
  if (entry.kind !== 'call') {
    return (
      <>
        <span class={`verb ${entry.kind}`}>{KIND_WORDS[entry.kind]}</span>{' '}
        {formatAction(entry, view.world)}
      </>
    )
  }
  const [path, query] = formatPath(entry, view).split('?')
  return (
    <>
      <span class="verb">{entry.method}</span>{' '}
      <code>
        {path}
        {query && <span class="quiet">?{query}</span>}
      </code>
    </>
  )
}

const Result = ({ entry }: Pick<EntryProps, 'entry'>) => {
  if (entry.kind === 'call') {
    return (
      <>
        <span class="quiet">{formatTook(entry)}</span>
        <StatusBadge status={entry.status} />
      </>
    )
  }
  return entry.status < 400 ? null : <StatusBadge status={entry.status} />
}

/** Why it was refused, and what would have worked. */
const Reason = ({ entry: { status, problem } }: Pick<EntryProps, 'entry'>) => {
  if (status < 400) return null
  const { message = '', hint = '' } =
    typeof problem === 'string' ? { message: problem } : { ...problem, hint: problem?.detail.hint }
  return (
    <p class="why">
      {message} {hint && <span class="quiet">{hint}</span>}
    </p>
  )
}

/** What one entry caused, on its own page. */
export const Effects = ({ view, entry }: EntryProps) =>
  entry.runs.length === 0 ? null : (
    <Card title="What it caused">
      <div class="causes flush">
        <div class="cause">
          <EffectList view={view} entry={entry} most={EFFECTS_MAX} />
        </div>
      </div>
    </Card>
  )

/** Each event with its webhooks below it, then the messages; folded after so many lines. */
const EffectList = ({ view, entry, most }: EntryProps & { most: number }) => {
  const about = aboutEntry(view, entry)
  const { timeline } = view.services
  const events = timeline.eventsOf(entry)
  const isForSeveral = events.some(({ integrator }) => integrator !== events[0]?.integrator)
  const deliveries = timeline.deliveriesOf(entry).filter((row) => !wasSuppressed(row))
  const ofEvents = new Set<WorldEvent>(events)
  const lines = [
    ...events.flatMap((event) => [
      toEvent(view, event, { about, isForSeveral }),
      ...deliveries.filter((row) => row.event === event).map((row) => toDelivery(view, row, true)),
    ]),
    ...deliveries.filter(({ event }) => !ofEvents.has(event)).map((row) => toDelivery(view, row)),
    ...timeline.messagesOf(entry).map((message) => toMessage(view, message, about)),
  ]
  if (lines.length === 0) return null
  return (
    <ul class="effects">
      {lines.slice(0, most).map(({ isInner, ...line }) => (
        <li class={isInner ? 'effect inner' : 'effect'}>
          <Line {...line} />
        </li>
      ))}
      {lines.length > most && (
        <li class="effect quiet">
          <a href={view.page(entryPage(entry))}>and {plural(lines.length - most, 'more line')}</a>
        </li>
      )}
    </ul>
  )
}

type EffectLine = LineProps & { isInner?: boolean }

interface EventContext {
  /** What the entry is about, which its effects need not repeat. */
  about: About
  isForSeveral: boolean
}

function toEvent(view: View, event: WorldEvent, { about, isForSeveral }: EventContext): EffectLine {
  const own = aboutRef(view.world, event.ref)
  const isSame = own.user === about.user && own.transaction === about.transaction
  return {
    sort: 'event',
    href: view.page(`events/${event.id}`),
    title: event.id,
    what: (
      <>
        {event.type} <Badge status={event.status} />
      </>
    ),
    who: isSame ? undefined : showWho(view, own, formatAmount(own)),
    out: isForSeveral && <span class="quiet">{event.integrator}</span>,
  }
}

function toDelivery(view: View, delivery: Delivery, isInner = false): EffectLine {
  const { id, url, reason, generation, hook, outcome, response, error } = delivery
  // A receiver of this sandbox by its path alone.
  const place = url?.startsWith(`${view.baseUrl}/`)
    ? url.slice(view.baseUrl.length)
    : url?.replace(/^https?:\/\//, '')
  return {
    sort: 'webhook',
    href: view.page(`webhooks/${id}`),
    title: url,
    what: `→ ${place ?? reason}${generation === 'v1' ? ` v1 ${hook}` : ''}`,
    who: outcome === 'delivered' ? undefined : <span class="failure">{error ?? reason}</span>,
    out: (
      <>
        <span class="quiet">{formatTook(delivery)}</span>
        {response ? <StatusBadge status={response.status} /> : <Badge status={outcome} />}
      </>
    ),
    isInner,
  }
}

function toMessage(view: View, { id, subject, to, code, kind }: Message, about: About): EffectLine {
  const user = view.world.usersByEmail.get(to.toLowerCase())
  const isOther = user && user !== about.user
  return {
    sort: 'message',
    href: view.page(`inbox/${id}`),
    title: kind,
    what: subject,
    who: isOther ? showWho(view, { user, transaction: undefined }, '') : undefined,
    out: code && <code>{code}</code>,
  }
}

/** Whom and which amount it is about; undefined for nobody. */
function showWho(view: View, { user, transaction }: About, amount: string): Child {
  if (!user && !amount) return undefined
  return (
    <>
      {user && (
        <a href={view.page(`users/${user.id}`)} title={user.email}>
          {user.profile.firstName ? formatName(user) : user.email}
        </a>
      )}
      {transaction && amount ? (
        <a class="sum" href={view.page(`transactions/${transaction.id}`)} title={amount}>
          {amount}
        </a>
      ) : (
        amount && <span class="sum">{amount}</span>
      )}
    </>
  )
}

/** The same for the fields of a page; undefined where it is about nobody, or no amount. */
export function aboutRows(view: View, entry: TimelineEntry) {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const amount = formatAmount(about, entry) || undefined
  return {
    User: user && <a href={view.page(`users/${user.id}`)}>{user.email}</a>,
    Transaction: transaction ? (
      <a href={view.page(`transactions/${transaction.id}`)}>{amount}</a>
    ) : (
      amount
    ),
  }
}

export const StatusBadge = ({ status }: { status: number }) => {
  if (status === 0) return <Badge status="pending" />
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Badge status={String(status)} tone={tone} />
}

/** Below the base URL of the world. */
export function formatPath({ url }: CallRecord, view: View): string {
  const { pathname, search } = new URL(url)
  return `${pathname.slice(view.prefix.length)}${search}`
}

const entryPage = ({ kind, id }: Pick<Cause, 'kind' | 'id'>) =>
  `${kind === 'call' ? 'requests' : 'actions'}/${id}`

/** The call or action behind something. */
export const CauseLink = ({ view, cause }: { view: View; cause: Cause }) => {
  const { requests, timeline } = view.services
  const call = findInJournal(requests, 'req', cause.id)
  const action = findInJournal(timeline.actions, 'act', cause.id)
  if (call === undefined && action === undefined) return <span>{cause.name}</span>
  const text = action
    ? formatAction(action, view.world)
    : call && `${call.method} ${formatPath(call, view)}`
  return <a href={view.page(entryPage(cause))}>{text}</a>
}
