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
  Outcome,
  problemOf,
  Tags,
  wasSent,
} from './words.tsx'

const EFFECTS_SHOWN = 10
const EFFECTS_MAX = 200
const RESTORE = 'restoreSnapshot'

type Row = RequestRecord | ActionRecord
type Subject = NonNullable<Row['about']>

export const KIND_WORDS: Record<ActionRecord['kind'], string> = {
  simulation: 'Simulated',
  clock: 'Clock',
  change: 'Changed',
  task: 'Scheduled',
}

const isCallRow = (row: Row): row is RequestRecord => 'method' in row
/** True if a call or an action was refused, or a call got no response. */
export const hasFailed = (row: Row): boolean => (isCallRow(row) ? row.failed : row.status >= 400)
export const isCall = ({ row }: TimelineEntry): boolean => isCallRow(row)

interface EntryListProps {
  entries: readonly TimelineEntry[]
  /** Leaves out who they are about, which the page says. */
  isKnown?: boolean
  /** Leaves out effects that are about somebody else. */
  only?(ref: string): boolean
}

export const EntryList = ({ entries, isKnown = false, only = ALL }: EntryListProps) => (
  <ol class="causes flush">
    {entries.map(({ row }) => (
      <Entry key={row.id} row={row} isKnown={isKnown} only={only} />
    ))}
  </ol>
)

type EntryProps = Required<Pick<EntryListProps, 'isKnown' | 'only'>> & { row: Row }

const Entry = ({ row, isKnown, only }: EntryProps) => {
  const call = isCallRow(row) ? row : undefined
  const isRefused = row.status >= 400
  const href = urlOf(`${call ? 'requests' : 'actions'}/${row.id}`)
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
  // Notes that concern the caller, and not what decided where the contract says nothing.
  const isDecided = (note: string) => note.includes(' Decided by the setting ')
  const notes = call?.notes.filter((note) => !isDecided(note)).join(' ')
  return (
    <li id={`entry-${row.id}`} class="cause">
      <Line
        sort={<Time at={row.at} short />}
        href={href}
        // What is cut off is in the tooltip.
        title={isCallRow(row) ? formatCall(row) : row.title}
        what={isCallRow(row) ? <Call row={row} /> : <Done row={row} />}
        who={!isKnown && <Who about={row.about} amount={amountOf(row)} />}
        out={
          <>
            <Quiet text={call && formatTook(call)} />
            {(call || isRefused) && <HttpStatus {...row} />}
          </>
        }
      />
      {isRefused && (
        <p class="why">
          {isCallRow(row) ? row.reason?.message : row.problem}{' '}
          <Quiet text={call?.reason?.hint ?? undefined} />
        </p>
      )}
      {notes && <p class="why">{notes}</p>}
      <EffectLines row={row} max={EFFECTS_SHOWN} href={href} only={only} />
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

const Done = ({ row }: { row: ActionRecord }) => {
  const verb = row.status >= 400 ? 'Refused' : KIND_WORDS[row.kind]
  return (
    <>
      <span class={`verb ${row.kind}`}>{verb}</span>{' '}
      {row.title.startsWith(`${verb} `) ? row.title.slice(verb.length + 1) : row.title}
    </>
  )
}

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
  return (
    <>
      {user && (
        <a href={urlOf(`users/${user.id}`)} title={user.email}>
          {user.name || user.email}
        </a>
      )}
      {transaction ? (
        <a class="sum" href={urlOf(`transactions/${transaction.id}`)}>
          {formatTrade(transaction)}
        </a>
      ) : (
        amount && <span class="sum">{amount}</span>
      )}
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
export function aboutFields(row: Row) {
  const { user = null, transaction = null } = row.about ?? {}
  return {
    User: user && <a href={urlOf(`users/${user.id}`)}>{user.email}</a>,
    Transaction: transaction ? (
      <a href={urlOf(`transactions/${transaction.id}`)}>{formatTrade(transaction)}</a>
    ) : (
      amountOf(row)
    ),
  }
}

export const Effects = ({ row }: { row: Row }) =>
  linesOf(row, ALL).length === 0 ? null : (
    <Card title="What it caused">
      <div class="causes flush">
        <div class="cause">
          <EffectLines row={row} max={EFFECTS_MAX} href="" only={ALL} />
        </div>
      </div>
    </Card>
  )

const ALL = () => true

interface EffectsProps {
  row: Row
  max: number
  /** Page that shows the rest. */
  href: string
  only(ref: string): boolean
}

const EffectLines = ({ row, max, href, only }: EffectsProps) => {
  const lines = linesOf(row, only)
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
function linesOf({ caused, about }: Row, only: (ref: string) => boolean): Effect[] {
  if (!caused) return []
  const events = caused.events.filter(({ ref }) => only(ref))
  const sent = caused.deliveries.filter((row) => only(row.ref) && wasSent(row))
  const messages = caused.messages.filter(({ ref }) => ref === null || only(ref))
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
        <Outcome of={delivery} isShort />
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
