import * as z from 'zod'
import type { Delivery } from '../../webhooks/delivery.ts'
import { diagnoseSignature } from '../../webhooks/signature-diagnosis.ts'
import type { Journal } from '../../world/journal.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'

/** Longest body that is explained, in characters; the service's own are far shorter. */
const BODY_LENGTH_MAX = 64 * 1024
const HEADERS_MAX = 200

const Header = () => z.string().max(8_192)

const Explain = () =>
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

const ExplainAnswer = () =>
  z.strictObject({
    valid: z.boolean(),
    problems: z.array(z.strictObject({ code: z.string(), message: z.string(), hint: z.string() })),
    expected: z.strictObject({ timestamp: z.string(), signature: z.string() }),
    deliveryId: z.string().nullable(),
  })

export const explanations = [
  operation({
    id: 'explainSignature',
    method: 'POST',
    path: '/_sandbox/webhooks/explain',
    summary: 'Tell what is wrong with the signature of a webhook, in words',
    auth: requireControl,
    body: Explain,
    answer: ExplainAnswer,
    handle({ services, world, input }) {
      const { headers, body, bodyEncoding, secret } = input.body
      return diagnoseSignature({
        headers,
        body: bodyEncoding === 'base64' ? Buffer.from(body, 'base64').toString() : body,
        secret,
        headerPrefix: world.settings['names.headerPrefix'],
        now: services.wallClock(),
        signers: world.integrators,
        deliveries: newestFirst(services.outbox.journal),
      })
    },
  }),
]

function* newestFirst(journal: Journal<Delivery>): Generator<Delivery> {
  for (let position = journal.last; position > 0; position--) {
    const delivery = journal.at(position)
    if (delivery === undefined) return
    yield delivery
  }
}
