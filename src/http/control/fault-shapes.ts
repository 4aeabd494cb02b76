import * as z from 'zod'
import { GENERATION_NAMES } from '../../webhooks/generation.ts'
import { LEGACY_HOOKS } from '../../world/legacy-webhooks.ts'
import type { ContractOperationId } from '../operation.ts'
import { Duration, EventKind, FRAMING } from './shapes.ts'

const TIMES_MAX = 1_000_000
/** Longest that a fault may hold a call or a delivery, in ms. */
const DELAY_MAX = 60_000
const HEADERS_MAX = 50
const HEADERS_LENGTH_MAX = 8_192

const Counts = () => ({
  times: z
    .int()
    .min(1)
    .max(TIMES_MAX)
    .default(1)
    .describe('How many of those that match it applies to. Default: 1.'),
  skip: z
    .int()
    .min(0)
    .max(TIMES_MAX)
    .default(0)
    .describe('How many to let pass first. Default: 0.'),
})

const Delay = () =>
  Duration()
    .refine((ms) => ms <= DELAY_MAX, { error: 'may be at most 60s' })
    .optional()
    .describe('Wall time, at most 60 seconds.')

const Text = () => z.string().max(500)

const Headers = () =>
  z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must be letters, digits and dashes' })
        .refine((name) => !FRAMING.test(name), {
          error: 'cannot be set: the server frames answers',
        }),
      z
        .string()
        .max(8_192)
        .regex(/^[\x20-\x7e]*$/, { error: 'must be printable ASCII' }),
    )
    .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, {
      error: `may be at most ${HEADERS_MAX}`,
    })
    .refine((headers) => Object.values(headers).join('').length <= HEADERS_LENGTH_MAX, {
      error: `may have at most ${HEADERS_LENGTH_MAX} characters together`,
    })

const isEmpty = (effects: object) => Object.values(effects).every((value) => value === undefined)

const ApiEffect = () =>
  z
    .strictObject({
      delay: Delay(),
      status: z.int().min(400).max(599).optional().describe('To answer instead of doing anything.'),
      error: z.strictObject({ field: Text(), message: z.string().max(2_000) }).optional(),
      headers: Headers().optional(),
      connection: z
        .enum(['reset', 'truncate', 'lost'])
        .optional()
        .describe(
          '`reset` before it is done, `truncate` half-way through the answer, `lost` instead of it.',
        ),
    })
    .refine((then) => !isEmpty(then), 'must do something')
    .refine(({ status, error }) => status !== undefined || error === undefined, {
      path: ['error'],
      error: 'needs a status beside it',
    })
    .refine(({ status, headers }) => status !== undefined || headers === undefined, {
      path: ['headers'],
      error: 'need a status beside them',
    })
    .refine(({ status, connection }) => status === undefined || connection !== 'reset', {
      path: ['connection'],
      error: 'is reset before any answer',
    })
    .refine(({ status, connection }) => status === undefined || connection !== 'lost', {
      path: ['connection'],
      error: 'can only lose what was done',
    })

const WebhookEffect = () =>
  z
    .strictObject({
      drop: z.literal(true).optional().describe('It is never sent; nothing else can go with it.'),
      delay: Delay(),
      duplicate: z.literal(true).optional(),
      reorder: z
        .literal(true)
        .optional()
        .describe(
          'It is sent after the next one to the same destination, or by a drain, or after a minute.',
        ),
      signature: z.literal('bad').optional(),
      timestamp: z.literal('stale').optional(),
      envelopeId: z
        .enum(['id', 'eventId', 'both'])
        .optional()
        .describe("The field that carries the event's id."),
      beforeResponse: z
        .literal(true)
        .optional()
        .describe('It arrives before the API call that caused it is answered.'),
    })
    .refine((then) => !isEmpty(then), 'must do something')
    .refine(({ drop, ...others }) => drop === undefined || isEmpty(others), {
      path: ['drop'],
      error: 'leaves nothing that else could go wrong',
    })
    .refine(({ reorder, beforeResponse }) => !(reorder && beforeResponse), {
      path: ['reorder'],
      error: 'cannot come before the response',
    })

/** What goes wrong with contract calls. What `match` does not name fits anything. */
export const CreateApiFault = () =>
  z.strictObject({
    on: z.literal('api'),
    match: z
      .strictObject({
        operation: (
          Text().meta({ typeName: 'ContractOperationId' }) as z.ZodType<
            ContractOperationId,
            ContractOperationId
          >
        )
          .optional()
          .describe('As the OpenAPI document names it, such as `createTransaction`.'),
        method: Text().toUpperCase().optional(),
        path: Text().optional().describe('Below the base URL; `*` stands for any text.'),
        integrator: Text().optional(),
      })
      .default({}),
    then: ApiEffect(),
    ...Counts(),
  })

/** What goes wrong with deliveries. What `match` does not name fits anything. */
export const CreateWebhookFault = () =>
  z.strictObject({
    on: z.literal('webhook'),
    match: z
      .strictObject({
        type: EventKind().optional(),
        status: Text().optional(),
        ref: Text().optional(),
        generation: z.enum(GENERATION_NAMES).optional(),
        hook: z.enum(LEGACY_HOOKS).optional(),
        integrator: Text().optional(),
      })
      .default({}),
    then: WebhookEffect(),
    ...Counts(),
  })

export type CreateApiFault = z.input<ReturnType<typeof CreateApiFault>>
export type CreateWebhookFault = z.input<ReturnType<typeof CreateWebhookFault>>

export const CreateFault = () =>
  z.discriminatedUnion('on', [CreateApiFault(), CreateWebhookFault()])
