import * as z from 'zod'
import { BrandFields } from '../fixture/schema.ts'
import { INSTANT_MAX, INSTANT_MIN } from '../world/duration.ts'
import { PROFILE_FIELD_NAMES, toProfileShape } from '../world/profile.ts'
import { LEGACY_HOOKS, MESSAGE_KINDS, USER_STATUSES } from '../world/state.ts'

/** The last instant that a date can hold: tasks may lie beyond the end of the clock. */
const DATE_MAX = 8.64e15

const Time = () => z.int().min(INSTANT_MIN).max(DATE_MAX)
const Int = () => z.int()
const Count = () => z.int().min(0)
const Text = () => z.string()
const TextOrNull = () => z.string().nullable()

/** Several fields of one form, by their names. */
const each = (toSchema: () => z.ZodType, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, toSchema()]))

const Change = () => z.array(z.strictObject({ status: Text(), at: Time() })).min(1)

const Hook = () => z.strictObject({ enabled: z.boolean(), url: Text() })

const Integrator = () =>
  z.strictObject({
    name: Text().min(1),
    apiKey: Text().min(1),
    actsWithoutToken: z.boolean(),
    secretCount: Count(),
    ...each(TextOrNull, 'signingSecret previousSecret'),
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
    profile: Profile(),
    reasons: z.array(Text()),
    maximumCad: z.number().nullable(),
    loginCode: TextOrNull(),
    history: Change(),
    ...each(z.boolean, 'keyAccess autodeposit'),
    ...each(Count, 'transactionCount loginCodeCount kycLinkCount'),
  })

const Session = () =>
  z.strictObject({
    ...each(Text, 'id userId integrator'),
    ...each(Int, 'iat exp'),
    ...each(Time, 'issuedAt expiresAt'),
    statusCount: Count().min(1),
  })

const priced = () => ({
  side: z.enum(['buy', 'sell']),
  coin: z.enum(['USDC', 'CADC']),
  ...each(Text, 'leftSideLabel rightSideLabel'),
  ...each(Int, 'leftSide rightSide fee gas spread quoteId'),
  rate: Int().min(1),
  createdAt: Time(),
})

const Quote = () =>
  z.strictObject({ ...priced(), integrator: TextOrNull(), expiresAt: Time(), uses: Count() })

const Transaction = () =>
  z.strictObject({
    ...priced(),
    ...each(z.uuid, 'id userId'),
    ...each(Text, 'integrator wallet paymentType rmtId depositAddress'),
    ...each(TextOrNull, 'paymentId externalSessionId securityAnswer'),
    status: Text().min(1),
    closedAt: Time().nullable(),
    history: Change(),
  })

const Event = () =>
  z.strictObject({
    ...each(Text, 'id ref status integrator'),
    cursor: Count().min(1),
    at: Time(),
    type: z.enum(['user.update', 'transaction.update']),
    created: z.boolean(),
    payload: z.record(z.string(), z.unknown()),
  })

const Message = () =>
  z.strictObject({
    ...each(Text, 'id to subject text'),
    ...each(TextOrNull, 'code ref'),
    cursor: Count().min(1),
    kind: z.enum(MESSAGE_KINDS),
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
    order: Count(),
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
    ...each(Text, 'userId integrator code'),
    expiresAt: Time(),
    attempts: Count(),
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
    nextQuoteId: Count().min(1),
    ...each(Count, 'eventCount messageCount taskCount'),
    custody: z.strictObject({ seed: z.string().min(1), networks: z.array(z.string()) }).optional(),
    ...Object.fromEntries(
      Object.keys(ROWS).map((list) => [list, z.custom(Array.isArray, 'must be a list')]),
    ),
  })
