import type { ComponentChildren } from 'preact'
import type {
  ActionRecord,
  DeliveryRecord,
  EventRecord,
  MessageRecord,
  RequestRecord,
  TimelineEntry,
} from '../../control-api/wire.ts'
import { formatCents, formatTook, formatTrade, plural } from '../lib/format.ts'
import { world } from '../lib/page.ts'
import { Badge, Card, HttpStatus, Quiet, Time } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import {
  formatCall,
  formatDelivery,
  formatPath,
  problemOf,
  ShortOutcome,
  Tags,
  wasSent,
} from './words.tsx'

const EFFECTS_SHOWN = 10
const EFFECTS_MAX = 200
const RESTORE = 'restoreSnapshot'

type Row = RequestRecord | ActionRecord
type Subject = NonNullable<Row['about']>
type Caused = NonNullable<Row['caused']>

export const KIND_WORDS: Record<ActionRecord['kind'], string> = {
  simulation: 'Simulated',
  clock: 'Clock',
  change: 'Changed',
  task: 'Scheduled',
}

const isCallRow = (row: Row): row is RequestRecord => 'method' in row
export const isCall = ({ row }: TimelineEntry): boolean => isCallRow(row)

interface EntryListProps {
  entries: readonly TimelineEntry[]
  /** Leaves out who they are about, which the page says. */
  isKnown?: boolean
  /** Leaves out effects that are about somebody else. */
  only?(ref: string): boolean
}

export const EntryList = ({ entries, isKnown, only = () => true }: EntryListProps) => (
  <ol class="causes flush">
    {entries.map(({ row }) => (
      <Entry key={row.id} row={row} isKnown={isKnown ?? false} only={only} />
    ))}
  </ol>
)

type EntryProps = Required<Pick<EntryListProps, 'isKnown' | 'only'>> & { row: Row }

const Entry = ({ row, isKnown, only }: EntryProps) => {
  const isRefused = row.status >= 400
  const href = urlOf(`${isCallRow(row) ? 'requests' : 'actions'}/${row.id}`)
  // What came after the snapshot is below the line of its restore.
  if (row.operation === RESTORE && !isCallRow(row)) {
    return (
      <li id={`entry-${row.id}`} class="cause restored">
        <a class="what" href={href}>
          {row.title}
        </a>
      </li>
    )
  }
  return (
    <li id={`entry-${row.id}`} class="cause">
      <Line
        sort={<Time at={row.at} short />}
        href={href}
        // What is cut off is in the tooltip.
        title={isCallRow(row) ? formatCall(row) : row.title}
        what={isCallRow(row) ? <Call row={row} /> : <Done row={row} />}
        who={isKnown ? undefined : <Who about={row.about} amount={amountOf(row)} />}
        out={
          <>
            {isCallRow(row) && <Quiet text={formatTook(row)} />}
            {(isCallRow(row) || isRefused) && <HttpStatus status={row.status} />}
          </>
        }
      />
      {isRefused && <Why row={row} />}
      {isCallRow(row) && <Notes of={row} />}
      {row.caused && (
        <EffectLines
          caused={row.caused}
          about={row.about}
          max={EFFECTS_SHOWN}
          href={href}
          only={only}
        />
      )}
    </li>
  )
}

const Call = ({ row }: { row: RequestRecord }) => {
  const [path, search] = formatPath(row).split('?')
  return (
    <>
      <span class="verb call">{row.method}</span>{' '}
      <code>
        {path}
        {search && <span class="quiet">?{search}</span>}
      </code>
    </>
  )
}

const Done = ({ row }: { row: ActionRecord }) => (
  <>
    <span class={`verb ${row.kind}`}>{row.status >= 400 ? 'Refused' : KIND_WORDS[row.kind]}</span>{' '}
    {row.title}
  </>
)

/** Notes that concern the caller, and not what decided where the contract says nothing. */
const Notes = ({ of: { notes } }: { of: RequestRecord }) => {
  const text = notes.filter((note) => !note.startsWith('assumption ')).join(' ')
  return text ? <p class="why">{text}</p> : null
}

const Why = ({ row }: { row: Row }) =>
  isCallRow(row) ? (
    <p class="why">
      {row.reason?.message} <Quiet text={row.reason?.hint ?? undefined} />
    </p>
  ) : (
    <p class="why">{row.problem}</p>
  )

interface LineProps {
  sort: ComponentChildren
  href: string
  title?: string | undefined
  what: ComponentChildren
  who?: ComponentChildren
  out?: ComponentChildren
}

const Line = ({ sort, href, title, what, who, out }: LineProps) => (
  <div class="cause-line">
    <span class="sort">{sort}</span>
    <a class="what" href={href} title={title}>
      {what}
    </a>
    {who && <span class="who">{who}</span>}
    <span class="out">{out}</span>
  </div>
)

const Who = ({ about, amount }: { about: Subject | undefined; amount: string }) => {
  const { user = null, transaction = null } = about ?? {}
  const text = transaction ? formatTrade(transaction) : amount
  return (
    <>
      {user && (
        <a href={urlOf(`users/${user.id}`)} title={user.email}>
          {user.name || user.email}
        </a>
      )}
      {text &&
        (transaction ? (
          <a class="sum" href={urlOf(`transactions/${transaction.id}`)}>
            {text}
          </a>
        ) : (
          <span class="sum">{text}</span>
        ))}
    </>
  )
}

/** `250.00 CAD → USDC-ETH`: what a quote or a refused call asked for. */
function amountOf(row: Row): string {
  if (!isCallRow(row)) return ''
  const asked = Object.fromEntries(new URL(row.url).searchParams)
  const body = (row.request.body ?? {}) as Record<string, unknown>
  const { leftSideValue, leftSideLabel, rightSideLabel } = { ...asked, ...body }
  if (!leftSideLabel || !rightSideLabel) return ''
  const number = Number(leftSideValue || Number.NaN)
  const value = Number.isFinite(number) ? `${formatCents(number)} ` : ''
  return `${value}${leftSideLabel} → ${rightSideLabel}`
}

/** Who and what a call or an action is about, with links. */
export const About = ({ row }: { row: Row }) =>
  row.about?.user ? <Card title="About" fields={aboutFields(row)} /> : null

export function aboutFields(row: Row) {
  const { user = null, transaction = null } = row.about ?? {}
  const amount = amountOf(row)
  return {
    User: user && <a href={urlOf(`users/${user.id}`)}>{user.email}</a>,
    Transaction: transaction ? (
      <a href={urlOf(`transactions/${transaction.id}`)}>{formatTrade(transaction)}</a>
    ) : (
      amount
    ),
  }
}

export const Effects = ({ row }: { row: Row }) => {
  const { caused } = row
  if (!caused || linesOf(caused, row.about).length === 0) return null
  return (
    <Card title="What it caused">
      <div class="causes flush">
        <div class="cause">
          <EffectLines caused={caused} about={row.about} max={EFFECTS_MAX} href="" />
        </div>
      </div>
    </Card>
  )
}

interface EffectsProps {
  caused: Caused
  about: Subject | undefined
  max: number
  /** Where the rest is. */
  href: string
  only?(ref: string): boolean
}

const EffectLines = ({ caused, about, max, href, only = () => true }: EffectsProps) => {
  const events = caused.events.filter(({ ref }) => only(ref))
  const deliveries = caused.deliveries.filter(({ ref }) => only(ref))
  const lines = linesOf({ ...caused, events, deliveries }, about)
  if (lines.length === 0) return null
  return (
    <ul class="effects">
      {lines.slice(0, max).map(({ key, isInner, ...line }) => (
        <li key={key} class={isInner ? 'effect inner' : 'effect'}>
          <Line {...line} />
        </li>
      ))}
      {lines.length > max && (
        <li class="effect quiet">
          <a href={href}>{`and ${plural(lines.length - max, 'more line')}`}</a>
        </li>
      )}
    </ul>
  )
}

type Effect = LineProps & { key: string; isInner?: boolean }

/** Each event with its webhooks below it, and then the messages. */
function linesOf({ events, deliveries, messages }: Caused, about: Subject | undefined): Effect[] {
  const sent = deliveries.filter(wasSent)
  const ids = new Set(events.map(({ id }) => id))
  const isForSeveral = events.some(({ integrator }) => integrator !== events[0]?.integrator)
  return [
    ...events.flatMap((event) => [
      { ...toEvent(event, about), out: isForSeveral && <Quiet text={event.integrator} /> },
      ...sent
        .filter(({ eventId }) => eventId === event.id)
        .map((row) => ({ ...toDelivery(row), isInner: true })),
    ]),
    ...sent
      .filter(({ eventId }) => !ids.has(eventId))
      .map((row) => toDelivery(row, `${formatDelivery(row)} `)),
    ...messages.map((message) => toMessage(message, about)),
  ]
}

function toEvent(
  { id, type, status, ref, payload }: EventRecord,
  about: Subject | undefined,
): Effect {
  const isSame = ref === (about?.transaction ?? about?.user)?.id
  return {
    key: id,
    sort: 'event',
    href: urlOf(`events/${id}`),
    title: id,
    what: (
      <>
        {`${type} `}
        <Badge status={status} />
      </>
    ),
    who: isSame ? undefined : payload.email,
  }
}

/** A webhook that is not below its event says what it is about. */
function toDelivery(delivery: DeliveryRecord, about = ''): Effect {
  const { id, url, reason, generation, hook } = delivery
  const problem = problemOf(delivery)
  // A receiver inside this sandbox is named by its path alone.
  const base = `${location.origin}${world.prefix}/`
  const place = url?.startsWith(base)
    ? url.slice(base.length - 1)
    : url?.replace(/^https?:\/\//, '')
  return {
    key: id,
    sort: 'webhook',
    href: urlOf(`webhooks/${id}`),
    title: url ?? undefined,
    what: (
      <>
        <Tags of={delivery} />
        {`${about}→ ${place ?? reason}${generation === 'v1' && !about ? ` v1 ${hook}` : ''}`}
      </>
    ),
    who: problem && <span class="bad">{problem}</span>,
    out: (
      <>
        <Quiet text={formatTook(delivery)} />
        <ShortOutcome of={delivery} />
      </>
    ),
  }
}

const toMessage = (
  { id, subject, to, code, kind }: MessageRecord,
  about: Subject | undefined,
): Effect => ({
  key: id,
  sort: 'message',
  href: urlOf(`inbox/${id}`),
  title: kind,
  what: subject,
  who: to === about?.user?.email ? undefined : to,
  out: code && <code>{code}</code>,
})
