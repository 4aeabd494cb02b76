import * as z from 'zod'

/** Responses of v1, written from the contract and the facts beside it, not from the routes. */

const Transaction = z.strictObject({
  coin: z.enum(['USDC', 'CADC']),
  date: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  fee: z.string().regex(/^\d+\.\d\d$/),
  leftSideLabel: z.string(),
  leftSideValue: z.number(),
  rightSideLabel: z.string(),
  rightSideValue: z.number(),
  status: z.string().min(1),
  tx_id: z.uuidv4(),
  wallet: z.string(),
  eth_fee: z.boolean(),
  payment_id: z.string().nullable(),
  payment_type: z.string().regex(/^[a-z]+ network$/),
})

const Webhooks = z.strictObject({
  verifiedEmailEnabled: z.boolean(),
  transactionInitiatedEnabled: z.boolean(),
  transactionCompleteEnabled: z.boolean(),
  transactionStatusUpdateEnabled: z.boolean(),
  verifiedEmailUrl: z.string(),
  transactionInitiatedUrl: z.string(),
  transactionCompleteUrl: z.string(),
  transactionStatusUpdateUrl: z.string(),
})

const SixDigits = z.int().min(100_000).max(999_999)
const success = <Message extends string>(message: Message) => ({
  message: z.literal(message),
  status: z.literal('success'),
})

export const V1_RESPONSES = {
  'POST /loginCodeSend': z.strictObject(success('Login code sent to user')),
  'POST /loginCodeVerify': z.strictObject({
    ...success('Email code validated'),
    token: z.jwt({ alg: 'HS256' }),
  }),
  'POST /generateApiLink': z.strictObject({
    ...success('API user created'),
    verificationLink: z.url(),
  }),
  'GET /apiFindUser': z.strictObject({
    ...success('User found'),
    userId: z.uuidv4(),
    userStatus: z.string().min(1),
  }),
  'POST /sumsubImportUser': z.strictObject(success('User imported successfully')),
  'GET /priceQuote': z.strictObject({
    quoteId: SixDigits,
    gasId: SixDigits,
    cadusd: z.number().positive(),
    leftSideLabel: z.string(),
    leftSideValue: z.string(),
    rightSideLabel: z.string(),
    rightSideValue: z.string().regex(/^\d+\.\d\d$/),
    fee: z.number(),
    ethGasFee: z.number(),
  }),
  'POST /transaction': z.strictObject({
    ...success('New transaction created'),
    tx: z.uuidv4(),
    rmt: z.string().regex(/^CA[A-Za-z0-9]{10}$/),
    depositAddress: z.string().min(1).optional(),
  }),
  'GET /transaction': Transaction,
  'GET /webhooks': Webhooks,
  'PATCH /webhooks': Webhooks,
  'POST /webhook-signing-secret': z.strictObject({
    status: z.literal('success'),
    signingSecret: z.string().min(16),
  }),
}
export type V1Route = keyof typeof V1_RESPONSES
export type V1ResponseOf<R extends V1Route> = z.output<(typeof V1_RESPONSES)[R]>

/** `status` is `error` or a whole sentence. */
export const V1Error = z.strictObject({
  message: z.string().regex(/^[\p{L}\d_$"'`(/-].{8,}[.!?]$/su),
  status: z.string().regex(/^error$|^[A-Z].*\.$/),
})

const LegacyTransaction = z.strictObject({
  email: z.email(),
  txId: z.uuidv4(),
  status: z.string().min(1),
  wallet: z.string(),
  paymentId: z.string().nullable(),
  leftSideLabel: z.string(),
  leftSideValue: z.number(),
  rightSideLabel: z.string(),
  rightSideValue: z.number(),
  etransferSecurityAnswer: z.string().nullable(),
  externalSessionId: z.string().nullable(),
})

/** The bodies of legacy webhooks (contract, Events: Legacy v1 webhooks). */
export const LEGACY_BODIES = {
  userVerified: z.strictObject({ email: z.email(), status: z.literal('verified') }),
  transactionInitiated: LegacyTransaction.extend({
    status: z.literal('pending request money transfer'),
  }),
  transactionComplete: LegacyTransaction.extend({ status: z.literal('complete') }),
  transactionStatusUpdate: LegacyTransaction,
}
