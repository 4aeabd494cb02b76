import type { Micros } from './money.ts'
import type { Profile } from './profile.ts'
import type { SettingValue } from './settings/setting.ts'

/** Long enough for the full title of a test. */
export const SEED_LENGTH_MAX = 1_000

/** The whole of a world as plain JSON. Times are milliseconds since 1970; money is in micros. */
export interface State extends Lists {
  formatVersion: 1
  seed: string
  /** Mixed into links, codes and tokens where others may know the seed. */
  secret?: string | undefined
  fixture: string
  now: number
  mode: ClockMode
  /** Only what differs from the defaults. */
  settings: Record<string, SettingValue>
  rates: Rates
  nextQuoteId: number
  /** Counts of all rows ever, so that cursors never repeat. */
  eventCount: number
  messageCount: number
  taskCount: number
}

export type ClockMode = 'frozen' | 'running'
export type Rates = Record<Coin, { cad: number }>

/**
 * Kinds of values in rows. A row is declared once, by the kinds of its fields. Its type and the
 * check in `store/read-state.ts` are derived from that.
 */
export interface Kinds {
  text: string
  texts: string[]
  name: string
  uuid: string
  flag: boolean
  int: number
  count: number
  ordinal: number
  micros: Micros
  number: number
  /** World time in ms. */
  time: number
  user: string
  integrator: string
  integrators: string[]
  webhook: WebhookConfiguration
  legacyWebhooks: LegacyWebhooks
  profile: Profile
  history: StatusChange<string>[]
  userHistory: StatusChange<UserStatus>[]
  userStatus: UserStatus
  payload: UserPayload | TransactionPayload
  json: Record<string, unknown>
}

/** A `?` allows null as well. A list of texts allows any one of them. */
export type Kind = keyof Kinds | `${keyof Kinds}?` | readonly string[]
export type Fields = Readonly<Record<string, Kind>>

type ValueOf<Of extends Kind> = Of extends `${infer Kind extends keyof Kinds}?`
  ? Kinds[Kind] | null
  : Of extends keyof Kinds
    ? Kinds[Of]
    : Of[number]
type Row<Of extends Fields> = { -readonly [Name in keyof Of]: ValueOf<Of[Name]> }

const INTEGRATOR = {
  name: 'name',
  apiKey: 'name',
  /** Approved to act without a token for users who granted it (contract, User: accessibleBy). */
  actsWithoutToken: 'flag',
  signingSecret: 'text?',
  /** Counts the secrets, so that each rotation derives a new one. */
  secretCount: 'count',
  previousSecret: 'text?',
  webhook: 'webhook?',
  legacyWebhooks: 'legacyWebhooks?',
} as const

/** The webhooks of v1, each with its own switch and URL. */
export const LEGACY_HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const
export type LegacyHook = (typeof LEGACY_HOOKS)[number]
export type LegacyWebhooks = Record<LegacyHook, { enabled: boolean; url: string }>

export const allLegacyWebhooks = (url = '', enabled = url !== ''): LegacyWebhooks => ({
  verifiedEmail: { enabled, url },
  transactionInitiated: { enabled, url },
  transactionComplete: { enabled, url },
  transactionStatusUpdate: { enabled, url },
})

export interface WebhookConfiguration {
  url: string
  createdAt: number
  updatedAt: number
}

export const USER_STATUSES = [
  'initial',
  'active',
  'verified',
  'rejected',
  'inactive',
  'upload',
  'in-review',
] as const
export type UserStatus = (typeof USER_STATUSES)[number]

const USER = {
  id: 'uuid',
  email: 'text',
  createdAt: 'time',
  status: USER_STATUSES,
  /** Names of the integrators this user is linked to. */
  integrators: 'integrators',
  keyAccess: 'flag',
  profile: 'profile',
  /** Reasons of the reviewer, shown in the control API only. */
  reasons: 'texts',
  autodeposit: 'flag',
  /** A maximum per transaction that differs from the setting, in CAD. */
  maximumCad: 'number?',
  /** A fixed login code, for scripts that cannot read the inbox. */
  loginCode: 'text?',
  history: 'userHistory',
  transactionCount: 'count',
  loginCodeCount: 'count',
  kycLinkCount: 'count',
} as const

export interface StatusChange<Status> {
  status: Status
  at: number
}

const LOGIN_CODE = {
  userId: 'user',
  integrator: 'integrator',
  code: 'text',
  expiresAt: 'time',
  attempts: 'count',
  spent: 'flag',
} as const

/** Record of an access token: tokens without one, such as those of an earlier life, are refused. */
const SESSION = {
  /** From the seed; the token has it as `jti`. */
  id: 'text',
  userId: 'user',
  integrator: 'integrator',
  /** Instant in the token, in seconds: by the world's clock or by the wall clock. */
  iat: 'int',
  exp: 'int',
  issuedAt: 'time',
  expiresAt: 'time',
  /** Length of the user's status history at the login. */
  statusCount: 'ordinal',
} as const

const KYC_LINK = { token: 'text', userId: 'user', expiresAt: 'time' } as const

export const COINS = ['USDC', 'CADC'] as const

/** Pair of what is paid and what is received. */
const PRICED = {
  side: ['buy', 'sell'],
  coin: COINS,
  leftSideLabel: 'text',
  leftSide: 'micros',
  rightSideLabel: 'text',
  rightSide: 'micros',
  rate: 'ordinal',
  fee: 'micros',
  gas: 'micros',
  spread: 'micros',
  quoteId: 'int',
  createdAt: 'time',
} as const

const QUOTE = {
  integrator: 'integrator?',
  expiresAt: 'time',
  uses: 'count',
  ...PRICED,
} as const

export type KnownTransactionStatus =
  | 'pending request money transfer'
  | 'processing request money transfer'
  | 'complete'
  | 'cancelled'
  | 'expired'

const TRANSACTION = {
  id: 'uuid',
  userId: 'user',
  integrator: 'integrator',
  closedAt: 'time?',
  /** A `KnownTransactionStatus`, or any other that was forced. */
  status: 'name',
  wallet: 'text',
  paymentType: 'text',
  paymentId: 'text?',
  rmtId: 'text',
  depositAddress: 'text',
  externalSessionId: 'text?',
  securityAnswer: 'text?',
  history: 'history',
  ...PRICED,
} as const

const KYB_SUBMISSION = {
  id: 'name',
  integrator: 'integrator',
  at: 'time',
  submission: 'json',
} as const

/** A fact in the world, for one integrator. `status` repeats the payload's, for filters. */
const EVENT = {
  id: 'text',
  cursor: 'ordinal',
  at: 'time',
  type: ['user.update', 'transaction.update'],
  ref: 'text',
  status: 'text',
  created: 'flag',
  integrator: 'integrator',
  payload: 'payload',
} as const

export interface UserPayload {
  userId: string
  email: string
  status: string
}

export interface TransactionPayload {
  transactionId: string
  status: string
  email: string
  wallet: string
  paymentId: string | null
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  rightSideValue: number
  etransferSecurityAnswer: string | null
  externalSessionId: string | null
}

export const MESSAGE_KINDS = [
  'login-code',
  'kyc-result',
  'money-request',
  'deposit-instructions',
  'bank-refusal',
  'payout',
  'transaction-closed',
] as const
/** Message that the service, or the bank, sent to a user. */
const MESSAGE = {
  id: 'text',
  cursor: 'ordinal',
  to: 'text',
  kind: MESSAGE_KINDS,
  subject: 'text',
  text: 'text',
  code: 'text?',
  ref: 'text?',
  sentAt: 'time',
} as const

/** Work to be done at a future instant. `order` breaks ties by insertion. */
const TASK = {
  at: 'time',
  order: 'count',
  kind: ['expire-transaction', 'receive-funds', 'settle-transaction', 'change-kyc-status'],
  ref: 'text',
  status: 'userStatus?',
  reasons: 'texts?',
} as const

/** The lists of a world, by what their rows hold. */
export const LISTS = {
  integrators: INTEGRATOR,
  users: USER,
  loginCodes: LOGIN_CODE,
  sessions: SESSION,
  kycLinks: KYC_LINK,
  quotes: QUOTE,
  transactions: TRANSACTION,
  kybSubmissions: KYB_SUBMISSION,
  events: EVENT,
  messages: MESSAGE,
  tasks: TASK,
} satisfies Record<string, Fields>

export type ListName = keyof typeof LISTS
export type RowOf<Name extends ListName> = Row<(typeof LISTS)[Name]>
export type Lists = { [Name in ListName]: RowOf<Name>[] }
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

export type Integrator = RowOf<'integrators'>
export type User = RowOf<'users'>
export type LoginCode = RowOf<'loginCodes'>
export type Session = RowOf<'sessions'>
export type KycLink = RowOf<'kycLinks'>
export type Quote = RowOf<'quotes'>
export type Transaction = RowOf<'transactions'>
export type KybSubmission = RowOf<'kybSubmissions'>
export type WorldEvent = RowOf<'events'>
export type Message = RowOf<'messages'>
export type Task = RowOf<'tasks'>

export type Coin = Quote['coin']
export type EventType = WorldEvent['type']
export type MessageKind = Message['kind']
export type TaskKind = Task['kind']
