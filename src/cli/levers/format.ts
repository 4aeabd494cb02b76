import type { LeverName } from '../../http/control/routes.ts'
import type {
  ClockState,
  DeliveryRecord,
  DueTask,
  EventRecord,
  Happened,
  RequestRecord,
  TransactionMoved,
  TransactionRecord,
  UserRecord,
  Wire,
} from '../../http/control/wire.ts'
import { formatEntry, type LogSubject } from '../log-format.ts'
import { describeTerminal } from '../terminal.ts'

type Options = Readonly<Record<string, unknown>>
type Formats = {
  [Name in LeverName]?: (response: Wire[Name]['response'], options: Options) => string
}

export function formatResponse(as: LeverName, response: unknown, options: Options): string {
  return (FORMATS[as] ?? formatFields)(response as never, options)
}

const formatEvent = ({ at, type, ref, status }: EventRecord) => `${at}  ${type} ${ref}: ${status}`

const formatTask = ({ at, kind, ref }: DueTask) => `  ${at}  ${kind} ${ref}`

/** Deliveries, calls and messages are shown as the log shows them. */
function formatLog(subject: LogSubject): string {
  const terminal = { ...describeTerminal(process.stdout), isColoured: false }
  return formatEntry({ world: 'default', subject }, terminal)
}

const formatDelivery = (row: DeliveryRecord) => formatLog({ kind: 'delivery', row })

const formatUser = ({ id, email, status }: UserRecord) => `${id}: ${email}, ${status}`

const formatPending = (count: number) => (count > 0 ? `${count} webhooks are still in flight` : '')

/** Responses for people. One without a row here is shown field by field. */
const FORMATS: Formats = {
  reset: ({ world, fixture, seed, now, mode }) =>
    `${world}: fixture ${fixture}, seed ${seed}, ${now}, ${mode}`,
  'clock.read': formatClock,
  'clock.freeze': formatClock,
  'clock.resume': formatClock,
  'clock.advance': ({ from, to, fired, firedCount, ...happened }) => {
    const tasks = [...fired.map(formatTask), more(firedCount - fired.length, '')]
    return withHappened(lines([`${from} → ${to}`, ...tasks]), happened)
  },
  buy: ({ transaction, ...happened }) => withHappened(formatTransaction(transaction), happened),
  sell: ({ transaction, ...happened }) => withHappened(formatTransaction(transaction), happened),
  'simulate.kyc': ({ userId, from, to, due, ...happened }) =>
    due ? `${userId}: ${to} at ${due}` : withHappened(`${userId}: ${from} → ${to}`, happened),
  'simulate.shareToken': ({ shareToken }) => shareToken,
  'simulate.fundsReceived': formatMoved,
  'simulate.settled': formatMoved,
  'simulate.bankRefused': formatMoved,
  'simulate.expired': formatMoved,
  'simulate.cancelled': formatMoved,
  'simulate.status': formatMoved,
  'users.add': ({ user, ...happened }) => withHappened(formatUser(user), happened),
  'users.list': ({ items }) => lines(items.map(formatUser)),
  'transactions.list': ({ items }) => lines(items.map(formatTransaction)),
  'inbox.read': ({ messages }, { code }) =>
    code
      ? (messages.at(-1)?.code ?? '')
      : lines(messages.map(({ sentAt, to, text }) => `${sentAt}  ${to}  ${text}`)),
  'events.read': ({ events }) => lines(events.map(formatEvent)),
  'webhooks.deliveries': ({ deliveries }) => lines(deliveries.map(formatDelivery)),
  'webhooks.resend': formatDelivery,
  'webhooks.test': formatDelivery,
  'webhooks.drain': ({ pending }) => formatPending(pending) || 'No webhook is in flight.',
  'requests.get': formatRequest,
  'chain.networks': (response) =>
    response.networks.length > 0 ? formatFields(response) : 'No chain (start --chain URL).',
}

/** A line for each field, and for each record of a list. */
function formatFields(response: object): string {
  const fields = Object.entries(response)
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  return lines(
    fields.flatMap(([name, value]) => {
      if (name === 'total') return []
      if (name === 'items') return value.map(formatRecord)
      const isList = Array.isArray(value) && typeof value[0] === 'object'
      if (!isList) return `${name.padEnd(width)}  ${show(value)}`
      return [name, ...value.map((row) => `  ${formatRecord(row)}`)]
    }),
  )
}

const formatRecord = (row: object) =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${show(value)}`)
    .join(', ')

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const TASKS_SHOWN_MAX = 10

function formatClock({ now, mode, tasks, taskCount }: ClockState): string {
  const shown = tasks.slice(0, TASKS_SHOWN_MAX).map(formatTask)
  return lines([`${now}, ${mode}`, ...shown, more(taskCount - shown.length, '')])
}

function formatMoved({ transactionId, from, to, ...happened }: TransactionMoved): string {
  const move = from === to ? `stays ${to}; inbox shows what the user was sent` : `${from} → ${to}`
  return withHappened(`${transactionId}: ${move}`, happened)
}

function formatTransaction(transaction: TransactionRecord): string {
  const { id, side, status, leftSideLabel, leftSideValue } = transaction
  const { rightSideLabel, rightSideValue, email } = transaction
  const trade = `${leftSideValue} ${leftSideLabel} → ${rightSideValue} ${rightSideLabel}`
  return `${id}: ${side} ${trade}, ${email}, ${status}`
}

function withHappened(head: string, happened: Partial<Happened>): string {
  const { deliveries = [], deliveryCount = 0, pending = 0 } = happened
  return lines([
    head,
    ...deliveries.map(formatDelivery),
    more(deliveryCount - deliveries.length, ' webhooks'),
    formatPending(pending),
  ])
}

/** Why a call was refused, what would work, and what it caused. */
function formatRequest(row: RequestRecord): string {
  const { reason, notes, caused } = row
  return lines([
    formatLog({ kind: 'request', row }),
    reason ? '' : 'It was not refused.',
    reason?.rule ? `contract: ${reason.rule}` : '',
    reason?.nearest ? `nearest: ${reason.nearest}` : '',
    ...notes.map((note) => `note: ${note}`),
    ...(caused?.events ?? []).map((event) => `caused: ${formatEvent(event)}`),
    ...(caused?.messages ?? []).map(({ subject, to }) => `caused: ${subject} to ${to}`),
    ...(caused?.deliveries ?? []).map(formatDelivery),
  ])
}

const more = (count: number, what: string) => (count > 0 ? `  and ${count} more${what}` : '')

const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n')
