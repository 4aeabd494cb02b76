import * as z from 'zod'
import { isBadAttempt, OUTCOMES } from '../webhooks/delivery.ts'
import { WEBHOOK_DIALECTS } from '../webhooks/dialect.ts'
import { MUTATIONS } from '../webhooks/mutation.ts'
import { LegacyWebhooks } from '../world/state.ts'
import { DeliveryRecord, deliveryCells, Failure } from './deliveries.ts'
import { Filter, Flag, Page, Ref, RowsOf, Unknown, WaitTime } from './pages.ts'
import type { Cell, Use } from './row.ts'
import { named, notForAgents, record } from './schema.ts'
import { EventKind, Instant } from './shapes.ts'

/** Longest body that is explained, in characters. Real webhooks are far shorter. */
const BODY_LENGTH_MAX = 64 * 1024

const ExplainSignature = () => ({
  id: z
    .string()
    .regex(/^dlv_\d+$/, { error: 'must be the id of a delivery, such as dlv_7' })
    .optional()
    .describe('Id of a recorded delivery, instead of headers and body.'),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('The headers as they were received.'),
  body: z.string().max(BODY_LENGTH_MAX).optional().describe('The body as it was received.'),
  bodyEncoding: z.enum(['utf-8', 'base64']).default('utf-8'),
  secret: z
    .string()
    .max(500)
    .optional()
    .describe('Signing secret that the receiver used; that of the integrator by default.'),
  computed: z
    .string()
    .max(500)
    .optional()
    .describe('The signature that the receiver computed, if it computes one.'),
  receivedAt: Instant()
    .optional()
    .describe('When it was received, to check the timestamp; now by default.'),
})

const Problem = () =>
  record({
    code: z.string().describe('Stable code of the problem.'),
    message: z.string(),
    hint: z.string(),
  })

export const SignatureExplanation = () =>
  record({
    valid: z.boolean().describe('Whether `verifySignature` accepts it now.'),
    problems: z.array(Problem()).describe('Each has a stable code, such as `body-reserialised`.'),
    expected: record({
      timestamp: z.string().describe('The timestamp header.'),
      signature: z.string().describe('The signature header.'),
    }).describe('What the two headers would be if this secret signed this body.'),
    computed: z
      .array(Problem())
      .nullable()
      .describe(
        'Mistakes that produce the signature that the receiver computed: empty if it is correct, null if none was sent.',
      ),
    deliveryId: z.string().nullable().describe('Id of the recorded delivery, if there is one.'),
    problem: Failure().describe('Why it failed although its signature is valid; null otherwise.'),
    text: z.string().describe('All of this as text for people.'),
  })
export type SignatureExplanation = z.output<ReturnType<typeof SignatureExplanation>>

const Url = () => z.string().nullable().describe('Where v2 events go; null for nowhere.')

export const WebhookSettings = () =>
  named('WebhookSettings', {
    integrator: z.string(),
    url: Url(),
    legacy: LegacyWebhooks()
      .nullable()
      .describe('The v1 webhooks, as in `PATCH /webhooks`; null if they were never configured.'),
    signingSecret: z.string().nullable().describe('Null until webhooks are configured.'),
  }).describe('Where the webhooks of an integrator go.')
export type WebhookSettings = z.output<ReturnType<typeof WebhookSettings>>

export const WebhookSettingsList = () =>
  record({
    integrators: z.array(WebhookSettings()).describe('The settings of each integrator.'),
    receiverUrl: z
      .url()
      .nullable()
      .describe('Base of the catch URLs; null if the sandbox is not listening on a port.'),
  })
export type WebhookSettingsList = z.output<ReturnType<typeof WebhookSettingsList>>

const Name = () =>
  notForAgents(z.string().optional().describe('Name of the integrator; the first one by default.'))

export const FailedResent = () =>
  record({
    deliveries: z.array(DeliveryRecord()).describe('The new attempts, at most 1,000.'),
    failed: z.int().describe('How many webhooks failed again, or were not sent again.'),
  })
export type FailedResent = z.output<ReturnType<typeof FailedResent>>

function settingsCells({ integrator, url, signingSecret }: WebhookSettings): Cell[] {
  const signed = signingSecret
    ? `signed with ${signingSecret}`
    : 'no secret yet (webhook set or listen creates it)'
  return [integrator, signed, url ?? 'no URL']
}

function formatPending(count: number): string {
  if (count === 0) return 'No webhook is in flight.'
  return `${count === 1 ? '1 webhook is' : `${count} webhooks are`} still in flight.`
}

/** A receiver should acknowledge what is genuine, and reject what is false. */
function failureOf(delivery: DeliveryRecord): string | undefined {
  const { problem, outcome } = delivery
  if (outcome === 'pending') return 'It has not been delivered yet.'
  // Even where it was acknowledged, a hint may belong to it.
  return outcome === 'delivered' && !isBadAttempt(delivery) ? undefined : problem?.message
}

/** Where only the given secret is wrong, a receiver with the right one accepts the webhook. */
function rejectionOf({ valid, problems }: SignatureExplanation): string | undefined {
  if (valid) return undefined
  return problems.every(({ code }) => code.startsWith('secret-'))
    ? 'A receiver with this secret would reject this webhook.'
    : 'A receiver must reject this webhook.'
}

const NO_DELIVERY = { 'not-found': 'There is no such delivery, or it is no longer kept.' }

const DELIVERY = { id: 'Id of the delivery.' }

export const webhooks = {
  'webhooks.settings': {
    id: 'getWebhookSettings',
    method: 'GET',
    path: '/webhooks/settings',
    summary: 'Show the webhook URLs and signing secrets of all integrators',
    about: 'Includes v1 webhooks. The contract shows the secret once; here it can be read again.',
    words: ['webhook', 'secret'],
    rows: 'integrators',
    columns: settingsCells,
    response: WebhookSettingsList,
  },
  'webhooks.set': {
    id: 'putWebhookSettings',
    method: 'PUT',
    path: '/webhooks/settings',
    args: ['url'],
    summary: 'Set the webhook URL of an integrator',
    about:
      'Omitted fields stay as they are; null (on the command line, `none`) removes the URL. Needs no API key. The first URL also creates the signing secret.',
    done: 'Webhook settings',
    words: ['webhook', 'set', { field: 'url' }],
    hides: ['legacy'],
    columns: settingsCells,
    example: 'webhook set http://localhost:3000/hooks',
    tool: true,
    body: () => ({
      url: Url().optional(),
      legacy: notForAgents(
        LegacyWebhooks()
          .nullable()
          .optional()
          .describe('The v1 webhooks, as in `PATCH /webhooks`. Null removes them.'),
      ),
      integrator: Name(),
    }),
    response: WebhookSettings,
    errors: { 'not-found': 'There is no such integrator.' },
  },
  'webhooks.test': {
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/test',
    summary: 'Send a synthetic event to the webhook URL, and show the response',
    about: 'Sends what `testWebhookConfiguration` sends to the v2 URL of an integrator.',
    done: 'Test webhook',
    success: 'The receiver’s response, or why there was none.',
    words: ['webhook', 'test'],
    columns: deliveryCells,
    failure: failureOf,
    body: () => ({ integrator: Name() }),
    response: DeliveryRecord,
    errors: { 'not-found': 'There is no such integrator, or it has no webhook URL.' },
  },
  'webhooks.drain': {
    id: 'drainWebhooks',
    method: 'POST',
    path: '/webhooks/drain',
    summary: 'Wait until no webhook is in flight',
    about:
      'Waits a minute at most. Deliveries that a fault holds back to change their order are sent now.',
    done: null,
    success: 'How many are still in flight: 0, unless the time ran out.',
    words: ['webhook', 'drain'],
    columns: ({ pending }: { pending: number }) => [formatPending(pending)],
    failure: ({ pending }: { pending: number }) => pending > 0 && formatPending(pending),
    body: () => ({ timeout: WaitTime().optional() }),
    response: () => record({ pending: z.int().describe('Deliveries that are still in flight.') }),
  },
  'webhooks.deliveries': {
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/deliveries',
    result: 'deliveries',
    isPaged: true,
    summary: 'List webhooks, with the URL and response of each',
    about: 'Oldest first. Webhooks that were never sent are listed too, with the reason.',
    words: ['deliveries'],
    columns: (delivery: DeliveryRecord) => {
      const [id, ...cells] = deliveryCells(delivery)
      return [id, delivery.occurredAt, ...cells]
    },
    example: 'deliveries --failed',
    tool: true,
    query: () => ({
      type: EventKind().optional(),
      ref: Ref(),
      outcome: z
        .enum(OUTCOMES)
        .optional()
        .describe('Only webhooks with this outcome (`refused`: no response).'),
      failed: Flag().optional().describe('Only webhooks that failed.'),
      eventId: Filter().describe('Only webhooks of this event.'),
      sent: Flag()
        .optional()
        .describe('Only webhooks that were not suppressed. `false`: only those that were.'),
      generation: z.enum(WEBHOOK_DIALECTS).optional().describe('Only v2 or only v1 webhooks.'),
      ...Page(),
    }),
    response: () => RowsOf('deliveries', DeliveryRecord()).extend(Unknown()),
  },
  'webhooks.delivery': {
    id: 'getDelivery',
    method: 'GET',
    path: '/webhooks/deliveries/:id',
    params: DELIVERY,
    summary: 'Read a delivery',
    about:
      'Includes the exact bytes that were signed and sent, and the receiver’s response. The last 10,000 deliveries are kept.',
    response: DeliveryRecord,
    errors: NO_DELIVERY,
  },
  'webhooks.resend': {
    id: 'resendDelivery',
    method: 'POST',
    path: '/webhooks/deliveries/:id/resend',
    params: DELIVERY,
    summary: 'Send a webhook again, as it was or changed on purpose',
    about:
      'It goes where the event would go now; `to` sends it elsewhere. The call waits for the response. With `mutate` it is changed: a receiver must reject the changes `body`, `signature`, `timestamp` and `timestamp-ahead`, and acknowledge all others, which are signed as sent.',
    done: ({ subject }: Use) => `Webhook resent: ${subject}`,
    words: ['webhook', 'resend', { field: 'id' }],
    example: 'webhook resend dlv_3',
    columns: deliveryCells,
    failure: failureOf,
    tool: true,
    body: () => ({
      mutate: z.enum(MUTATIONS).optional().describe('Change to make before sending it.'),
      to: z.string().optional().describe('URL to send it to instead.'),
    }),
    response: DeliveryRecord,
    errors: NO_DELIVERY,
  },
  'webhooks.resendFailed': {
    id: 'resendFailed',
    method: 'POST',
    path: '/webhooks/resend-failed',
    done: 'Failed webhooks resent',
    summary: 'Resend every failed webhook, in event order',
    about:
      'One after the other, for a minute at most. With `ref`, only those about that transaction or user. Each goes where its event would go now.',
    success: 'The new deliveries, and how many webhooks failed again.',
    words: ['webhook', 'resend', '--failed'],
    example: 'webhook resend --failed',
    columns: ({ deliveries, failed }: FailedResent) => [
      deliveries.length === 0
        ? 'No webhook failed.'
        : `${deliveries.length} sent again, ${failed} failed`,
    ],
    failure: ({ failed }: FailedResent) => failed > 0 && 'Not every webhook was acknowledged.',
    body: () => ({
      ref: Ref(),
      mutate: z.enum(MUTATIONS).optional().describe('Change to make before sending it.'),
    }),
    response: FailedResent,
    errors: { 'not-found': 'No webhook about this transaction or user is kept.' },
  },
  'webhooks.explain': {
    id: 'explainSignature',
    method: 'POST',
    path: '/webhooks/explain',
    summary: 'Explain what is wrong with a webhook’s signature, and how to fix it',
    about:
      'Send the headers and the body as your receiver got them, and the secret that it used. Nothing is stored.',
    done: null,
    success: 'Whether it is valid, and everything that is wrong.',
    words: ['webhook', 'explain', { field: 'id', label: 'FILE|ID', orFile: true }],
    hides: ['headers', 'body', 'bodyEncoding'],
    example: 'webhook explain received.json --secret whsec_…',
    failure: rejectionOf,
    body: ExplainSignature,
    response: SignatureExplanation,
  },
} as const
