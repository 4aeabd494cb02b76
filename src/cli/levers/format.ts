import type { LeverName } from '../../http/control/routes.ts'
import type {
  ChainStatus,
  ClockState,
  DeliveryRecord,
  DueTask,
  FaultRecord,
  Happened,
  RequestRecord,
  TransactionMoved,
  TransactionRecord,
  UserRecord,
  Wire,
} from '../../http/control/wire.ts'
import { shortenStatus } from '../log-format.ts'

const TASKS_SHOWN_MAX = 10

type Options = Readonly<Record<string, unknown>>
type Formats = {
  [Name in LeverName]?: (answer: Wire[Name]['answer'], options: Options) => string
}

/** Answers for people. One without a row here is shown field by field. */
const FORMATS: Formats = {
  health: ({ status, version }) => `${status}, version ${version}`,
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
  'events.read': ({ events }) =>
    lines(events.map(({ at, type, ref, status }) => `${at}  ${type} ${ref}: ${status}`)),
  'webhooks.deliveries': ({ deliveries }) => lines(deliveries.map(formatDelivery)),
  'webhooks.resend': formatDelivery,
  'webhooks.test': formatDelivery,
  'webhooks.drain': ({ pending }) => formatPending(pending) || 'No webhook is in flight.',
  'webhooks.settings': ({ integrators }) => lines(integrators.map(formatSettings)),
  'webhooks.set': formatSettings,
  'faults.list': ({ items }) => lines(items.map(formatFault)),
  'faults.add': formatFault,
  'snapshots.list': ({ items }) => lines(items.map(({ name, at }) => `${name}  ${at}`)),
  'requests.get': formatRequest,
  'chain.networks': formatChain,
  'chain.scan': formatChain,
  'chain.send': ({ amount, coin, to, hash }) => `${amount} ${coin} to ${to}: ${hash}`,
  'chain.balances': ({ balances }) =>
    lines(balances.map(({ amount, coin, network }) => `${amount} ${coin} on ${network}`)),
}

export function formatAnswer(as: LeverName, answer: unknown, options: Options): string {
  return (FORMATS[as] ?? formatFields)(answer as never, options)
}

/** A line for each field, what is inside one as JSON. */
function formatFields(answer: object): string {
  const rows = Object.entries(answer)
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`).join('\n')
}

function formatClock({ now, mode, tasks, taskCount }: ClockState): string {
  const shown = tasks.slice(0, TASKS_SHOWN_MAX).map(formatTask)
  return lines([`${now}, ${mode}`, ...shown, more(taskCount - shown.length, '')])
}

function formatMoved({ transactionId, from, to, ...happened }: TransactionMoved): string {
  const move = from === to ? `stays ${to}; inbox shows what the user was sent` : `${from} → ${to}`
  return withHappened(`${transactionId}: ${move}`, happened)
}

const formatUser = ({ id, email, status }: UserRecord) => `${id}: ${email}, ${status}`

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
    ...deliveries.map((delivery) => `  ${formatDelivery(delivery)}`),
    more(deliveryCount - deliveries.length, ' webhooks'),
    pending > 0 ? `  ${formatPending(pending)}` : '',
  ])
}

function formatSettings({ integrator, url, signingSecret }: Wire['webhooks.set']['answer']) {
  const signed = signingSecret ? `signed with ${signingSecret}` : 'webhook set URL makes a secret'
  return `${integrator}: ${url ?? 'nowhere'}, ${signed}`
}

const formatPending = (count: number) => (count > 0 ? `${count} webhooks are still in flight` : '')

function formatDelivery(delivery: DeliveryRecord): string {
  const { id, type, ref, status, generation, hook, url, outcome } = delivery
  const { response, error, reason, repeatOf } = delivery
  const what = `${id}  ${hook ?? type} ${shortenStatus(status)} of ${ref} (${generation})`
  const how = response ? `${outcome} ${response.status}` : outcome
  const reasons = [response ? null : error, reason, repeatOf && `It repeats ${repeatOf}.`]
  const why = reasons.filter(Boolean).join(' ')
  return `${what} → ${url ?? 'nowhere'}: ${how}${why && `: ${why}`}`
}

function formatFault({ id, on, match, then, times, hits }: FaultRecord): string {
  const which = Object.keys(match).length === 0 ? 'any' : JSON.stringify(match)
  return `${id}: ${on} ${which} → ${JSON.stringify(then)}, applied ${hits} of ${times} times`
}

/** Why a call was refused, what would work, and what it caused. */
function formatRequest(request: RequestRecord): string {
  const { id, at, method, url, status, reason, problems, notes, caused } = request
  const others = problems.length > 1 ? problems.map(({ message }) => `  ${message}`) : []
  const effects = [
    ...(caused?.events ?? []).map(({ type, ref, status: to }) => `${type} ${ref}: ${to}`),
    ...(caused?.messages ?? []).map(({ subject, to }) => `${subject} to ${to}`),
    ...(caused?.deliveries ?? []).map(formatDelivery),
  ]
  return lines([
    `${id}  ${at}  ${method} ${url}: ${status}`,
    reason ? reason.message : 'It was not refused.',
    ...others,
    reason?.rule ? `contract: ${reason.rule}` : '',
    reason?.hint ? `what works: ${reason.hint}` : '',
    reason?.nearest ? `nearest: ${reason.nearest}` : '',
    ...notes.map((note) => `note: ${note}`),
    ...effects.map((effect) => `caused: ${effect}`),
  ])
}

function formatChain({ networks, log }: ChainStatus): string {
  const shown = networks.map(({ labels, tokens, problem, ...chain }) => {
    const names = labels.join(', ')
    if (problem !== null) return `${names}: ${problem}`
    const { chainId, block, readBlock, account } = chain
    const coins = tokens.map(({ coin, address }) => `${coin} ${address}`).join(', ')
    return `${names}: chain ${chainId}, block ${block}, read ${readBlock}, account ${account}, ${coins}`
  })
  return lines([...shown, ...log]) || 'No chain (--chain URL).'
}

const formatTask = ({ at, kind, ref }: DueTask) => `  ${at}  ${kind} ${ref}`

const more = (count: number, what: string) => (count > 0 ? `  and ${count} more${what}` : '')

const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n')
