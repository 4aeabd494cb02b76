import type { Child } from 'hono/jsx'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { Message, WorldEvent } from '../../world/state.ts'
import { formatTook, plural } from '../format.ts'
import { Badge, Card } from '../parts.tsx'
import type { View } from '../view.ts'
import { type About, aboutEntry, aboutRef, formatAmount, type TimelineEntry } from './entries.ts'
import { entryPage, StatusBadge, Who } from './marks.tsx'

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
export const EffectList = ({ view, entry, about, most }: EffectsProps) => {
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
          .filter((delivery) => delivery.event === event && isShown(delivery))
          .map((delivery) => (
            <DeliveryLine view={view} delivery={delivery} />
          ))}
      </EventLine>
    )),
    ...others.filter(isShown).map((delivery) => <DeliveryLine view={view} delivery={delivery} />),
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

/** Where no webhook is configured, each event has one that was not sent. */
const isShown = ({ url, fault }: Delivery) => url !== null || fault !== null

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
        <a class="what" href={view.page(`deliveries/${id}`)} title={url ?? ''}>
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
