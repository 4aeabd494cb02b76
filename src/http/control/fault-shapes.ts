import * as z from 'zod'
import { LEGACY_HOOKS } from '../../world/legacy-webhooks.ts'
import { fields } from '../problems.ts'
import { Duration, EVENT_TYPES } from './shapes.ts'

const TIMES_MAX = 1_000_000
/** Longest that a fault may hold a call or a delivery, in ms. */
const DELAY_MAX = 60_000
const HEADERS_MAX = 50
/** What frames an answer, which only the server can know. */
const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const Counts = () => ({
  times: z.int().min(1).max(TIMES_MAX).default(1),
  skip: z.int().min(0).max(TIMES_MAX).default(0),
})

const Delay = () => Duration().refine((ms) => ms <= DELAY_MAX, { error: 'may be at most 60s' })

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

type Keys = Readonly<Record<string, unknown>>

/** Refuses what would do nothing, and what cannot happen together. */
function judge(effect: Keys, rules: readonly [wrong: boolean, field: string, why: string][]) {
  const names = Object.keys(effect).filter((name) => effect[name] !== undefined)
  const [, field, why] = rules.find(([wrong]) => wrong) ?? []
  if (names.length === 0) return { path: [], message: 'must do something' }
  return field === undefined ? undefined : { path: [field], message: why }
}

function check<Effect extends Keys>(find: (effect: Effect) => ReturnType<typeof judge>) {
  return (effect: Effect, context: z.core.$RefinementCtx) => {
    const problem = find(effect)
    if (problem) context.addIssue({ code: 'custom', ...problem })
  }
}

const ApiEffect = () =>
  fields({
    delay: Delay().optional(),
    status: z.int().min(400).max(599).optional(),
    error: fields({ field: Text(), message: z.string().max(10_000) }).optional(),
    headers: Headers().optional(),
    connection: z.enum(['reset', 'truncate', 'lost']).optional(),
  }).superRefine(
    check((effect) => {
      const { status, error, headers, connection } = effect
      const isAnswered = status !== undefined
      return judge(effect, [
        [!isAnswered && error !== undefined, 'error', 'needs a status beside it'],
        [!isAnswered && headers !== undefined, 'headers', 'need a status beside them'],
        [isAnswered && connection === 'reset', 'connection', 'is reset before any answer'],
        [isAnswered && connection === 'lost', 'connection', 'can only lose what was done'],
      ])
    }),
  )

const WebhookEffect = () =>
  fields({
    drop: z.literal(true).optional(),
    delay: Delay().optional(),
    duplicate: z.literal(true).optional(),
    reorder: z.literal(true).optional(),
    signature: z.literal('bad').optional(),
    timestamp: z.literal('stale').optional(),
    envelopeId: z.enum(['id', 'eventId', 'both']).optional(),
    beforeResponse: z.literal(true).optional(),
  }).superRefine(
    check((effect) => {
      const { drop, reorder, beforeResponse } = effect
      const count = Object.values(effect).filter((value) => value !== undefined).length
      return judge(effect, [
        [drop === true && count > 1, 'drop', 'leaves nothing that else could go wrong'],
        [reorder === true && beforeResponse === true, 'reorder', 'cannot come before the response'],
      ])
    }),
  )

const ApiFault = () =>
  fields({
    on: z.literal('api'),
    match: fields({
      operation: Text().optional(),
      method: Text().toUpperCase().optional(),
      path: Text().optional(),
      integrator: Text().optional(),
    }).default({}),
    then: ApiEffect(),
    ...Counts(),
  })

const WebhookFault = () =>
  fields({
    on: z.literal('webhook'),
    match: fields({
      type: z.enum(EVENT_TYPES).optional(),
      status: Text().optional(),
      ref: Text().optional(),
      generation: z.enum(['v2', 'v1']).optional(),
      hook: z.enum(LEGACY_HOOKS).optional(),
      integrator: Text().optional(),
    }).default({}),
    then: WebhookEffect(),
    ...Counts(),
  })

export const CreateFault = () => z.discriminatedUnion('on', [ApiFault(), WebhookFault()])
