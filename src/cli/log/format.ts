import type {
  ActionRecord,
  DeliveryRecord,
  MessageRecord,
  RequestRecord,
} from '../../http/control/wire.ts'
import {
  type Colour,
  formatPieces,
  type Piece,
  type Terminal,
  toPrintable,
  toSafeJson,
} from '../terminal.ts'

export const LOG_LEVELS = ['all', 'errors', 'off'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Something that happened in a world, as the control API shows it. */
export type LogSubject =
  | { kind: 'request'; row: RequestRecord }
  | { kind: 'delivery'; row: DeliveryRecord }
  | { kind: 'message'; row: MessageRecord }
  | { kind: 'action'; row: ActionRecord }
  | { kind: 'clock'; row: { now: string; mode: string } }
  | { kind: 'reset'; row: { fixture: string } }
  | { kind: 'v1' | 'chain'; row: { sentence: string } }

export interface LogEntry {
  world: string
  /** Wall time. */
  at: number
  subject: LogSubject
  /** World time in ms, where it is known. */
  now?: number | undefined
  emailOf?: ((userId: string) => string | undefined) | undefined
}

const HARMLESS: readonly string[] = ['pending', 'delivered', 'suppressed']

/** Whether somebody has to look at it: a rejected call, a webhook that was not acknowledged. */
export function isError({ kind, row }: { kind: string; row: object }): boolean {
  const {
    status = 200,
    outcome = '',
    problem = null,
  } = row as {
    status?: number
    outcome?: string
    problem?: unknown
  }
  if (kind === 'request') return status >= 400 || status === 0
  if (kind === 'delivery') return !HARMLESS.includes(outcome)
  return kind === 'v1' || kind === 'chain' || (kind === 'action' && problem !== null)
}

/** The world time at which it happened. */
export function timeOf({ kind, row }: LogSubject): number | undefined {
  if (kind === 'request' || kind === 'action') return Date.parse(row.at)
  if (kind === 'delivery') return Date.parse(row.occurredAt)
  if (kind === 'message') return Date.parse(row.sentAt)
  return kind === 'clock' ? Date.parse(row.now) : undefined
}

interface Described {
  /** What the control API knows it by, such as `req_7`. */
  id?: string
  what: Piece
  status?: Piece
  ms?: number | null
  rest?: readonly Piece[]
  problem?: string
}

const WHAT_WIDTH = 30
const ID_WIDTH = 7
/** World time and wall time are one while they are as near as this. */
const SAME_MS = 2_000
const COLUMNS_DEFAULT = 100

/** A line for people, and below it why something failed. */
export function formatEntry(entry: LogEntry, terminal: Terminal): string {
  const { id = '', what, status = '', ms, rest = [], problem } = describe(entry)
  const world: Piece[] = entry.world === 'default' ? [] : [['cyan', `[${entry.world}] `]]
  const time = formatTime(entry)
  const [colour, text] = typeof what === 'string' ? ['bold' as Colour, what] : what
  const pieces: Piece[] = [
    ['dim', `${time}  ${id.padEnd(ID_WIDTH)}  `],
    ...world,
    [colour, text.padEnd(WHAT_WIDTH)],
    '  ',
    pad(status, 9),
    [
      'dim',
      (ms == null ? '' : `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`).padStart(8),
    ],
    ...rest.flatMap((piece): Piece[] => ['  ', piece]),
  ]
  const isWhole = entry.subject.kind === 'v1' || entry.subject.kind === 'chain'
  const line = formatPieces(pieces, isWhole ? { ...terminal, columns: () => undefined } : terminal)
  return problem ? `${line.trimEnd()}\n${wrap(problem, time.length + 2, terminal)}` : line.trimEnd()
}

const pad = (piece: Piece, width: number): Piece =>
  typeof piece === 'string' ? piece.padEnd(width) : [piece[0], piece[1].padEnd(width)]

/** World time, and beside it wall time where that is another one. */
function formatTime({ at, now, subject }: LogEntry): string {
  const wall = new Date(at).toTimeString().slice(0, 8)
  const world = now ?? timeOf(subject)
  if (world === undefined || Math.abs(world - at) < SAME_MS) return wall
  return `${new Date(world).toISOString().slice(0, 19).replace('T', ' ')}Z (${wall})`
}

/** A long text below its line, each part with the same indent. */
function wrap(text: string, indent: number, terminal: Terminal): string {
  const { isColoured } = terminal
  const width = Math.max(40, (terminal.columns() ?? COLUMNS_DEFAULT) - indent)
  const lines: string[] = []
  let line = ''
  for (const word of toPrintable(text).split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  const uncut: Terminal = { isColoured, columns: () => undefined }
  return [...lines, line]
    .map((each) => `${' '.repeat(indent)}${formatPieces([['yellow', each]], uncut)}`)
    .join('\n')
}

function describe(entry: LogEntry): Described {
  const { subject } = entry
  switch (subject.kind) {
    case 'request':
      return describeCall(subject.row, entry)
    case 'delivery':
      return describeWebhook(subject.row)
    case 'message': {
      const { subject: title, code, to } = subject.row
      const isNew = code !== undefined && !title.includes(code)
      return { what: ['cyan', `✉ ${title}`], rest: isNew ? [to, code] : [to] }
    }
    case 'action':
      return describeAction(subject.row)
    case 'clock':
      return { what: ['cyan', `clock ${subject.row.now}, ${subject.row.mode}`] }
    case 'reset':
      return { what: ['cyan', `reset to the fixture ${subject.row.fixture}`] }
    default:
      return { what: ['yellow', subject.row.sentence] }
  }
}

const PROBLEMS_SHOWN_MAX = 3

function describeCall(record: RequestRecord, { emailOf }: LogEntry): Described {
  const { id, method, status, durationMs, notes, userId } = record
  const [path = '', query] = pathOf(record.url).split('?')
  const trade = describeTrade(record)
  const shown = trade || !query ? path : `${path}?${query}`
  const fault = notes.find((note) => note.startsWith('fault '))
  const { email } = toFields(record.request.body)
  const who = (userId && emailOf?.(userId)) ?? (typeof email === 'string' ? email : undefined)
  const problem = [fault, formatReason(record)].filter(Boolean).join('. ')
  return {
    id,
    what: `${method} ${shorten(shown)}`,
    status: [colourOf(status), String(status || 'no answer')],
    ms: durationMs,
    rest: [trade, who].flatMap((text) => (text ? [text] : [])),
    ...(problem !== '' && { problem }),
  }
}

function formatReason({ reason, problems }: RequestRecord): string {
  if (reason === null) return ''
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ message }) => message)
  const more = problems.length - shown.length
  const sentences = shown.length === 0 ? [reason.message] : shown
  const rest = more > 0 ? [`And ${more} more.`] : []
  return [...sentences, ...rest, reason.hint ?? ''].filter(Boolean).join(' ')
}

/** `buy 250 CAD → USDC-ETH`, of the body, the query or the transaction in the response. */
function describeTrade({ url, request, response }: RequestRecord): string | undefined {
  const query = url.includes('leftSideLabel=') && Object.fromEntries(new URL(url).searchParams)
  const found = toFields(toFields(response.body).data)
  const sent = toFields(request.body)
  const asked = query || (typeof found.leftSideLabel === 'string' ? found : sent)
  const { leftSideLabel, rightSideLabel, leftSideValue } = asked
  if (typeof leftSideLabel !== 'string' || typeof rightSideLabel !== 'string') return undefined
  const side = leftSideLabel === 'CAD' ? 'buy' : 'sell'
  return `${side} ${leftSideValue} ${leftSideLabel} → ${rightSideLabel}`
}

/** A webhook with the transaction it is about, and why it was not acknowledged. */
function describeWebhook(delivery: DeliveryRecord): Described {
  const { id, generation, hook, type, ref, status, outcome, url } = delivery
  const { reason, error, repeatOf, response, request, durationMs } = delivery
  const isSent = url !== null && outcome !== 'suppressed'
  const again = repeatOf === null ? '' : ' again'
  const what = `${generation === 'v1' ? `v1 ${hook}` : type} ${shortenStatus(status)}${again}`
  const about = [emailIn(request.body), shorten(ref)].filter(Boolean).join('  ')
  if (!isSent)
    return {
      id,
      what: ['dim', `· ${what}`],
      status: ['dim', 'not sent'],
      rest: [['dim', `${about}  ${reason ?? ''}`]],
    }
  const isDelivered = outcome === 'delivered'
  const [firstLine] = isDelivered ? [] : (response?.body ?? '').split('\n')
  const problem = [isDelivered ? null : error, reason, firstLine].filter(Boolean).join(' ')
  return {
    id,
    what: ['cyan', `→ ${what}`],
    status: [isDelivered ? 'green' : 'red', String(response?.status ?? outcome)],
    ms: durationMs,
    rest: [about, ['dim', url]],
    ...(problem !== '' && { problem }),
  }
}

/** v2 has an envelope around it. */
function emailIn(body: string): string {
  try {
    const { payload, ...bare } = JSON.parse(body)
    return String((payload ?? bare).email ?? '')
  } catch {
    return ''
  }
}

/** `simulate kyc alice@example.com  {"status":"rejected"}` */
function describeAction({
  id,
  operation,
  subject,
  input,
  status,
  problem,
}: ActionRecord): Described {
  const words = operation.replace(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  const isFailed = status >= 400
  return {
    id,
    what: [
      'cyan',
      `${words.replaceAll('-', ' ')}${subject === null ? '' : ` ${shorten(subject)}`}`,
    ],
    ...(isFailed && { status: [colourOf(status), String(status)] as Piece }),
    rest: input === null || input === '{}' ? [] : [['dim', input]],
    ...(problem !== null && { problem }),
  }
}

/** An entry as one line of JSON. Bodies are left out; the control API has them under the id. */
export const formatJsonEntry = (entry: LogEntry): string =>
  toSafeJson(JSON.stringify(presentEntry(entry)))

function presentEntry({ at, world, subject }: LogEntry): object {
  const { kind: event, row } = subject
  const when = { at: new Date(at).toISOString(), world }
  if (event === 'request') {
    const { request: _, response: __, url, ...rest } = row
    return { event, ...rest, ...when, path: pathOf(url) }
  }
  if (event === 'delivery') {
    const { request: _, response, ...rest } = row
    return { event, ...rest, ...when, answered: response?.status ?? null }
  }
  return { event, ...row, ...when }
}

/** Path and query of a call, below its world. */
function pathOf(url: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return path.replace(/^\/w\/[^/?]*/, '') || '/'
}

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const colourOf = (status: number): Colour =>
  status >= 500 || status === 0 ? 'red' : status >= 400 ? 'yellow' : 'green'

/** Ids are long, and differ in their beginning. */
const shorten = (text: string) =>
  text.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1…')

export const shortenStatus = (status: string) => status.replace(' request money transfer', '')
