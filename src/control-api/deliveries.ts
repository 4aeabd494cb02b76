import * as z from 'zod'
import { describeMutated, nameOutcome, OUTCOMES } from '../webhooks/delivery.ts'
import { WEBHOOK_DIALECTS } from '../webhooks/dialect.ts'
import { MUTATIONS } from '../webhooks/mutation.ts'
import type { Cell } from './row.ts'
import { named, notForAgents, record } from './schema.ts'
import { CauseRecord, EventKind, Position, WallTime, WorldTime } from './shapes.ts'

export const Failure = () =>
  record({
    message: z.string().describe('What went wrong.'),
    hint: z.string().min(1).describe('What would help.'),
  }).nullable()

export const DeliveryRecord = () =>
  named('Delivery', {
    id: z.string().describe('Id of the delivery.'),
    cursor: Position(),
    eventId: z.string(),
    type: EventKind(),
    ref: z.string(),
    status: z.string().describe('Status that the event reports.'),
    generation: z.enum(WEBHOOK_DIALECTS),
    hook: z.string().nullable().describe('Which of the legacy webhooks it is; null for v2.'),
    integrator: z.string(),
    url: z
      .string()
      .nullable()
      .describe('URL that it was, or would have been, sent to; null if none was configured.'),
    repeatOf: z.string().nullable().describe('The first delivery, if this is a resend.'),
    outcome: z.enum(OUTCOMES).describe('How this attempt ended; `refused` means no response.'),
    mutation: z
      .enum(MUTATIONS)
      .nullable()
      .describe('What was changed on purpose, by a fault or a resend.'),
    failed: z
      .boolean()
      .describe(
        'Whether the webhook has failed so far: no attempt has been acknowledged with a 2xx status.',
      ),
    reason: z.string().nullable().describe('Why it was skipped or altered.'),
    request: notForAgents(
      record({
        headers: z.record(z.string(), z.string()).describe('Headers by name.'),
        body: z.string(),
      }).describe('Exactly what was sent.'),
    ),
    problem: Failure().describe(
      'What the receiver did wrong, or why its 2xx response is suspicious; null if nothing is wrong.',
    ),
    tags: z
      .array(z.string())
      .describe('What is special about it: `test`, `duplicate`, `resent`, or what was changed.'),
    verdict: z
      .string()
      .nullable()
      .describe('What the response shows, if the webhook was changed on purpose; otherwise null.'),
    response: record({
      status: z.int().describe('Status code of the response.'),
      statusText: z.string().describe('Status text of the response.'),
      headers: notForAgents(
        z
          .record(z.string(), z.union([z.string(), z.array(z.string())]))
          .describe('Headers by name.'),
      ),
      body: z.string(),
    })
      .nullable()
      .describe('The response; null for none.'),
    error: z.string().nullable(),
    occurredAt: WorldTime('When the event happened.'),
    sentAt: WallTime()
      .nullable()
      .describe('When it was sent: wall time, ISO 8601; null if it was not.'),
    durationMs: z
      .number()
      .nullable()
      .describe('How long the response took, in ms of wall time; null without one.'),
    cause: notForAgents(CauseRecord()),
  }).describe('One POST of one event to one URL, or the record of why there was none.')
export type DeliveryRecord = z.output<ReturnType<typeof DeliveryRecord>>

/**
 * A delivery as commands and explanations show it: whole ids and statuses, because people copy them,
 * and no times, so that output can be compared.
 */
export function deliveryCells(delivery: DeliveryRecord): Cell[] {
  const { id, generation, ref, hook, type, status, request } = delivery
  const { email, leftSideValue, leftSideLabel } = payloadIn(request.body)
  return [
    ...[id, generation, hook ?? type, status, ref, email as string],
    leftSideValue === undefined ? '' : `${leftSideValue} ${leftSideLabel}`,
    formatOutcome(delivery),
  ]
}

function formatOutcome(delivery: DeliveryRecord): string {
  const { url, outcome, response, error, reason, mutation, verdict, repeatOf } = delivery
  const [firstLine] = outcome === 'delivered' ? [] : (response?.body ?? '').split('\n')
  const repeat = repeatOf && `(repeat of ${repeatOf})`
  const how = [nameOutcome(outcome), response?.status, firstLine && `“${firstLine}”`, repeat]
  const reasons = [
    response ? null : error?.replace(/\.?$/, '.'),
    reason,
    mutation && (verdict ?? describeMutated(mutation, delivery)),
  ]
  const why = reasons.filter(Boolean).join(' ')
  return `→ ${url ?? 'no URL'}: ${how.filter(Boolean).join(' ')}${why && `: ${why}`}`
}

/** Status that a webhook reports; v2 has an envelope around it. */
export function payloadIn(body: string): Record<string, unknown> {
  try {
    const { payload, ...bare } = JSON.parse(body)
    return payload ?? bare
  } catch {
    return {}
  }
}
