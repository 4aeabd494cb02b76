import type {
  Advanced,
  ClockState,
  DeliveryRecord,
  DueTask,
  Happened,
  TransactionMoved,
} from '../http/control/wire.ts'
import { shortenStatus } from './log/describe-webhook.ts'

const TASKS_SHOWN_MAX = 10

export function formatClock({ now, mode, tasks, taskCount }: ClockState): string {
  const shown = tasks.slice(0, TASKS_SHOWN_MAX).map(formatTask)
  const more = taskCount - shown.length
  return lines([`${now}, ${mode}`, ...shown, more > 0 ? `  and ${more} more` : ''])
}

export function formatAdvanced({ from, to, fired, firedCount, ...happened }: Advanced): string {
  const more = firedCount - fired.length
  const tasks = [...fired.map(formatTask), more > 0 ? `  and ${more} more` : '']
  return withHappened(lines([`${from} → ${to}`, ...tasks]), happened)
}

export function formatMoved({ transactionId, from, to, ...happened }: TransactionMoved): string {
  return withHappened(`${transactionId}: ${from} → ${to}`, happened)
}

export function withHappened(head: string, happened: Partial<Happened>): string {
  const { deliveries = [], deliveryCount = 0, pending = 0 } = happened
  const more = deliveryCount - deliveries.length
  return lines([
    head,
    ...deliveries.map((delivery) => `  ${formatDelivery(delivery)}`),
    more > 0 ? `  and ${more} more webhooks` : '',
    pending > 0 ? `  ${pending} webhooks are still on their way` : '',
  ])
}

export function formatDelivery(delivery: DeliveryRecord): string {
  const { id, type, ref, status, generation, hook, url, outcome, response, error, reason } =
    delivery
  const what = `${id}  ${hook ?? type} ${shortenStatus(status)} of ${ref} (${generation})`
  const how = response ? `${outcome} ${response.status}` : [outcome, error ?? reason].join(': ')
  return `${what} → ${url ?? 'nowhere'}: ${how}`
}

const formatTask = ({ at, kind, ref }: DueTask) => `  ${at}  ${kind} ${ref}`

const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n')
