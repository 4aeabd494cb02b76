import * as z from 'zod'
import { BrandFields } from '../fixture/brand.ts'
import { INSTANT_MAX, INSTANT_MIN } from '../world/duration.ts'
import { LEGACY_HOOKS } from '../world/legacy-webhooks.ts'
import { PROFILE_FIELD_NAMES, toProfileShape } from '../world/profile.ts'
import { MESSAGE_KINDS, USER_STATUSES } from '../world/state.ts'

/** The last instant that a date can hold: tasks may lie beyond the end of the clock. */
const DATE_MAX = 8.64e15

const Time = () => z.int().min(INSTANT_MIN).max(DATE_MAX)
const Money = () => z.int()
const Text = () => z.string()

const Change = () => z.array(z.strictObject({ status: Text(), at: Time() })).min(1)

const Hook = () => z.strictObject({ enabled: z.boolean(), url: Text() })

const Integrator = () =>
  z.strictObject({
    name: Text().min(1),
    apiKey: Text().min(1),
    actsWithoutToken: z.boolean(),
    signingSecret: Text().nullable(),
    secretCount: z.int().min(0),
    previousSecret: Text().nullable(),
    webhook: z.strictObject({ url: z.url(), createdAt: Time(), updatedAt: Time() }).nullable(),
    legacyWebhooks: z
      .strictObject(Object.fromEntries(LEGACY_HOOKS.map((hook) => [hook, Hook()])))
      .nullable(),
  })

const Profile = () =>
  z.strictObject({
    ...toProfileShape(PROFILE_FIELD_NAMES, {
      text: () => Text().optional(),
      date: () => z.iso.date().optional(),
      flag: () => z.boolean().optional(),
    }),
    olderUserInfo: z.record(z.string(), z.string()).optional(),
  })

const User = () =>
  z.strictObject({
    id: z.uuid(),
    email: Text(),
    createdAt: Time(),
    status: z.enum(USER_STATUSES),
    integrators: z.array(Text()).min(1),
    keyAccess: z.boolean(),
    profile: Profile(),
    reasons: z.array(Text()),
    autodeposit: z.boolean(),
    maximumCad: z.number().nullable(),
    loginCode: Text().nullable(),
    history: Change(),
    transactionCount: z.int().min(0),
    loginCodeCount: z.int().min(0),
    kycLinkCount: z.int().min(0),
  })

const Session = () =>
  z.strictObject({
    userId: Text(),
    integrator: Text(),
    iat: z.int(),
    exp: z.int(),
    issuedAt: Time(),
    expiresAt: Time(),
    statusCount: z.int().min(1),
  })

const Side = () => z.enum(['buy', 'sell'])
const Coin = () => z.enum(['USDC', 'CADC'])

const priced = () => ({
  side: Side(),
  coin: Coin(),
  leftSideLabel: Text(),
  leftSide: Money(),
  rightSideLabel: Text(),
  rightSide: Money(),
  rate: Money().min(1),
  fee: Money(),
  gas: Money(),
  spread: Money(),
  quoteId: z.int(),
  createdAt: Time(),
})

const Quote = () =>
  z.strictObject({
    ...priced(),
    integrator: Text().nullable(),
    expiresAt: Time(),
    uses: z.int().min(0),
  })

const Transaction = () =>
  z.strictObject({
    ...priced(),
    id: z.uuid(),
    userId: z.uuid(),
    integrator: Text(),
    closedAt: Time().nullable(),
    status: Text().min(1),
    wallet: Text(),
    paymentType: Text(),
    paymentId: Text().nullable(),
    rmtId: Text(),
    depositAddress: Text(),
    externalSessionId: Text().nullable(),
    securityAnswer: Text().nullable(),
    history: Change(),
  })

const Event = () =>
  z.strictObject({
    id: Text(),
    cursor: z.int().min(1),
    at: Time(),
    type: z.enum(['user.update', 'transaction.update']),
    ref: Text(),
    status: Text(),
    created: z.boolean(),
    integrator: Text(),
    payload: z.record(z.string(), z.unknown()),
  })

const Message = () =>
  z.strictObject({
    id: Text(),
    cursor: z.int().min(1),
    to: Text(),
    kind: z.enum(MESSAGE_KINDS),
    subject: Text(),
    text: Text(),
    code: Text().nullable(),
    ref: Text().nullable(),
    sentAt: Time(),
  })

const TASK_KINDS = [
  'expire-transaction',
  'receive-funds',
  'settle-transaction',
  'change-kyc-status',
] as const

const Task = () =>
  z.strictObject({
    at: Time(),
    order: z.int().min(0),
    kind: z.enum(TASK_KINDS),
    ref: Text(),
    status: z.enum(USER_STATUSES).nullable(),
    reasons: z.array(Text()).nullable(),
  })

const Rate = () => z.strictObject({ cad: z.number().positive() })

const KybSubmission = () =>
  z.strictObject({
    id: Text().min(1),
    integrator: Text(),
    at: Time(),
    submission: z.record(z.string(), z.unknown()),
  })

const LoginCode = () =>
  z.strictObject({
    userId: Text(),
    integrator: Text(),
    code: Text(),
    expiresAt: Time(),
    attempts: z.int().min(0),
    spent: z.boolean(),
  })

const KycLink = () => z.strictObject({ token: Text(), userId: Text(), expiresAt: Time() })

export const ROWS = {
  integrators: Integrator,
  users: User,
  loginCodes: LoginCode,
  sessions: Session,
  kycLinks: KycLink,
  quotes: Quote,
  transactions: Transaction,
  kybSubmissions: KybSubmission,
  events: Event,
  messages: Message,
  tasks: Task,
}

/** The state, but for the rows of its lists: those are looked at one by one. */
export const Frame = () =>
  z.strictObject({
    formatVersion: z.literal(1),
    seed: Text().min(1),
    secret: Text().min(1).optional(),
    fixture: Text(),
    now: Time().max(INSTANT_MAX),
    mode: z.enum(['frozen', 'running']),
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
    brand: BrandFields().optional(),
    rates: z.strictObject({ USDC: Rate(), CADC: Rate() }),
    nextQuoteId: z.int().min(1),
    eventCount: z.int().min(0),
    messageCount: z.int().min(0),
    taskCount: z.int().min(0),
    custody: z.strictObject({ seed: z.string().min(1), networks: z.array(z.string()) }).optional(),
    ...Object.fromEntries(
      Object.keys(ROWS).map((list) => [list, z.custom(Array.isArray, 'must be a list')]),
    ),
  })
