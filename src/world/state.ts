import * as z from 'zod'
import { INSTANT_MAX, INSTANT_MIN } from './duration.ts'
import { EVENTS, type EventPayloads } from './event-types.ts'
import { givenFields } from './fields.ts'
import { NAME, NAME_RULE } from './names.ts'
import { isEmail, Profile } from './profile.ts'
import { LENGTHS } from './settings/constants.ts'
import { EVENT_TYPES, type EventType, USER_STATUSES } from './words.ts'

/**
 * The state of a world: plain JSON, described by one schema for each kind of row. Schemas are
 * functions, because they take time to build. A field that is new since a state was stored takes
 * its default, so a field that is added needs one. Rows are made as literals in the order of their
 * schema.
 */

export const FORMAT_VERSION = 2

/** Long enough for the full title of a test. */
export const SEED_LENGTH_MAX = 1_000
/** The last instant that a date can hold; tasks may be scheduled after the end of the clock. */
const DATE_MAX = 8.64e15
/** Counting goes on from any count of a state, and far beyond it numbers stop growing by 1. */
const COUNT_MAX = 1e15
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const Text = () => z.string()
const Name = () => z.string().min(1)
const Flag = () => z.boolean()
const Count = () => z.int().min(0).max(COUNT_MAX)
const Ordinal = () => z.int().min(1).max(COUNT_MAX)
/** World time in ms since 1970. */
const Time = () => z.int().min(INSTANT_MIN).max(DATE_MAX)
/** Money, and coins, in millionths. */
const Micros = () => z.int()
/** UUIDs may be written in any case (RFC 9562); rows have them in lower case. */
const Uuid = () => matching(UUID, 'a UUID').toLowerCase()
/** The id of a user or a transaction in another row. */
const Ref = () => Text().toLowerCase()
export const Reasons = () => z.array(z.string().max(500)).max(20)
/** A field that may be null is null where it is missing. */
const OrNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)
const History = <Status extends z.ZodType>(status: Status) =>
  z.array(z.strictObject({ status, at: Time() })).min(1)

const matching = (pattern: RegExp, expected: string) =>
  z.string().regex(pattern, `must be ${expected}`)

/** The webhooks of v1, each with its own switch and URL, and with the type of the events that it reports. */
export const LEGACY_HOOK_TYPES = {
  verifiedEmail: 'user.update',
  transactionInitiated: 'transaction.update',
  transactionComplete: 'transaction.update',
  transactionStatusUpdate: 'transaction.update',
} as const satisfies Record<string, EventType>
export type LegacyHook = keyof typeof LEGACY_HOOK_TYPES
export const LEGACY_HOOKS = Object.keys(LEGACY_HOOK_TYPES) as [LegacyHook, ...LegacyHook[]]

/** The fields of v1's `/webhooks`. */
export const LegacyWebhooks = () =>
  z.strictObject({
    verifiedEmailEnabled: SentWhen('a user is verified'),
    transactionInitiatedEnabled: SentWhen('a transaction is created'),
    transactionCompleteEnabled: SentWhen('a transaction is complete'),
    transactionStatusUpdateEnabled: SentWhen('the status of a transaction changes'),
    verifiedEmailUrl: GoesWhen('a user is verified'),
    transactionInitiatedUrl: GoesWhen('a transaction is created'),
    transactionCompleteUrl: GoesWhen('a transaction is complete'),
    transactionStatusUpdateUrl: GoesWhen('the status of a transaction changes'),
  })
export type LegacyWebhooks = z.output<ReturnType<typeof LegacyWebhooks>>

const SentWhen = (cause: string) => z.boolean().describe(`Whether a webhook is sent when ${cause}.`)
const GoesWhen = (cause: string) =>
  z.string().describe(`URL for the webhook that is sent when ${cause}; an empty string removes it.`)

export const allLegacyWebhooks = (url = '', enabled = url !== ''): LegacyWebhooks => ({
  verifiedEmailEnabled: enabled,
  transactionInitiatedEnabled: enabled,
  transactionCompleteEnabled: enabled,
  transactionStatusUpdateEnabled: enabled,
  verifiedEmailUrl: url,
  transactionInitiatedUrl: url,
  transactionCompleteUrl: url,
  transactionStatusUpdateUrl: url,
})

const WebhookConfiguration = () =>
  z.strictObject({ url: z.url(), createdAt: Time(), updatedAt: Time() })
export type WebhookConfiguration = z.output<ReturnType<typeof WebhookConfiguration>>

export const Integrator = () =>
  z.strictObject({
    name: matching(NAME, NAME_RULE),
    apiKey: matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable ASCII characters without a space'),
    /** Approved to act without a token for users who granted it (contract, User: accessibleBy). */
    actsWithoutToken: Flag(),
    signingSecret: OrNull(matching(/^[\x21-\x7e]{1,200}$/, 'text without spaces')),
    /** Counts the secrets, so that each rotation derives a new one. */
    secretCount: Count(),
    previousSecret: OrNull(Text()),
    webhook: OrNull(WebhookConfiguration()),
    legacyWebhooks: OrNull(LegacyWebhooks()),
  })
export type Integrator = z.output<ReturnType<typeof Integrator>>

export const User = () =>
  z.strictObject({
    id: Uuid(),
    email: z.string().refine(isEmail, 'must be an e-mail address'),
    createdAt: Time(),
    status: z.enum(USER_STATUSES),
    /** Names of the integrators this user is linked to. */
    integrators: z.array(Text()).min(1),
    keyAccess: Flag(),
    profile: Profile(),
    /** Reasons of the reviewer, shown in the control API only. */
    reasons: Reasons(),
    autodeposit: Flag(),
    /** A maximum per transaction that differs from the setting, in CAD. */
    maximumCad: OrNull(z.number().min(0).max(1e9)),
    /** A fixed login code, for scripts that cannot read the inbox. */
    loginCode: OrNull(matching(/^\d{4}$/, 'four digits, as text')),
    history: History(z.enum(USER_STATUSES)),
    transactionCount: Count(),
    loginCodeCount: Count(),
    kycLinkCount: Count(),
  })
export type User = z.output<ReturnType<typeof User>>

const LoginCode = () =>
  z.strictObject({
    userId: Ref(),
    integrator: Text(),
    code: Text(),
    expiresAt: Time(),
    attempts: Count(),
    spent: Flag(),
  })
export type LoginCode = z.output<ReturnType<typeof LoginCode>>

/** Record of an access token: tokens without one, such as those from before a reset, are refused. */
const Session = () =>
  z.strictObject({
    /** From the seed; the token has it as `jti`. */
    id: Text(),
    userId: Ref(),
    integrator: Text(),
    /** Instant in the token, in seconds: by the world's clock or by the wall clock. */
    iat: z.int(),
    exp: z.int(),
    issuedAt: Time(),
    expiresAt: Time(),
    /** Length of the user's status history at the login. */
    statusCount: Ordinal(),
  })
export type Session = z.output<ReturnType<typeof Session>>

const KycLink = () => z.strictObject({ token: Text(), userId: Ref(), expiresAt: Time() })
export type KycLink = z.output<ReturnType<typeof KycLink>>

export const COINS = ['USDC', 'CADC'] as const
const Coin = () => z.enum(COINS)
export type Coin = (typeof COINS)[number]
const Side = () => z.enum(['buy', 'sell'])

const Quote = () =>
  z.strictObject({
    quoteId: z.int(),
    integrator: OrNull(Text()),
    side: Side(),
    coin: Coin(),
    leftSideLabel: Text(),
    leftSide: Micros(),
    rightSideLabel: Text(),
    rightSide: Micros(),
    rate: Ordinal(),
    fee: Micros(),
    gas: Micros(),
    spread: Micros(),
    createdAt: Time(),
    expiresAt: Time(),
    uses: Count(),
  })
export type Quote = z.output<ReturnType<typeof Quote>>

export const Transaction = () =>
  z.strictObject({
    id: Uuid(),
    userId: Ref(),
    integrator: Text(),
    side: Side(),
    createdAt: Time(),
    closedAt: OrNull(Time()),
    coin: Coin(),
    leftSideLabel: Text(),
    leftSide: Micros(),
    rightSideLabel: Text(),
    rightSide: Micros(),
    rate: Ordinal(),
    fee: Micros(),
    gas: Micros(),
    spread: Micros(),
    /** A `KnownTransactionStatus`, or any other that was forced. */
    status: Name(),
    wallet: z.string().max(LENGTHS.wallet.max),
    paymentType: Text(),
    paymentId: OrNull(z.string().min(1).max(200)),
    rmtId: Text(),
    depositAddress: Text(),
    quoteId: z.int(),
    securityAnswer: OrNull(Text()),
    history: History(Text()),
    ...givenFields(OrNull),
  })
export type Transaction = z.output<ReturnType<typeof Transaction>>

const KybSubmission = () =>
  z.strictObject({
    id: Name(),
    integrator: Text(),
    at: Time(),
    submission: z.record(z.string(), z.unknown()),
  })
export type KybSubmission = z.output<ReturnType<typeof KybSubmission>>

/** Ways in which a world changes other than by an API call. */
export const ACTION_KINDS = ['simulation', 'clock', 'change', 'task'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** The call or action that made something happen, at its position in the journal. */
const Cause = () =>
  z.strictObject({
    kind: z.enum(['call', ...ACTION_KINDS]),
    id: Text(),
    /** The operation, or what the task did. */
    name: OrNull(Text()),
    pos: Ordinal(),
  })
export type Cause = z.output<ReturnType<typeof Cause>>

/** A fact in the world, for one integrator. `status` repeats the payload's, for filters. */
const EventOf = <Type extends EventType>(type: Type) =>
  z.strictObject({
    id: Text(),
    pos: Ordinal(),
    cause: OrNull(Cause()),
    at: Time(),
    type: z.literal(type),
    ref: Ref(),
    status: Text(),
    created: Flag(),
    integrator: Text(),
    payload: stored(EVENTS[type].payload()) as unknown as z.ZodType<EventPayloads[Type]>,
  })
/** Payloads are described for webhooks, in which no field is missing. */
const stored = ({ shape }: z.ZodObject) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        field instanceof z.ZodNullable ? field.default(null) : field,
      ]),
    ),
  )
const WorldEvent = () =>
  z.discriminatedUnion('type', EVENT_TYPES.map(EventOf) as never) as z.ZodType<WorldEvent>
/** A switch over its type knows the payload, and does not compile when a type is added. */
export type WorldEvent = {
  [Type in EventType]: z.output<ReturnType<typeof EventOf<Type>>>
}[EventType]

export const MESSAGE_KINDS = [
  'login-code',
  'kyc-result',
  'money-request',
  'deposit-instructions',
  'bank-refusal',
  'payout',
  'transaction-closed',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** A message that the service or the bank sent to a user. */
const Message = () =>
  z.strictObject({
    id: Text(),
    pos: Ordinal(),
    cause: OrNull(Cause()),
    to: Text(),
    kind: z.enum(MESSAGE_KINDS),
    subject: Text(),
    text: Text(),
    code: OrNull(Text()),
    ref: OrNull(Ref()),
    sentAt: Time(),
  })
export type Message = z.output<ReturnType<typeof Message>>

/** Work to be done at a future instant. `order` breaks ties by insertion. */
const Task = () =>
  z.strictObject({
    at: Time(),
    order: Count(),
    kind: z.enum([
      'expire-transaction',
      'receive-funds',
      'settle-transaction',
      'change-kyc-status',
    ]),
    ref: Ref(),
    status: OrNull(z.enum(USER_STATUSES)),
    reasons: OrNull(Reasons()),
  })
export type Task = z.output<ReturnType<typeof Task>>
export type TaskKind = Task['kind']

/** The lists of a world, by the schema of their rows. */
export const LISTS = {
  integrators: Integrator,
  users: User,
  loginCodes: LoginCode,
  sessions: Session,
  kycLinks: KycLink,
  quotes: Quote,
  transactions: Transaction,
  kybSubmissions: KybSubmission,
  events: WorldEvent,
  messages: Message,
  tasks: Task,
} satisfies Record<string, () => z.ZodType>

export type ListName = keyof typeof LISTS
export type RowOf<Name extends ListName> = z.output<ReturnType<(typeof LISTS)[Name]>>
export type Lists = { [Name in ListName]: RowOf<Name>[] }
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

const ClockMode = () => z.enum(['frozen', 'running'])
export type ClockMode = z.output<ReturnType<typeof ClockMode>>

const Rate = () => z.strictObject({ cad: z.number().positive() })
const Rates = () => z.strictObject({ USDC: Rate(), CADC: Rate() })
export type Rates = z.output<ReturnType<typeof Rates>>

/** Fields of a state beside its lists. */
export const Scalars = () =>
  z.object({
    formatVersion: z.literal(FORMAT_VERSION),
    seed: Name(),
    /** Mixed into links, codes and tokens where others may know the seed. */
    secret: Name().optional(),
    fixture: Text(),
    now: Time().max(INSTANT_MAX),
    mode: ClockMode(),
    /** Only what differs from the defaults. */
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
    rates: Rates(),
    nextQuoteId: Ordinal(),
    /** Position of the newest entry of the journal; it never goes back. */
    position: Count(),
    taskCount: Count(),
  })

export type State = z.output<ReturnType<typeof Scalars>> & Lists
