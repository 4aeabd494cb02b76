import * as z from 'zod'
import { type Delivery, OUTCOMES, presentDelivery } from '../../webhooks/delivery.ts'
import { GENERATION_NAMES } from '../../webhooks/generation.ts'
import { MUTATIONS, signingClock } from '../../webhooks/request.ts'
import { diagnoseSignature } from '../../webhooks/signature-diagnosis.ts'
import type { Journal } from '../../world/journal.ts'
import type { Services } from '../services.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import {
  Count,
  Cursor,
  Filter,
  getFromJournal,
  searchPage,
  WAIT_MAX_MS,
  WaitTime,
  whenEqual,
} from './page.ts'
import { EventKind, WallTime, WorldTime } from './shapes.ts'

export const DeliveryRecord = () =>
  titled('Delivery', {
    id: z.string(),
    eventId: z.string(),
    type: EventKind(),
    ref: z.string(),
    status: z.string(),
    generation: z.enum(GENERATION_NAMES),
    hook: z.string().nullable().describe('Which of the legacy webhooks it is; null for v2.'),
    integrator: z.string(),
    url: z.string().nullable(),
    repeatOf: z
      .string()
      .nullable()
      .describe('The first delivery of a webhook that was resent, or that a fault sends twice.'),
    outcome: z.enum(OUTCOMES),
    reason: z
      .string()
      .nullable()
      .describe('Why it was not sent, or was sent otherwise than it should be.'),
    request: z
      .strictObject({ headers: z.record(z.string(), z.string()), body: z.string() })
      .describe('Exactly what was sent.'),
    response: z
      .strictObject({
        status: z.int(),
        statusText: z.string(),
        headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
        body: z.string(),
      })
      .nullable(),
    error: z.string().nullable(),
    occurredAt: WorldTime(),
    sentAt: WallTime().nullable(),
    durationMs: z.number().nullable(),
  }).describe('One POST of one event to one URL, or the record of why there was none.')
export type DeliveryRecord = z.output<ReturnType<typeof DeliveryRecord>>

const DeliveryPage = () =>
  z.strictObject({ deliveries: z.array(DeliveryRecord()), cursor: z.string() })

const ResendDelivery = () =>
  z.strictObject({
    mutate: z
      .enum(MUTATIONS)
      .optional()
      .describe('Damages the copy, to test that a receiver notices.'),
  })

/** Longest body that is explained, in characters; the service's own are far shorter. */
const BODY_LENGTH_MAX = 64 * 1024
const HEADERS_MAX = 200

const Header = () => z.string().max(8_192)

const ExplainSignature = () =>
  z.strictObject({
    headers: z
      .record(z.string(), z.union([Header(), z.array(Header()).max(HEADERS_MAX)]))
      .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, {
        error: `may be at most ${HEADERS_MAX}`,
      }),
    body: z.string().max(BODY_LENGTH_MAX),
    bodyEncoding: z.enum(['utf-8', 'base64']).default('utf-8'),
    secret: z.string().max(500),
  })

export const SignatureExplanation = () =>
  z.strictObject({
    valid: z.boolean().describe('Exactly when `verifySignature` accepts it now.'),
    problems: z
      .array(z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }))
      .describe(
        'Each with a stable code, such as `body-reserialised` or `secret-before-rotation`.',
      ),
    expected: z
      .strictObject({ timestamp: z.string(), signature: z.string() })
      .describe('What the two headers would hold if this secret signed this body.'),
    deliveryId: z
      .string()
      .nullable()
      .describe('The delivery that it is, if the world still knows it.'),
  })
export type SignatureExplanation = z.output<ReturnType<typeof SignatureExplanation>>

const ListDeliveries = () =>
  z.strictObject({
    type: EventKind().optional(),
    ref: Filter(),
    outcome: z.enum(OUTCOMES).optional(),
    eventId: Filter(),
    generation: z.enum(GENERATION_NAMES).optional(),
    after: Cursor(),
    limit: Count(),
  })

export const webhooks = [
  lever('webhooks.drain', {
    id: 'drainWebhooks',
    summary: 'Wait until no webhook is in flight',
    about:
      'Waits until no delivery is on its way, a minute at most. Deliveries that a fault holds back to change their order are sent now.',
    success: 'How many are still on their way: 0, unless the time ran out.',
    words: 'webhook drain',
    also: { drain: {} },
    body: () => z.strictObject({ timeout: WaitTime().optional() }),
    answer: () => z.strictObject({ pending: z.int() }),
    async handle({ services, input }) {
      return { pending: await services.outbox.drain(input.body.timeout ?? WAIT_MAX_MS) }
    },
  }),
  lever('webhooks.deliveries', {
    id: 'listDeliveries',
    summary: 'List webhooks: where each went, and the response',
    about:
      'Lists deliveries after a cursor, the oldest first. One that was never sent is listed too, with the reason. An event has one for each webhook that it causes.',
    success: 'The deliveries.',
    words: 'deliveries',
    example: 'deliveries --outcome rejected',
    tool: true,
    query: ListDeliveries,
    answer: DeliveryPage,
    handle({ services, input }) {
      const { after, limit, ...asked } = input.query
      const conditions = whenEqual<Delivery>(asked)
      const page = { conditions, present: presentDelivery }
      const { rows, cursor } = searchPage(services.outbox.journal, { after, limit }, page)
      return { deliveries: rows, cursor }
    },
  }),
  lever('webhooks.delivery', {
    id: 'getDelivery',
    summary: 'Read one delivery',
    about:
      'Reads one delivery: the exact bytes that were signed and sent, and what the receiver answered. The world forgets the oldest deliveries when there are very many.',
    success: 'The delivery.',
    answer: DeliveryRecord,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    handle: ({ services, param }) => presentDelivery(getDelivery(services, param('id'))),
  }),
  lever('webhooks.resend', {
    id: 'resendDelivery',
    summary: 'Send a webhook again, optionally damaged on purpose',
    about:
      'Sends the event of a delivery once more, to where it would go now, and waits for the answer. With `mutate` the copy is damaged, to test that the receiver rejects it.',
    success: 'The new delivery.',
    words: 'webhook resend ID',
    example: 'webhook resend dlv_3',
    tool: true,
    body: ResendDelivery,
    answer: DeliveryRecord,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    async handle({ services, param, input }) {
      const delivery = getDelivery(services, param('id'))
      return presentDelivery(await services.outbox.resend(delivery, input.body.mutate))
    },
  }),
  lever('webhooks.explain', {
    id: 'explainSignature',
    summary: 'Say what is wrong with the signature of a webhook',
    about:
      'Says what is wrong with the signature of a webhook and how to fix it. Send the headers and the body as your receiver got them, and the secret that it used. Nothing is stored.',
    success: 'Whether it is valid, and everything that is wrong.',
    body: ExplainSignature,
    answer: SignatureExplanation,
    handle({ services, world, input }) {
      const { headers, body, bodyEncoding, secret } = input.body
      return diagnoseSignature({
        headers,
        body: bodyEncoding === 'base64' ? Buffer.from(body, 'base64').toString() : body,
        secret,
        headerPrefix: world.settings['names.headerPrefix'],
        now: signingClock(world, services.wallClock()),
        signers: world.integrators,
        deliveries: newestFirst(services.outbox.journal),
      })
    },
  }),
]

function getDelivery({ outbox }: Services, id: string): Delivery {
  return getFromJournal(outbox.journal, { prefix: 'dlv', noun: 'delivery', id })
}

function* newestFirst(journal: Journal<Delivery>): Generator<Delivery> {
  for (let position = journal.last; position > 0; position--) {
    const delivery = journal.at(position)
    if (delivery === undefined) return
    yield delivery
  }
}
