import type { FaultRecord } from '../../control-api/faults.ts'
import type { ControlOperationName } from '../../control-api/index.ts'
import {
  formatDelivery,
  formatEvent,
  formatHint,
  formatOutcome,
  formatTransaction,
  lines,
  nameOf,
} from '../../control-api/text.ts'
import type {
  ClockState,
  DeliveryRecord,
  DueTask,
  Explanation,
  Happened,
  MessageRecord,
  SignatureExplanation,
  TransactionMoved,
  TransactionRecord,
  UserRecord,
  Wire,
} from '../../control-api/wire.ts'
import { type ApiEffect, describeEffect, describeMatch } from '../../engine/faults.ts'
import { parseDuration } from '../../world/duration.ts'
import { payloadIn } from '../log-format.ts'
import { formatFields, formatTable } from './table.ts'

type Options = Readonly<Record<string, unknown>>
type Formats = {
  [Name in ControlOperationName]?: (response: Wire[Name]['response'], options: Options) => string
}

export function formatResponse(
  as: ControlOperationName,
  response: object,
  options: Options,
): string {
  const format = FORMATS[as]
  if (format === undefined) return formatFields(response)
  const head = format(response as never, options)
  // The id that `buy --id` prints is meant for a variable.
  if (options.id === true || !('deliveryCount' in response)) return head
  return withHappened(head, response as Happened)
}

const formatTask = ({ at, kind, ref }: DueTask) => `  ${at}  ${kind} ${ref}`

const formatAttempt = (delivery: DeliveryRecord): string =>
  lines([formatDelivery(delivery), formatHint(delivery.problem?.hint)])

/** Cells of a webhook in a list: time, event, subject, amount and the receiver's response. */
function toDeliveryCells(delivery: DeliveryRecord): string[] {
  const { id, occurredAt, generation, ref, request, response } = delivery
  const { email = '', leftSideValue, leftSideLabel } = payloadIn(request.body)
  const [answer] = (response?.body ?? '').split('\n')
  return [
    id,
    occurredAt,
    `${nameOf(delivery)} (${generation})`,
    ref,
    String(email),
    leftSideValue === undefined ? '' : `${leftSideValue} ${leftSideLabel}`,
    formatOutcome(delivery, answer),
  ]
}

const formatUser = ({ id, email, status }: UserRecord) => `${id}: ${email}, ${status}`

function formatSettings({ integrator, url, signingSecret }: Wire['webhooks.set']['response']) {
  const signed = signingSecret ? `signed with ${signingSecret}` : 'webhook set URL makes a secret'
  return `${integrator}: ${url ?? 'nowhere'}, ${signed}`
}

function formatForgotten({ deliveries, requests }: Wire['reset']['response']['forgotten']): string {
  if (deliveries + requests === 0) return ''
  const webhooks = `${deliveries} ${deliveries === 1 ? 'webhook' : 'webhooks'}`
  return `forgets ${webhooks} and ${requests} ${requests === 1 ? 'call' : 'calls'}`
}

function formatPending(count: number): string {
  if (count === 0) return ''
  return `${count === 1 ? '1 webhook is' : `${count} webhooks are`} still in flight`
}

/** Formats by name of the row; any other response is printed field by field. */
const FORMATS: Formats = {
  reset: ({ world, fixture, seed, now, mode, idsRepeat, forgotten }) =>
    lines([
      `${world}: fixture ${fixture}, seed ${seed}, ${now}, ${mode}`,
      idsRepeat ? 'ids repeat; --seed random gives new ones' : '',
      formatForgotten(forgotten),
    ]),
  'clock.read': formatClock,
  'clock.freeze': formatClock,
  'clock.resume': formatClock,
  'clock.advance': ({ from, to, fired, firedCount }) =>
    lines([`${from} → ${to}`, ...fired.map(formatTask), more(firedCount - fired.length, '')]),
  buy: formatOrder,
  sell: formatOrder,
  'simulate.kyc': ({ userId, from, to, due }) =>
    due ? `${userId}: ${to} at ${due}` : `${userId}: ${from} → ${to}`,
  'simulate.shareToken': ({ shareToken }) => shareToken,
  'simulate.fundsReceived': formatMoved,
  'simulate.settled': formatMoved,
  'simulate.bankRefused': formatMoved,
  'simulate.expired': formatMoved,
  'simulate.cancelled': formatMoved,
  'simulate.status': formatMoved,
  'users.add': ({ user }) => formatUser(user),
  'users.list': ({ items }) => lines(items.map(formatUser)),
  'users.token': ({ accessToken }) => accessToken,
  'transactions.list': ({ items }) => lines(items.map(formatTransaction)),
  'inbox.read': ({ messages }, { code }) =>
    code ? (messages.at(-1)?.code ?? '') : lines(messages.map(formatMessage)),
  'events.read': ({ events }) => lines(events.map(formatEvent)),
  'webhooks.deliveries': ({ deliveries }) => formatTable(deliveries.map(toDeliveryCells)),
  'webhooks.resend': formatAttempt,
  'webhooks.test': formatAttempt,
  'webhooks.drain': ({ pending }) => formatPending(pending) || 'No webhook is in flight.',
  'webhooks.explain': formatExplanation,
  'webhooks.set': formatSettings,
  'webhooks.settings': ({ integrators }) => lines(integrators.map(formatSettings)),
  explain: formatExplained,
  'faults.add': (fault) => formatFaults([fault]),
  'faults.list': ({ items }) => formatFaults(items),
}

const FAULT_HEAD = ['id', 'for', 'effect', 'times', 'skip', 'seen', 'hits']

/** Faults in words; only their counts are those of the response. */
function formatFaults(faults: readonly FaultRecord[]): string {
  if (faults.length === 0) return ''
  const rows = faults.map(({ id, on, match, then: { delay, ...rest }, ...counts }) => {
    const delayMs = delay === undefined ? undefined : parseDuration(String(delay))
    const effect = describeEffect(on, { ...rest, delayMs } as ApiEffect)
    const { times, skip, seen, hits } = counts
    return [id, describeMatch({ on, match }), effect, ...[times, skip, seen, hits].map(String)]
  })
  return formatTable([FAULT_HEAD, ...rows])
}

const TASKS_SHOWN_MAX = 10

function formatClock({ now, mode, tasks, taskCount }: ClockState): string {
  const shown = tasks.slice(0, TASKS_SHOWN_MAX).map(formatTask)
  return lines([`${now}, ${mode}`, ...shown, more(taskCount - shown.length, '')])
}

function formatMoved({ transactionId, from, to }: TransactionMoved): string {
  const move = from === to ? `stays ${to}; inbox shows what the user was sent` : `${from} → ${to}`
  return `${transactionId}: ${move}`
}

const formatMessage = ({ sentAt, to, text }: MessageRecord) => `${sentAt}  ${to}  ${text}`

function formatOrder({ transaction }: { transaction: TransactionRecord }, { id }: Options): string {
  return id ? transaction.id : formatTransaction(transaction)
}

const withHappened = (head: string, { deliveries, deliveryCount, pending }: Happened): string =>
  lines([
    head,
    ...deliveries.map((delivery) => `  ${formatDelivery(delivery)}`),
    more(deliveryCount - deliveries.length, ' webhooks'),
    formatPending(pending),
  ])

function formatExplained({ text, hint }: Explanation): string {
  return lines([text, formatHint(hint)])
}

function formatExplanation(explanation: SignatureExplanation): string {
  const { valid, problems, expected, deliveryId } = explanation
  return lines([
    valid ? 'The signature is right.' : '',
    ...problems.flatMap(({ message, hint }) => [message, `  what works: ${hint}`]),
    deliveryId ? `It is ${deliveryId}.` : 'This world keeps no such webhook.',
    ...(valid ? [] : [`this secret and body make: ${expected.signature}`]),
  ])
}

const more = (count: number, what: string) => (count > 0 ? `  and ${count} more${what}` : '')
