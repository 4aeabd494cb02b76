import * as z from 'zod'

/**
 * Responses of v2, written from `provider-contract.md` and the settings of design.md section 7 alone: the schemas
 * that the routes carry are not looked at here, so that the two can disagree.
 */

const Instant = z.iso.datetime({ precision: 3 })
const Label = z.enum([
  'CAD',
  ...['', '-ETH', '-POLY', '-ARB', '-OP', '-BASE', '-AVAX', '-BSC', '-CELO', '-SOL', '-SX'].map(
    (chain) => `USDC${chain}`,
  ),
  ...['', '-ETH', '-POLY', '-ARB', '-BASE'].map((chain) => `CADC${chain}`),
])
const UserStatus = z.enum([
  'initial',
  'active',
  'verified',
  'rejected',
  'inactive',
  'upload',
  'in-review',
])

/** Says something, capital first and full stop last. */
const Sentence = z.string().regex(/^[\p{L}\d_$"'`(/-].{8,}[.!?]$/su)

const Success = z.strictObject({ success: z.literal(true), data: z.unknown() })
const Failure = z.strictObject({
  success: z.literal(false),
  errors: z.array(z.strictObject({ field: z.string().min(1), message: Sentence })).min(1),
})

const Message = z.strictObject({ message: z.string().min(1) })
const AccessToken = z.strictObject({
  accessToken: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().positive(),
})

const Access = z
  .array(z.enum(['jwt', 'apiKey']))
  .refine((ways) => ways[0] === 'jwt' && new Set(ways).size === ways.length)
const User = z.strictObject({ id: z.uuid(), accessibleBy: Access, status: UserStatus })
const Found = z.array(z.strictObject({ id: z.uuid() })).max(1)
const Outstanding = z.array(z.strictObject({ field: z.string().min(1), message: Sentence }))
const Requirements = z
  .strictObject({ complete: z.boolean(), outstanding: Outstanding })
  .refine(({ complete, outstanding }) => complete === (outstanding.length === 0))
const KycLink = z.strictObject({ url: z.url(), expiresAt: Instant })

/** Money on the wire: a number with at most six decimals. */
const Money = z.number().refine((value) => Number.isInteger(inMicros(value)))
const Breakdown = z
  .strictObject({ fee: Money, gas: Money, spread: Money, total: Money })
  .refine(({ fee, gas, spread, total }) => {
    return inMicros(fee) + inMicros(gas) + inMicros(spread) === inMicros(total)
  }, 'the parts of a breakdown add up')
const Quote = z.strictObject({
  quoteId: z.int().positive(),
  leftSideLabel: Label,
  leftSideValue: Money,
  rightSideLabel: Label,
  rightSideValue: Money.positive(),
  rate: Money.positive(),
  expiresAt: Instant,
  breakdown: Breakdown,
})

const Bounds = z.strictObject({ minimum: z.number(), maximum: z.number() })
const Limits = z.strictObject({
  leftSideCurrency: z.strictObject({ CAD: Bounds, CADC: Bounds, USDC: Bounds }),
})

const shownTransaction = {
  id: z.uuid({ version: 'v4' }),
  date: Instant,
  coin: z.enum(['USDC', 'CADC']),
  leftSideLabel: Label,
  leftSideValue: Money.positive(),
  rightSideLabel: Label,
  rightSideValue: Money.positive(),
  status: z.string().min(1),
  wallet: z.string(),
  paymentType: z.string().min(1),
  paymentId: z.string().min(1).nullable(),
  rmtId: z.string().regex(/^CA[A-Za-z0-9]{10}$/),
}
const Transaction = z.strictObject(shownTransaction)
const CreatedTransaction = z.strictObject({ ...shownTransaction, depositAddress: z.string() })
const Page = z
  .strictObject({
    items: z.array(Transaction),
    total: z.int().min(0),
    limit: z.int().min(1),
    offset: z.int().min(0),
  })
  .refine(({ items, limit, total }) => items.length <= Math.min(limit, total))

const Configuration = z.strictObject({ url: z.url(), createdAt: Instant, updatedAt: Instant })
const Secret = z.string().min(1)
const PutConfiguration = Configuration.extend({ signingSecret: Secret.optional() })
const TestResult = z.strictObject({
  eventId: z.string().min(1),
  deliveredStatusCode: z.int().min(0).max(599),
  deliveredStatusText: z.string(),
})

/** The payload of each response, by the operation as the contract writes it. */
export const RESPONSES = {
  'POST /v2/auth/login-codes': Message,
  'POST /v2/auth/login-codes/verify': AccessToken,
  'POST /v2/users': User,
  'GET /v2/users': Found,
  'PATCH /v2/users/{userId}': User,
  'GET /v2/users/{userId}/requirements': Requirements,
  'GET /v2/users/{userId}/kyc-url': KycLink,
  'PUT /v2/users/{userId}/kyc': User,
  'GET /v2/quotes': Quote,
  'GET /v2/limits': Limits,
  'POST /v2/transactions': CreatedTransaction,
  'GET /v2/transactions': Page,
  'GET /v2/transactions/{txId}': Transaction,
  'PUT /v2/transactions/{txId}/cancel': Transaction,
  'PUT /v2/webhook-configurations': PutConfiguration,
  'GET /v2/webhook-configurations': Configuration,
  'POST /v2/webhook-configurations/test': TestResult,
  'DELETE /v2/webhook-configurations': z.undefined(),
  'POST /v2/webhook-configurations/signing-secret/rotate': z.strictObject({
    signingSecret: Secret,
  }),
} as const

/** Other shapes of the same responses, for tests that switch a setting. */
export const OTHER_SHAPES = {
  emptyLoginCode: z.strictObject({}),
  onlyId: z.strictObject({ id: z.uuid() }),
  fullUsers: z.array(User.extend({ email: z.email() })).max(1),
  outstandingList: Outstanding,
  minimalQuote: z.strictObject({ quoteId: z.int(), breakdown: Breakdown }),
  withNullAddress: z.strictObject({ ...shownTransaction, depositAddress: z.null() }),
  withoutAddress: Transaction,
  withAddress: CreatedTransaction,
  nothing: z.null(),
} as const

export type Route = keyof typeof RESPONSES
export type DataOf<R extends Route> = z.output<(typeof RESPONSES)[R]>
export type Transaction = z.output<typeof Transaction>
export type Quote = z.output<typeof Quote>

const UserUpdate = z.strictObject({ userId: z.uuid(), email: z.email(), status: UserStatus })
const TransactionUpdate = z.strictObject({
  transactionId: z.uuid(),
  status: z.string().min(1),
  email: z.string().min(1),
  wallet: z.string(),
  paymentId: z.string().nullable(),
  leftSideLabel: Label,
  leftSideValue: Money,
  rightSideLabel: Label,
  rightSideValue: Money,
  etransferSecurityAnswer: z.string().nullable(),
  externalSessionId: z.string().nullable(),
})
const enveloped = { id: z.string().min(1), apiVersion: z.literal('v2'), occurredAt: Instant }

/** The JSON that a v2 webhook posts (contract, Events: Envelope). */
export const WebhookEnvelope = z.discriminatedUnion('type', [
  z.strictObject({ ...enveloped, type: z.literal('user.update'), payload: UserUpdate }),
  z.strictObject({
    ...enveloped,
    type: z.literal('transaction.update'),
    payload: TransactionUpdate,
  }),
])
export type WebhookEnvelope = z.output<typeof WebhookEnvelope>

export interface TextResponse {
  status: number
  headers: Headers
  text: string
}

export type Refused = TextResponse & z.output<typeof Failure>

const FAILURE_STATUSES = [400, 401, 403, 404, 405, 409, 413, 415]

/** The payload of a success, or a failed test. */
export function parseSuccess<Data extends z.ZodType>(
  data: Data,
  response: TextResponse,
): z.output<Data> {
  if (response.status === 204)
    return parse(data, response, response.text === '' ? undefined : response)
  if (response.status !== 200) throw wrong(response, 'is not a success')
  const { data: payload } = parse(Success, response, readJson(response))
  return parse(data, response, payload)
}

/** The v2 error envelope, or a failed test. */
export function parseFailure(response: TextResponse): Refused {
  if (!FAILURE_STATUSES.includes(response.status)) throw wrong(response, 'is not a refusal of v2')
  return { ...response, ...parse(Failure, response, readJson(response)) }
}

function readJson(response: TextResponse): unknown {
  if (response.headers.get('content-type') !== 'application/json')
    throw wrong(response, 'is not JSON')
  return JSON.parse(response.text)
}

function parse<Shape extends z.ZodType>(shape: Shape, response: TextResponse, value: unknown) {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw wrong(response, `breaks the contract:\n${z.prettifyError(result.error)}`)
}

const wrong = ({ status, text }: TextResponse, why: string) => new Error(`${status} ${text} ${why}`)

/** Micros of a number on the wire: whole where its text has at most six decimals. */
function inMicros(value: number): number {
  const micros = Math.round(value * 1e6)
  return micros / 1e6 === value ? micros : Number.NaN
}
