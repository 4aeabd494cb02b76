import type {
  DeliveryRecord,
  EventRecord,
  Happened,
  RequestRecord,
  TransactionRecord,
} from '../http/control/wire.ts'

/** Rows that one answer holds: a reader pays for each. */
export const ROWS_MAX = 50

export function presentHappened(happened: Happened) {
  const { events, eventCount, deliveries, deliveryCount, pending } = happened
  const sent = deliveries.filter(({ outcome }) => outcome !== 'suppressed')
  const unsent = deliveries.filter((delivery) => !sent.includes(delivery))
  return {
    events: events.slice(0, ROWS_MAX).map(presentEvent),
    ...(eventCount > ROWS_MAX && { eventCount }),
    webhooks: sent.slice(0, ROWS_MAX).map(presentDelivery),
    ...(deliveryCount > ROWS_MAX && { webhookCount: deliveryCount }),
    ...(unsent.length > 0 && { notSent: [...new Set(unsent.map(({ reason }) => reason))] }),
    ...(pending > 0 && { webhooksPending: pending }),
  }
}

const presentEvent = ({ at, type, ref, status, integrator }: EventRecord) => ({
  at,
  type,
  ref,
  status,
  integrator,
})

export function presentDelivery(delivery: DeliveryRecord) {
  const { id, eventId, type, ref, generation, hook, url, outcome } = delivery
  const { reason, error, response, repeatOf, occurredAt } = delivery
  return {
    id,
    at: occurredAt,
    event: eventId,
    type: hook ?? type,
    ref,
    generation,
    url,
    outcome,
    ...(response && { status: response.status }),
    ...(error !== null && { error }),
    ...(reason !== null && { reason }),
    ...(repeatOf !== null && { repeatOf }),
  }
}

export function presentTransaction(transaction: TransactionRecord) {
  const { id, side, status, email, createdAt, expiresAt, coin, wallet, allowed } = transaction
  const { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = transaction
  return {
    id,
    side,
    status,
    email,
    pays: `${leftSideValue} ${leftSideLabel}`,
    gets: `${rightSideValue} ${rightSideLabel}`,
    coin,
    wallet,
    createdAt,
    expiresAt,
    allowed,
  }
}

/** A refused call in short: what was asked, and why it failed. */
export function presentFailure(request: RequestRecord) {
  const { id, at, method, url, operation, status, reason, problems, notes } = request
  return {
    id,
    at,
    call: `${method} ${url}`,
    operation,
    status,
    why: reason?.message ?? null,
    ...(reason?.rule && { rule: reason.rule }),
    ...(reason?.hint && { hint: reason.hint }),
    ...(reason?.nearest && { nearest: reason.nearest }),
    ...(problems.length > 1 && { problems }),
    ...(notes.length > 0 && { notes }),
  }
}
