import type { Child } from 'hono/jsx'
import type { CallRecord } from '../../engine/call-record.ts'
import { describeAction } from '../../http/control/describe-action.ts'
import { isForCaller } from '../../http/notes.ts'
import { type Delivery, isBadAttempt, wasSuppressed } from '../../webhooks/delivery.ts'
import { isFalse } from '../../webhooks/mutation.ts'
import { diagnoseOutcome } from '../../webhooks/outcome-diagnosis.ts'
import type { Cause, Message, Transaction, User, WorldEvent } from '../../world/state.ts'
import { formatDelivery, formatName, formatTook, plural } from '../format.ts'
import { Badge, Card, linkTo, linkToUser, Quiet, Time, type Tone } from '../parts.tsx'
import type { View } from '../view.ts'
import {
  type About,
  aboutEntry,
  aboutRef,
  formatAmount,
  isRefused,
  KIND_WORDS,
  type TimelineEntry,
} from './entries.ts'

const EFFECTS_SHOWN = 10
const EFFECTS_MAX = 200

interface ListProps {
  view: View
  entries: readonly TimelineEntry[]
  /** What the page is about, so that its entries do not repeat it. */
  known?: About
}

export const EntryList = ({ view, entries, known }: ListProps) => (
  <ol class="causes flush">
    {entries.map((entry) =>
      entry.operation === RESTORE ? showRestore(view, entry) : showEntry(view, entry, known),
    )}
  </ol>
)

const RESTORE = 'restoreSnapshot'

/** A line across the timeline. What came after the snapshot, and is undone, is below it. */
const showRestore = (view: View, entry: TimelineEntry) => (
  <li id={`entry-${entry.id}`} class="cause restored">
    <a class="what" href={view.page(entryPage(entry))}>
      {entry.kind === 'call' ? entry.operation : describeAction(entry, view.world)}
    </a>
  </li>
)

function showEntry(view: View, entry: TimelineEntry, known: About | undefined) {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const isKnown = transaction !== undefined && transaction === known?.transaction
  const amount = isKnown ? '' : formatAmount(about, entry)
  return (
    <li id={`entry-${entry.id}`} class="cause">
      {showLine({
        sort: <Time at={entry.at} now={view.world.now} />,
        href: view.page(entryPage(entry)),
        // What is cut off is in the tooltip.
        title: entry.kind === 'call' ? formatCall(entry, view) : describeAction(entry, view.world),
        what: showWhat(view, entry),
        who: showWho(view, known && user === known.user ? undefined : user, transaction, amount),
        out: [
          entry.kind === 'call' && <span class="quiet">{formatTook(entry)}</span>,
          (entry.kind === 'call' || isRefused(entry)) && <StatusBadge {...entry} />,
        ],
      })}
      {isRefused(entry) && showReason(entry)}
      {entry.kind === 'call' && showNotes(entry)}
      {showEffects(view, entry, EFFECTS_SHOWN)}
    </li>
  )
}

interface Line {
  sort: Child
  href: string
  title: string | null
  what: Child
  who?: Child
  out?: Child
  /** Indents the line below its event. */
  isInner?: boolean
}

const showLine = ({ sort, href, title, what, who, out }: Line) => (
  <div class="cause-line">
    <span class="sort">{sort}</span>
    <a class="what" href={href} title={title ?? undefined}>
      {what}
    </a>
    {who && <span class="who">{who}</span>}
    <span class="out">{out}</span>
  </div>
)

function showWhat(view: View, entry: TimelineEntry): Child {
  if (entry.kind !== 'call') {
    const verb = isRefused(entry) ? 'Refused' : KIND_WORDS[entry.kind]
    return [
      <span class={`verb ${entry.kind}`}>{verb}</span>,
      ' ',
      describeAction(entry, view.world),
    ]
  }
  const [path, query] = formatPath(entry, view).split('?')
  return (
    <>
      <span class="verb call">{entry.method}</span>{' '}
      <code>
        {path}
        {query && <span class="quiet">?{query}</span>}
      </code>
    </>
  )
}

const showReason = ({ problem }: TimelineEntry) => (
  <p class="why">
    {typeof problem === 'string' ? problem : problem?.message}{' '}
    {typeof problem === 'object' && <span class="quiet">{problem?.detail.hint}</span>}
  </p>
)

function showNotes({ notes }: CallRecord): Child {
  const said = notes.filter(isForCaller)
  return said.length > 0 && <p class="why">{said.join(' ')}</p>
}

export function Effects({ view, entry }: { view: View; entry: TimelineEntry }) {
  const effects = showEffects(view, entry, EFFECTS_MAX)
  if (effects === null) return null
  return (
    <Card title="What it caused">
      <div class="causes flush">
        <div class="cause">{effects}</div>
      </div>
    </Card>
  )
}

/** Lists each event with its webhooks below it, and then the messages. */
function showEffects(view: View, entry: TimelineEntry, max: number): Child {
  const about = aboutEntry(view, entry)
  const { effects } = view
  const events = effects.eventsOf(entry)
  const deliveries = effects.deliveriesOf(entry).filter((row) => !wasSuppressed(row))
  const isForSeveral = events.some(({ integrator }) => integrator !== events[0]?.integrator)
  const keys = new Set(events.map(({ id }) => id))
  const lines: Line[] = [
    ...events.flatMap((event) => [
      { ...toEvent(view, event, about), out: isForSeveral && <Quiet text={event.integrator} /> },
      ...view
        .attemptsOf(event.id)
        .filter((row) => !wasSuppressed(row))
        .map((row) => ({ ...toDelivery(view, row), isInner: true })),
    ]),
    ...deliveries
      .filter((row) => !keys.has(row.eventId))
      .map((row) => toDelivery(view, row, `${formatDelivery(row)} `)),
    ...effects.messagesOf(entry).map((message) => toMessage(view, message, about)),
  ]
  if (lines.length === 0) return null
  return (
    <ul class="effects">
      {lines.slice(0, max).map((line) => (
        <li class={line.isInner ? 'effect inner' : 'effect'}>{showLine(line)}</li>
      ))}
      {lines.length > max && (
        <li class="effect quiet">
          {linkTo(view, entryPage(entry), `and ${plural(lines.length - max, 'more line')}`)}
        </li>
      )}
    </ul>
  )
}

function toEvent(view: View, { id, type, ref, status }: WorldEvent, about: About): Line {
  const own = aboutRef(view.world, ref)
  const isSame = own.user === about.user && own.transaction === about.transaction
  return {
    sort: 'event',
    href: view.page(`events/${id}`),
    title: id,
    what: [`${type} `, <Badge status={status} />],
    who: isSame ? undefined : showWho(view, own.user, own.transaction, formatAmount(own)),
  }
}

/** A webhook that is not below its event says what it is about. */
function toDelivery(view: View, delivery: Delivery, about = ''): Line {
  const { id, url, reason, dialect, hook, outcome, response } = delivery
  const problem = isBadAttempt(delivery) && diagnoseOutcome(view.world, delivery)?.message
  // A receiver inside this sandbox is named by its path alone.
  const place = url?.startsWith(`${view.baseUrl}/`)
    ? url.slice(view.baseUrl.length)
    : url?.replace(/^https?:\/\//, '')
  return {
    sort: 'webhook',
    href: view.page(`webhooks/${id}`),
    title: url,
    what: [
      <DeliveryTags delivery={delivery} />,
      `${about}→ ${place ?? reason}${dialect === 'v1' && !about ? ` v1 ${hook}` : ''}`,
    ],
    who: problem && <span class="bad">{problem}</span>,
    out: [
      <Quiet text={formatTook(delivery)} />,
      response ? (
        <Badge status={String(response.status)} tone={toneOf(delivery) ?? 'good'} />
      ) : (
        <Badge status={outcome} />
      ),
    ],
  }
}

/** Tone of the badge of an attempt: good is what its receiver should have done. */
export function toneOf(delivery: Delivery): Tone | undefined {
  const { outcome, mutation } = delivery
  if (isBadAttempt(delivery)) return 'bad'
  return isFalse(mutation) && outcome === 'rejected' ? 'quiet' : undefined
}

/** Marks a test, a repetition, and what was changed on purpose. */
export const DeliveryTags = ({ delivery }: { delivery: Delivery }) => (
  <>
    {tagsOf(delivery).map((tag) => (
      <span class="tag">{tag}</span>
    ))}
  </>
)

export function tagsOf({ event, first, fault, mutation }: Delivery): string[] {
  return [
    event.pos === IN_NO_LIST && 'test',
    first && (fault ? 'duplicate' : 'resent'),
    mutation && `mutate: ${mutation}`,
  ].filter((tag) => typeof tag === 'string')
}

/** Position of a test event, which is in no list of events. */
const IN_NO_LIST = 0

function toMessage(view: View, { id, subject, to, code, kind }: Message, about: About): Line {
  const user = view.world.usersByEmail.get(to.toLowerCase())
  return {
    sort: 'message',
    href: view.page(`inbox/${id}`),
    title: kind,
    what: subject,
    who: user === about.user ? undefined : showWho(view, user),
    out: code && <code>{code}</code>,
  }
}

function showWho(view: View, user: User | undefined, transaction?: Transaction, amount = '') {
  if (!user && !amount) return undefined
  const page = transaction && view.page(`transactions/${transaction.id}`)
  return (
    <>
      {user && (
        <a href={view.page(`users/${user.id}`)} title={user.email}>
          {user.profile.firstName ? formatName(user) : user.email}
        </a>
      )}
      {amount && (
        <a class="sum" href={page} title={amount}>
          {amount}
        </a>
      )}
    </>
  )
}

export function aboutRows(view: View, entry: TimelineEntry) {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const amount = formatAmount(about, entry) || undefined
  return {
    User: linkToUser(view, user),
    Transaction: transaction ? linkTo(view, `transactions/${transaction.id}`, amount) : amount,
  }
}

export const StatusBadge = ({ status }: { status: number }) => {
  if (status === 0) return <Badge status="pending" />
  return <Badge status={String(status)} tone={toneOfStatus(status)} />
}

function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

export function formatPath({ url }: CallRecord, view: View): string {
  const { pathname, search } = new URL(url)
  return `${pathname.slice(view.prefix.length)}${search}`
}

/** `GET /v2/quotes?leftSideLabel=CAD` */
export const formatCall = (call: CallRecord, view: View): string =>
  `${call.method} ${formatPath(call, view)}`

const entryPage = ({ kind, id }: Pick<Cause, 'kind' | 'id'>) =>
  `${kind === 'call' ? 'requests' : 'actions'}/${id}`

export function linkToCause(view: View, cause: Cause | null): Child {
  if (!cause) return undefined
  const { calls, actions } = view.services.journal
  const call = calls.at(cause.pos)
  if (call) return linkTo(view, entryPage(cause), formatCall(call, view))
  const action = actions.at(cause.pos)
  return action ? linkTo(view, entryPage(cause), describeAction(action, view.world)) : cause.name
}
