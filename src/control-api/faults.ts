import * as z from 'zod'
import { BODILESS } from '../engine/faults.ts'
import { WEBHOOK_DIALECTS } from '../webhooks/dialect.ts'
import { MUTATIONS } from '../webhooks/mutation.ts'
import { LEGACY_HOOKS } from '../world/state.ts'
import { Listed, ListOf } from './pages.ts'
import { OperationId } from './requests.ts'
import { named, notForAgents, record } from './schema.ts'
import { Duration, EventKind } from './shapes.ts'

/** Headers that frame a response; the server sets them. */
const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** Longest that a fault may hold a call or a delivery, in ms. */
const DELAY_MAX = 60_000

const Times = (min: number) => z.int().min(min).max(1_000_000).default(min)

const Counts = () => ({
  times: Times(1).describe('How many matches it applies to; 1 by default.'),
  skip: Times(0).describe('How many matches to let through first; 0 by default.'),
})

const Delay = () =>
  Duration()
    .refine((ms) => ms <= DELAY_MAX, { error: 'may be at most 60s' })
    .optional()
    .describe('Real time to wait first, at most 60 seconds.')

const Text = () => z.string().max(500)

const True = () => z.literal(true).optional()

const Headers = () =>
  z.record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must have a name of letters, digits and dashes' })
      .refine((name) => !FRAMING.test(name), {
        error: 'cannot be set, because the server sets it',
      }),
    z
      .string()
      .max(8_192)
      .regex(/^[\x20-\x7e]*$/, { error: 'must be printable ASCII' }),
  )

const isEmpty = (effects: object) => Object.values(effects).every((value) => value === undefined)

const NO_API_EFFECT =
  'A fault on calls needs an effect: a status, a delay or a broken connection (reset, lost)'

const NO_WEBHOOK_EFFECT =
  'A fault on webhooks needs an effect: drop, delay, duplicate, reorder, mutate, or delivery before the response'

/** Effects of a fault. `none` is the message for a fault without any. */
const Effect = <Shape extends z.core.$ZodLooseShape>(none: string, shape: Shape) =>
  z
    .strictObject(shape, { error: ({ input }) => (input === undefined ? none : undefined) })
    .refine((then) => !isEmpty(then), none)

/** Longest body of a fault, in characters. */
const BODY_MAX = 64 * 1024

const ApiEffect = () =>
  Effect(NO_API_EFFECT, {
    delay: Delay(),
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .describe('Status of the response; the call is not run.'),
    error: record({
      field: Text().describe('Field that the error names; `fault` by default.'),
      message: z.string().max(2_000).describe('Message of the error.'),
    })
      .partial()
      .optional()
      .describe('The error in the body of the response.'),
    body: z
      .string()
      .min(0)
      .max(BODY_MAX)
      .optional()
      .describe('Body of the response as text, instead of an error; it may be empty.'),
    headers: Headers().optional().describe('Headers of the response.'),
    connection: z
      .enum(['reset', 'lost'])
      .optional()
      .describe(
        'Break the connection: `reset` closes it before the call runs, `lost` runs the call but sends no response.',
      ),
  })
    .refine(({ status, error }) => status !== undefined || error === undefined, {
      path: ['error'],
      error: 'needs then.status',
    })
    .refine(({ status, headers }) => status !== undefined || headers === undefined, {
      path: ['headers'],
      error: 'needs then.status',
    })
    .refine(({ status, body }) => status !== undefined || body === undefined, {
      path: ['body'],
      error: 'needs then.status',
    })
    .refine(({ error, body }) => error === undefined || body === undefined, {
      path: ['body'],
      error: 'Give an error or a body, not both',
    })
    .refine(({ status = 0, body }) => body === undefined || !BODILESS.includes(status), {
      path: ['body'],
      error: 'cannot be sent with status 204, 205 or 304',
    })
    .refine(
      ({ status = 400, body }) => status >= 400 || body !== undefined || BODILESS.includes(status),
      { path: ['body'], error: 'A status below 400 needs a body; it may be empty' },
    )
    .refine(({ status, connection }) => status === undefined || connection === undefined, {
      path: ['connection'],
      error: 'Give a status or a broken connection, not both',
    })

const WebhookEffect = () =>
  Effect(NO_WEBHOOK_EFFECT, {
    drop: True().describe('Never send it; cannot be combined with other effects.'),
    delay: Delay(),
    duplicate: True().describe('Send it twice.'),
    reorder: True().describe(
      'Hold it until the next webhook to the same destination has been sent, until a drain, or for at most a minute.',
    ),
    mutate: z.enum(MUTATIONS).optional().describe('Change to make before sending it.'),
    beforeResponse: True().describe('Send it before the response to the call that caused it.'),
  })
    .refine(({ drop, ...others }) => drop === undefined || isEmpty(others), {
      path: ['drop'],
      error: 'A dropped webhook cannot have other effects',
    })
    .refine(({ reorder, beforeResponse }) => !(reorder && beforeResponse), {
      path: ['reorder'],
      error: 'A webhook that is sent before the response cannot be reordered',
    })

/** Makes contract calls go wrong. What `match` does not name fits anything. */
export const CreateApiFault = () =>
  record({
    on: z.literal('api').describe('Whether API calls (`api`) or webhooks (`webhook`) fail.'),
    match: record({
      operation: OperationId(Text())
        .optional()
        .describe('Only calls to this operation, such as `createTransaction`.'),
      method: Text().toUpperCase().optional().describe('Only calls with this HTTP method.'),
      path: Text()
        .regex(/^[/*]/, { error: 'must begin with / or *' })
        .optional()
        .describe('Path under the base URL; `*` stands for any text.'),
      integrator: notForAgents(
        Text().optional().describe('Only calls with the API key of this integrator.'),
      ),
    })
      .default({})
      .describe('Filter; omitted fields match anything.'),
    then: ApiEffect().describe('What goes wrong.'),
    ...Counts(),
  })

/** Makes deliveries go wrong. What `match` does not name fits anything. */
export const CreateWebhookFault = () =>
  record({
    on: z.literal('webhook').describe('Whether API calls (`api`) or webhooks (`webhook`) fail.'),
    match: record({
      type: EventKind().optional().describe('Only webhooks of this type.'),
      status: Text().optional().describe('Only webhooks that report this status.'),
      ref: Text()
        .toLowerCase()
        .optional()
        .describe('Only webhooks about this transaction or user, by id.'),
      generation: z
        .enum(WEBHOOK_DIALECTS)
        .optional()
        .describe('Only v2 webhooks, or only legacy v1 webhooks.'),
      hook: z.enum(LEGACY_HOOKS).optional().describe('Only this legacy webhook.'),
      integrator: notForAgents(Text().optional().describe('Only webhooks of this integrator.')),
    })
      .default({})
      .describe('Filter; omitted fields match anything.'),
    then: WebhookEffect().describe('What goes wrong.'),
    ...Counts(),
  })

export type CreateApiFault = z.input<ReturnType<typeof CreateApiFault>>

export type CreateWebhookFault = z.input<ReturnType<typeof CreateWebhookFault>>

const CreateFault = () => z.discriminatedUnion('on', [CreateApiFault(), CreateWebhookFault()])

export const FaultRecord = () =>
  named('Fault', {
    id: z.string().describe('Id of the fault.'),
    on: z
      .enum(['api', 'webhook'])
      .describe('Whether API calls (`api`) or webhooks (`webhook`) fail.'),
    match: z.record(z.string(), z.string()).describe('Filter; omitted fields match anything.'),
    then: z.record(z.string(), z.unknown()).describe('What goes wrong.'),
    times: z.int().describe('How many matches it applies to.'),
    skip: z.int().describe('How many matches are let through first.'),
    seen: z.int().describe('How many matched, including those let through.'),
    hits: z.int().describe('How many it applied to.'),
    for: notForAgents(z.string().describe('Which calls or webhooks it matches, in words.')),
    effect: notForAgents(z.string().describe('What goes wrong, in words.')),
  })
export type FaultRecord = z.output<ReturnType<typeof FaultRecord>>

const faultCells = ({ id, for: subject, effect, times, skip, seen, hits }: FaultRecord) => ({
  id,
  for: subject,
  effect,
  times,
  skip,
  seen,
  hits,
})

const Deleted = (about: string) => record({ deleted: z.int().describe(about) })

export const faults = {
  'faults.list': {
    id: 'listFaults',
    method: 'GET',
    path: '/faults',
    result: 'items',
    summary: 'List faults and how often each was applied',
    about: 'Oldest first. Used-up faults stay in the list.',
    words: ['fault', 'list'],
    columns: faultCells,
    tool: true,
    query: () => Listed(),
    response: () =>
      ListOf(FaultRecord(), 'The faults, oldest first: the first that matches applies.'),
  },
  'faults.add': {
    id: 'createFault',
    method: 'POST',
    path: '/faults',
    summary: 'Make the next matching API calls or webhooks fail',
    about:
      'Applies to the next match, or the next `times`; `skip` lets the first ones pass. If several faults match, the oldest one applies. Faults stay until they are deleted or the world is reset.',
    done: 'Fault added',
    also: [
      {
        words: ['fault', 'add', 'api'],
        sends: { on: 'api' },
        summary: 'Make the next matching API calls fail, respond late or lose their connection',
        example: 'fault add api --operation createTransaction --status 503',
      },
      {
        words: ['fault', 'add', 'webhook'],
        sends: { on: 'webhook' },
        summary: 'Drop, delay, repeat, reorder or change the next matching webhooks',
        example: 'fault add webhook --type transaction.update --drop',
      },
    ],
    columns: faultCells,
    tool: true,
    body: CreateFault,
    response: FaultRecord,
    errors: { conflict: 'The limit on faults has been reached.' },
  },
  'faults.clear': {
    id: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    done: 'Faults removed',
    words: ['fault', 'clear'],
    tool: true,
    response: () => Deleted('How many faults there were.'),
  },
  'faults.delete': {
    id: 'deleteFault',
    method: 'DELETE',
    path: '/faults/:id',
    params: { id: 'Id of the fault.' },
    summary: 'Remove a fault',
    about: 'A fault can be removed before it is used up. Other faults stay.',
    done: 'Fault removed',
    words: ['fault', 'delete', { field: 'id' }],
    example: 'fault delete fault_1',
    response: () => Deleted('Always 1.'),
    errors: { 'not-found': 'There is no such fault.' },
  },
} as const
