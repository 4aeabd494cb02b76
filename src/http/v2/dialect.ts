import * as z from 'zod'
import { FieldError } from '../../control-api/fields.ts'
import type { JsonSchema } from '../../control-api/schema.ts'
import { inField, named } from '../../control-api/schema.ts'
import { EVENTS } from '../../world/event-types.ts'
import { CONTRACT_OPERATIONS } from '../../world/settings/operations.ts'
import { EVENT_IDS, EVENT_TYPES, type EventType } from '../../world/words.ts'
import type { Dialect, WebhookDescription } from '../dialect.ts'
import { operationIn } from '../operation.ts'
import { contractStatusOf } from '../status.ts'

const webhooks: Readonly<Record<string, WebhookDescription>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, toWebhook(type)]),
)

function toWebhook(type: EventType): WebhookDescription {
  const { summary, says, payload } = EVENTS[type]
  const about = `${says} Verify the signature over the raw body, and ignore an \`id\` that you have already seen.`
  return {
    id: EVENT_IDS[type],
    ref: 'Events',
    summary,
    about,
    body: () => Envelope(type, payload()),
  }
}

function Envelope(type: string, payload: z.ZodType) {
  return z.strictObject({
    id: z.string().describe('Unique id of the event; use it to deduplicate.'),
    apiVersion: z.literal('v2').describe('Version of the envelope.'),
    occurredAt: z.iso.datetime().describe('When it happened: world time, ISO 8601.'),
    type: z.literal(type).describe('What happened.'),
    payload: inField(payload, 'What the event is about.'),
  })
}

/** The v2 envelope (contract, Resources: Response envelope). */
export const v2: Dialect = {
  name: 'v2',
  isContract: true,
  checksUnknownFields: true,
  errorType: 'application/json',
  success: (data) => ({ success: true, data }),
  describe: {
    success: describeSuccess,
    error: Failure,
    webhooks,
  },
  statusOf: contractStatusOf,
  error({ problems }): z.input<ReturnType<typeof Failure>> {
    const errors = problems.map(({ field, message }) => ({ field, message }))
    return { success: false, errors }
  },
}

export const operation = operationIn(v2, CONTRACT_OPERATIONS)

function describeSuccess(data: JsonSchema | undefined): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: {
        type: 'boolean',
        const: true,
        description: 'True for every success.',
        examples: [true],
      },
      ...(data && { data: Object.assign({}, data, { description: 'The requested data.' }) }),
    },
    required: data ? ['success', 'data'] : ['success'],
    additionalProperties: false,
  }
}

function Failure() {
  return named('Failure', {
    success: z.literal(false).describe('False for every error.'),
    errors: z.array(FieldError()).describe('Everything that is wrong.'),
  })
}
