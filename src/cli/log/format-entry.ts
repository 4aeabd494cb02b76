import type { CallProblem, CallRecord } from '../../engine/request-journal.ts'
import type { Action } from '../../engine/timeline.ts'
import { withoutCredentials } from '../../http/control/requests.ts'
import type { Services } from '../../http/services.ts'
import { formatInstant } from '../../world/duration.ts'
import { fromMicros } from '../../world/money.ts'
import type { Message } from '../../world/state.ts'
import type { Piece, Terminal } from '../terminal.ts'
import { describeWebhook } from './describe-webhook.ts'
import { emailOf, type LogEntry, pathOf, toFields } from './entry.ts'
import { colourOf, type Described, formatElapsed, formatLine } from './line.ts'

/** So that the statuses of most calls stand below each other. */
const CALL_WIDTH = 28
const PROBLEMS_SHOWN_MAX = 3

/** An entry for people: a line, and below it why something failed. */
export function formatEntry({ at, services, subject }: LogEntry, terminal: Terminal): string {
  const described = describe(services, subject)
  const world: Piece[] = services.name === 'default' ? [] : [['cyan', `[${services.name}] `]]
  return formatLine({ ...described, pieces: [...world, ...described.pieces] }, at, terminal)
}

function describe(services: Services, subject: LogEntry['subject']): Described {
  switch (subject.kind) {
    case 'request':
      return describeCall(services, subject.row)
    case 'delivery':
      return describeWebhook(subject.row, subject.row.event.payload)
    case 'message':
      return { pieces: describeMessage(subject.row) }
    case 'action':
      return describeAction(subject.row)
    case 'clock': {
      const { now, mode } = subject.row
      return { pieces: [['cyan', `clock ${formatInstant(now)}, ${mode}`]] }
    }
    case 'reset':
      return { pieces: [['cyan', `reset to the fixture ${subject.row.fixture}`]] }
    case 'chain':
      return { pieces: [['yellow', `chain: ${subject.row.sentence}`]], isWhole: true }
    case 'v1':
      return { pieces: [['yellow', subject.row.sentence]], isWhole: true }
  }
}

function describeCall(services: Services, record: CallRecord): Described {
  const { method, status, durationMs, problem, notes } = record
  const [path = '', query] = withoutCredentials(pathOf(record.url)).split('?')
  const trade = describeTrade(services, record)
  const shown = trade || !query ? path : `${path}?${query}`
  const fault = notes.find((note) => note.startsWith('fault '))
  return {
    pieces: [
      ['bold', `${method} ${shorten(shown)}`.padEnd(CALL_WIDTH)],
      [colourOf(status), `  ${status || 'no answer'}`],
      ['dim', formatElapsed(durationMs)],
      ...[trade, emailOf(services, record)].flatMap((text) => (text ? [`  ${text}`] : [])),
    ],
    problem: [fault, problem && formatProblem(problem)].filter(Boolean).join('. '),
  }
}

/** `buy 250 CAD → USDC-ETH`, of the body, the query or the transaction that a call names. */
function describeTrade({ world }: Services, { url, body }: CallRecord): string | undefined {
  const [, id = ''] = /\/transactions?\/([\w-]+)/.exec(url) ?? []
  const transaction = world.transactionsById.get(id)
  const query = url.includes('leftSideLabel=') && Object.fromEntries(new URL(url).searchParams)
  const asked = query || toFields(body)
  const { leftSideLabel, rightSideLabel } = transaction ?? asked
  if (typeof leftSideLabel !== 'string' || typeof rightSideLabel !== 'string') return undefined
  const value = transaction ? fromMicros(transaction.leftSide) : asked.leftSideValue
  const side = leftSideLabel === 'CAD' ? 'buy' : 'sell'
  return `${side} ${value} ${leftSideLabel} → ${rightSideLabel}`
}

function formatProblem({ message, problems, detail }: CallProblem): string {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => problem.message)
  const more = problems.length - shown.length
  const sentences = shown.length === 0 ? [message] : shown
  const rest = more > 0 ? [`And ${more} more.`] : []
  return [...sentences, ...rest, detail.hint ?? ''].filter(Boolean).join(' ')
}

function describeMessage({ subject, code, to }: Message): Piece[] {
  const isNew = code !== null && !subject.includes(code)
  return [['cyan', `✉ ${subject}`], `  ${to}`, ...(isNew ? [`  ${code}`] : [])]
}

/** `simulate kyc alice@example.com  {"status":"rejected"}` */
function describeAction({ operation, subject, input, status, problem }: Action): Described {
  const words = operation.replace(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  const isFailed = status >= 400
  return {
    pieces: [
      ['cyan', words.replaceAll('-', ' ')],
      subject === null ? '' : ` ${shorten(subject)}`,
      [colourOf(status), isFailed ? `  ${status}` : ''],
      ['dim', input === null || input === '{}' ? '' : `  ${input}`],
    ],
    problem: problem ?? undefined,
  }
}

/** Ids are long, and differ in their beginning. */
const shorten = (text: string) =>
  text.replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '$1…')
