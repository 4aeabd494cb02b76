import { payloadIn } from '../control-api/deliveries.ts'
import type { ActionRecord, DeliveryRecord, RequestRecord } from '../control-api/wire.ts'
import { nameFixture } from '../control-api/worlds.ts'
import { describeRefusal } from '../host/failure-summary.ts'
import { type LogEntry, type LogSubject, timeOf } from '../host/log.ts'
import { describeMutated, isBadAttempt, nameOutcome } from '../webhooks/delivery.ts'
import { toClause } from '../world/clause.ts'
import { type Colour, formatPieces, type Piece, type Terminal, toSafeJson } from './terminal.ts'

interface Described {
  what: Piece
  status?: Piece
  ms?: number | null
  rest?: readonly Piece[]
  problem?: string
}

const WHAT_WIDTH = 30
const ID_WIDTH = 7
const STATUS_WIDTH = 8
const TOOK_WIDTH = 7
/** Below this difference, world time and wall time count as the same. */
const SAME_MS = 2_000

/** A line for people, which ends with why something failed or might be a mistake. */
export function formatEntry(entry: LogEntry, terminal: Terminal): string {
  const { kind, row } = entry.subject
  const { what, status = '', ms, rest = [], problem } = describe(entry)
  const time = formatTime(entry)
  // The id of a message is left out, because no command takes it.
  const id = 'id' in row && kind !== 'message' ? row.id : ''
  const world: Piece[] = entry.world === 'default' ? [] : [['cyan', `[${entry.world}]`]]
  const took = ms == null ? '' : `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  const pieces: Piece[] = [
    ['dim', `${time}  ${id.padEnd(ID_WIDTH)}`],
    ...world,
    pad(what, WHAT_WIDTH),
    pad(status, STATUS_WIDTH),
    ['dim', took.padStart(TOOK_WIDTH)],
    ...rest,
    ['yellow', problem ?? ''],
  ]
  return formatPieces(pieces, terminal)
}

const pad = (piece: Piece, width: number): Piece =>
  typeof piece === 'string' ? piece.padEnd(width) : [piece[0], piece[1].padEnd(width)]

/** World time, followed by wall time if that is known and differs. */
function formatTime({ at, now, subject }: LogEntry): string {
  const wall = at === undefined ? '' : new Date(at).toTimeString().slice(0, 8)
  const world = now ?? timeOf(subject) ?? at ?? 0
  if (wall && Math.abs(world - (at ?? 0)) < SAME_MS) return wall
  const text = `${new Date(world).toISOString().slice(0, 19).replace('T', ' ')}Z`
  return wall ? `${text} (${wall})` : text
}

function describe({ subject, isRepeated = false }: LogEntry): Described {
  const { kind, row } = subject
  switch (kind) {
    case 'request':
      return describeCall(row)
    case 'delivery':
      return describeWebhook(row, isRepeated)
    case 'message': {
      const isNew = row.code !== undefined && !row.subject.includes(row.code)
      return {
        what: ['cyan', `✉ ${row.subject}`],
        rest: isNew ? [row.to, row.code ?? ''] : [row.to],
      }
    }
    case 'action':
      return describeAction(row)
    case 'reset':
      return { what: ['cyan', `world reset or restored (${nameFixture(row.fixture)})`] }
    case 'lost':
      return { what: ['yellow', 'this reader was too slow, and missed some entries'] }
  }
}

function describeCall(record: RequestRecord): Described {
  const { method, status, request } = record
  const [path = '', query] = pathOf(record.url).split('?')
  const trade = describeTrade(record)
  const shown = trade || !query ? path : `${path}?${query}`
  const who = record.email ?? toFields(request.body).email
  return {
    what: ['bold', `${method} ${shorten(shown)}`],
    status: [colourOf(status), String(status || 'no response')],
    ms: record.durationMs,
    rest: [trade, who].filter((text) => typeof text === 'string'),
    problem: describeRefusal(record),
  }
}

/** `buy 250 CAD → USDC-ETH`, of the query, the transaction in the response, or the body. */
function describeTrade({ url, request, response }: RequestRecord): string | undefined {
  const { data } = toFields(response.body)
  const all = [
    Object.fromEntries(new URL(url).searchParams),
    toFields(data),
    toFields(request.body),
  ]
  const { leftSideLabel, rightSideLabel, leftSideValue } =
    all.find((fields) => typeof fields.leftSideLabel === 'string') ?? {}
  if (typeof rightSideLabel !== 'string') return undefined
  const side = leftSideLabel === 'CAD' ? 'buy' : 'sell'
  return `${side} ${leftSideValue} ${leftSideLabel} → ${rightSideLabel}`
}

const REPEATED =
  'was delivered before: a receiver that deduplicates ignores it. A reset with another seed gives new ids.'

/** A webhook with the transaction it is about, and why it was not acknowledged. */
function describeWebhook(delivery: DeliveryRecord, isRepeated: boolean): Described {
  const { generation, hook, type, ref, outcome, url, reason, response } = delivery
  const again = delivery.repeatOf === null ? '' : ' (repeat)'
  const name = generation === 'v1' ? `v1 ${hook}` : type
  const what = `${name} ${delivery.status}${again}`
  const about = [emailIn(delivery.request.body), shorten(ref)].filter(Boolean)
  if (url === null || outcome === 'suppressed') {
    const rest = [...about, reason ?? ''].map((text) => ['dim', text] as const)
    return { what: ['dim', `· ${what}`], status: ['dim', 'not sent'], rest }
  }
  const { mutation, verdict, problem } = delivery
  return {
    what: ['cyan', `→ ${what}`],
    status: [
      isBadAttempt(delivery) ? 'red' : 'green',
      String(response?.status ?? nameOutcome(outcome)),
    ],
    ms: delivery.durationMs,
    rest: [...about, ['dim', url]],
    problem: [
      reason,
      mutation && (verdict ?? describeMutated(mutation, delivery)),
      problem?.message !== reason && mutation === null && problem?.message,
      problem?.hint,
      isRepeated && `${delivery.eventId} ${REPEATED}`,
    ]
      .filter(Boolean)
      .join(' '),
  }
}

const emailIn = (body: string): string => String(payloadIn(body).email ?? '')

/** `Identity check: rejected  alice@example.com  {"status":"rejected"}` */
function describeAction({ kind, title, subject, input, ...ended }: ActionRecord): Described {
  const { status, problem, until } = ended
  return {
    what: ['cyan', status >= 400 ? `Refused: ${toClause(title)}` : shorten(title)],
    status: status >= 400 ? [colourOf(status), String(status)] : '',
    rest: [
      ...(subject === null || title.includes(subject) ? [] : [shorten(subject)]),
      ...(input === null || input === '{}' ? [] : [['dim', input] as const]),
      ...(kind === 'clock' && status < 400 && !title.includes(until) ? [`→ ${until}`] : []),
    ],
    problem: problem ?? '',
  }
}

/** An entry as one line of JSON. Bodies are left out; the control API has them under the id. */
export function formatJsonEntry({ at, world, subject, isRepeated }: LogEntry): string {
  const when = { at: new Date(at ?? timeOf(subject) ?? 0).toISOString(), world }
  const known = isRepeated ? { deliveredBefore: true } : {}
  const line = { event: subject.kind, ...withoutBodies(subject), ...known, ...when }
  return toSafeJson(JSON.stringify(line))
}

function withoutBodies({ kind, row }: LogSubject): object {
  if (kind === 'request') {
    const { request: _, response: __, url, ...rest } = row
    return { ...rest, path: pathOf(url) }
  }
  if (kind !== 'delivery') return row
  const { request: _, response, ...rest } = row
  return { ...rest, responseStatus: response?.status ?? null }
}

/** Path and query of a call, below its world. */
function pathOf(url: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return path.replace(/^\/w\/[^/?]*/, '') || '/'
}

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function colourOf(status: number): Colour {
  if (status >= 500 || status === 0) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** Keeps the first digits of each id, which are enough to tell ids apart. */
const shorten = (text: string) =>
  text.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1…')
