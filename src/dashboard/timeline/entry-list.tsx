import type { Child } from 'hono/jsx'
import type { CallRecord } from '../../engine/request-journal.ts'
import type { Action, Cause } from '../../engine/timeline.ts'
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

interface ListProps {
  view: View
  entries: readonly TimelineEntry[]
  /** What the page is about, which its entries need not repeat. */
  known?: Partial<About>
}

/** Entries, newest first, with what each caused. */
export const EntryList = ({ view, entries, known = {} }: ListProps) => (
  <ol class="causes flush">
    {entries.map((entry) => (
      <EntryRow view={view} entry={entry} known={known} />
    ))}
  </ol>
)

interface RowProps {
  view: View
  entry: TimelineEntry
  known: Partial<About>
}

const EntryRow = ({ view, entry, known }: RowProps) => {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const isKnown = transaction !== undefined && transaction === known.transaction
  return (
    <li id={`entry-${entry.id}`} class="cause">
      <div class="cause-line">
        <Time at={entry.at} now={view.world.now} />
        {entry.kind === 'call' ? (
          <CallLink view={view} call={entry} />
        ) : (
          <ActionLink view={view} action={entry} />
        )}
        <Who
          view={view}
          about={{ transaction, user: user === known.user ? undefined : user }}
          amount={isKnown ? '' : formatAmount(about, entry)}
        />
        <Result entry={entry} />
      </div>
      <Reason entry={entry} />
      <EffectList view={view} entry={entry} about={about} most={EFFECTS_SHOWN} />
    </li>
  )
}

const CallLink = ({ view, call }: { view: View; call: CallRecord }) => (
  <a class="what" href={view.page(`requests/${call.id}`)} title={call.operation ?? call.url}>
    <span class="verb">{call.method}</span> <Path view={view} call={call} />
  </a>
)

const Path = ({ view, call }: { view: View; call: CallRecord }) => {
  const [path, query] = formatPath(call, view).split('?')
  return (
    <code>
      {path}
      {query && <span class="quiet">?{query}</span>}
    </code>
  )
}

const ActionLink = ({ view, action }: { view: View; action: Action }) => {
  const text = formatAction(action, view.world)
  return (
    <a class="what" href={view.page(`actions/${action.id}`)} title={action.operation}>
      <span class={`verb ${action.kind}`}>{KIND_WORDS[action.kind]}</span> {text}
    </a>
  )
}

const Result = ({ entry }: { entry: TimelineEntry }) => {
  const { status } = entry
  if (entry.kind !== 'call' && status < 400) return <span class="out" />
  return (
    <span class="out">
      {entry.kind === 'call' && <span class="quiet">{formatTook(entry)}</span>}
      <StatusBadge status={status} />
    </span>
  )
}

/** Why it was refused, and what would have worked. */
const Reason = ({ entry }: { entry: TimelineEntry }) => {
  if (entry.status < 400) return null
  const { problem } = entry
  const { message, hint = '' } =
    typeof problem === 'string' ? { message: problem } : toSentences(problem)
  return (
    <p class="why">
      {message} {hint && <span class="quiet">{hint}</span>}
    </p>
  )
}

const toSentences = (problem: CallRecord['problem']) => ({
  message: problem?.message ?? '',
  hint: problem?.detail.hint ?? '',
})

const EFFECTS_MAX = 200

/** What one entry caused, on its own page. */
export const Effects = ({ view, entry }: { view: View; entry: TimelineEntry }) =>
  entry.runs.length === 0 ? null : (
    <Card title="What it caused">
      <div class="causes flush">
        <div class="cause">
          <EffectList
            view={view}
            entry={entry}
            about={aboutEntry(view, entry)}
            most={EFFECTS_MAX}
          />
        </div>
      </div>
    </Card>
  )

interface EffectsProps {
  view: View
  entry: TimelineEntry
  /** What the entry is about, which its effects need not repeat. */
  about: About
  most: number
}

/** Each event with its webhooks, then the messages. */
const EffectList = ({ view, entry, about, most }: EffectsProps) => {
  const { timeline } = view.services
  const events = timeline.eventsOf(entry)
  const isForSeveral = events.some(({ integrator }) => integrator !== events[0]?.integrator)
  const messages = timeline.messagesOf(entry)
  const deliveries = timeline.deliveriesOf(entry)
  const ofEvents = new Set<WorldEvent>(events)
  const others = deliveries.filter(({ event }) => !ofEvents.has(event))
  const lines: Child[] = [
    ...events.map((event) => (
      <EventLine view={view} event={event} entryAbout={about} isForSeveral={isForSeveral}>
        {deliveries
          .filter((delivery) => delivery.event === event && !wasSuppressed(delivery))
          .map((delivery) => (
            <DeliveryLine view={view} delivery={delivery} />
          ))}
      </EventLine>
    )),
    ...others
      .filter((delivery) => !wasSuppressed(delivery))
      .map((delivery) => <DeliveryLine view={view} delivery={delivery} />),
    ...messages.map((message) => <MessageLine view={view} message={message} entryAbout={about} />),
  ]
  if (lines.length === 0) return null
  return (
    <ul class="effects">
      {lines.slice(0, most)}
      {lines.length > most && (
        <li class="effect quiet">
          <a href={view.page(entryPage(entry))}>and {plural(lines.length - most, 'more line')}</a>
        </li>
      )}
    </ul>
  )
}

interface EventProps {
  view: View
  event: WorldEvent
  entryAbout: About
  /** Whether its neighbours are for other integrators. */
  isForSeveral?: boolean
  children?: Child
}

const EventLine = ({ view, event, entryAbout, isForSeveral, children }: EventProps) => {
  const { ref, type, status, integrator } = event
  const part = type === 'user.update' ? 'users' : 'transactions'
  return (
    <li class="effect">
      <div class="cause-line">
        <span class="sort">event</span>
        <a class="what" href={view.page(`${part}/${ref}`)} title={event.id}>
          {type} <Badge status={status} />
        </a>
        <Other view={view} of={ref} entryAbout={entryAbout} />
        <span class="out quiet">{isForSeveral && integrator}</span>
      </div>
      {children && <ul class="effects">{children}</ul>}
    </li>
  )
}

/** Whom an effect is about, where its entry does not say so already. */
const Other = ({ view, of, entryAbout }: { view: View; of: string; entryAbout: About }) => {
  const about = aboutRef(view.world, of)
  const isSame = about.user === entryAbout.user && about.transaction === entryAbout.transaction
  if (isSame) return <span class="who" />
  return <Who view={view} about={about} amount={formatAmount(about)} />
}

const DeliveryLine = ({ view, delivery }: { view: View; delivery: Delivery }) => {
  const { id, url, reason, generation, hook, outcome, response } = delivery
  return (
    <li class="effect">
      <div class="cause-line">
        <span class="sort">webhook</span>
        <a class="what" href={view.page(`webhooks/${id}`)} title={url ?? ''}>
          → {shortUrl(url, view) ?? reason}{' '}
          {generation === 'v1' && <span class="quiet">v1 {hook}</span>}
        </a>
        <span class="who failure">{outcome === 'delivered' ? '' : (delivery.error ?? reason)}</span>
        <span class="out">
          <span class="quiet">{formatTook(delivery)}</span>
          {response ? <StatusBadge status={response.status} /> : <Badge status={outcome} />}
        </span>
      </div>
    </li>
  )
}

/** A receiver of this sandbox by its path alone. */
const shortUrl = (url: string | null, { baseUrl }: View) =>
  url?.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url?.replace(/^https?:\/\//, '')

interface MessageProps {
  view: View
  message: Message
  entryAbout: About
}

const MessageLine = ({ view, message, entryAbout }: MessageProps) => {
  const { id, subject, to, code, kind } = message
  const user = view.world.usersByEmail.get(to.toLowerCase())
  return (
    <li class="effect">
      <div class="cause-line">
        <span class="sort">message</span>
        <a class="what" href={view.page(`inbox/${id}`)} title={kind}>
          {subject}
        </a>
        {user && user !== entryAbout.user ? (
          <Who view={view} about={{ user, transaction: undefined }} amount="" />
        ) : (
          <span class="who" />
        )}
        <span class="out">{code && <code>{code}</code>}</span>
      </div>
    </li>
  )
}

interface UnknownProps {
  view: View
  events: readonly WorldEvent[]
  messages: readonly Message[]
}

/** Events and messages whose cause is not known. */
export const UnknownList = ({ view, events, messages }: UnknownProps) => {
  if (events.length + messages.length === 0) return null
  const about: About = { user: undefined, transaction: undefined }
  return (
    <div class="causes flush">
      <div class="cause">
        <p class="hint">From before this world was loaded</p>
        <ul class="effects">
          {events.map((event) => (
            <EventLine view={view} event={event} entryAbout={about} />
          ))}
          {messages.map((message) => (
            <MessageLine view={view} message={message} entryAbout={about} />
          ))}
        </ul>
      </div>
    </div>
  )
}

interface WhoProps {
  view: View
  about: About
  amount: string
}

/** Of whom and of how much it is. */
const Who = ({ view, about: { user, transaction }, amount }: WhoProps) => (
  <span class="who">
    {user && (
      <a href={view.page(`users/${user.id}`)} title={user.email}>
        {user.profile.firstName ? formatName(user) : user.email}
      </a>
    )}
    {amount &&
      (transaction ? (
        <a class="sum" href={view.page(`transactions/${transaction.id}`)} title={amount}>
          {amount}
        </a>
      ) : (
        <span class="sum">{amount}</span>
      ))}
  </span>
)

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
