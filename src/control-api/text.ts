import { describeMutated } from '../webhooks/delivery.ts'
import type { EventRecord } from './events.ts'
import type { TransactionRecord } from './transactions.ts'
import type { DeliveryRecord } from './webhooks.ts'

export const formatEvent = ({ at, type, ref, status }: EventRecord) =>
  `${at}  ${type} ${ref}: ${status}`

/**
 * Shows whole ids, because other commands take them, and no times, so that output can be compared.
 */
export function formatDelivery(delivery: DeliveryRecord): string {
  const { id, ref, generation } = delivery
  return `${id}  ${nameOf(delivery)} of ${ref} (${generation}) ${formatOutcome(delivery)}`
}

export const formatHint = (hint: string | null | undefined): string =>
  hint ? `what works: ${hint}` : ''

export const nameOf = ({ hook, type, status }: DeliveryRecord) =>
  `${hook ?? type} ${shortenStatus(status)}`

export function formatOutcome(delivery: DeliveryRecord, answer?: string): string {
  const { url, outcome, response, error, reason, mutation, repeatOf } = delivery
  const how = [outcome, response?.status, answer].filter(Boolean).join(' ')
  const reasons = [
    response ? null : error,
    reason,
    mutation && describeMutated(mutation, delivery),
    repeatOf && `It repeats ${repeatOf}.`,
  ]
  const why = reasons.filter(Boolean).join(' ')
  return `→ ${url ?? 'nowhere'}: ${how}${why && `: ${why}`}`
}

export function formatTransaction(transaction: TransactionRecord): string {
  const { id, side, status, leftSideLabel, leftSideValue } = transaction
  const { rightSideLabel, rightSideValue, email } = transaction
  const trade = `${leftSideValue} ${leftSideLabel} → ${rightSideValue} ${rightSideLabel}`
  return `${id}: ${side} ${trade}, ${email}, ${status}`
}

export const lines = (all: readonly string[]) => all.filter((line) => line !== '').join('\n')

export const shortenStatus = (status: string) => status.replace(' request money transfer', '')
