import * as z from 'zod'
import { type Delivery, OUTCOMES, presentDelivery } from '../../webhooks/delivery.ts'
import { GENERATION_NAMES } from '../../webhooks/generation.ts'
import { MUTATIONS, signingClock } from '../../webhooks/request.ts'
import { diagnoseSignature } from '../../webhooks/signature-diagnosis.ts'
import type { Journal } from '../../world/journal.ts'
import type { Services } from '../services.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
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

export const DeliveryPage = () =>
  z.strictObject({ deliveries: z.array(DeliveryRecord()), cursor: z.string() })
export type DeliveryPage = z.output<ReturnType<typeof DeliveryPage>>

export const ResendDelivery = () =>
  z.strictObject({
    mutate: z
      .enum(MUTATIONS)
      .optional()
      .describe('Damages the copy, to test that a receiver notices.'),
  })
export type ResendDelivery = z.input<ReturnType<typeof ResendDelivery>>

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

const deliveryPath = '/_sandbox/webhooks/deliveries/:id'

export const webhooks = [
  operation('POST', '/_sandbox/webhooks/drain', {
    id: 'drainWebhooks',
    summary: 'Wait until no delivery is on its way',
    body: () => z.strictObject({ timeout: WaitTime().optional() }),
    answer: () => z.strictObject({ pending: z.int() }),
    async handle({ services, input }) {
      return { pending: await services.outbox.drain(input.body.timeout ?? WAIT_MAX_MS) }
    },
  }),
  operation('GET', '/_sandbox/webhooks/deliveries', {
    id: 'listDeliveries',
    summary: 'List deliveries after a cursor, those that had nowhere to go included',
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
  operation('GET', deliveryPath, {
    id: 'getDelivery',
    summary: 'Read one delivery',
    answer: DeliveryRecord,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    handle: ({ services, param }) => presentDelivery(getDelivery(services, param('id'))),
  }),
  operation('POST', `${deliveryPath}/resend`, {
    id: 'resendDelivery',
    summary: 'Send the same event again, to where it would go now, also damaged on purpose',
    body: ResendDelivery,
    answer: DeliveryRecord,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    async handle({ services, param, input }) {
      const delivery = getDelivery(services, param('id'))
      return presentDelivery(await services.outbox.resend(delivery, input.body.mutate))
    },
  }),
  operation('POST', '/_sandbox/webhooks/explain', {
    id: 'explainSignature',
    summary: 'Say what is wrong with the signature of a webhook',
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
