import type { Micros, Side } from './money.ts'
import type { Profile } from './profile.ts'
import type { SettingValue } from './settings/setting.ts'

/** The whole of a world as plain JSON. Times are milliseconds since 1970; money is in micros. */
export interface State {
  formatVersion: 1
  seed: string
  /** Mixed into links, codes and tokens where others may know the seed. */
  secret?: string | undefined
  fixture: string
  now: number
  mode: ClockMode
  /** Only what differs from the defaults. */
  settings: Record<string, SettingValue>
  /** How the demo wallet looks, where a fixture says so. */
  brand?: Brand | undefined
  /** CAD per coin. */
  rates: Rates
  nextQuoteId: number
  custody?: Custody | undefined
  /** How many of each there ever were, so that cursors never repeat. */
  eventCount: number
  messageCount: number
  /** The next task's `order`. */
  taskCount: number
  integrators: Integrator[]
  users: User[]
  loginCodes: LoginCode[]
  sessions: Session[]
  kycLinks: KycLink[]
  quotes: Quote[]
  transactions: Transaction[]
  kybSubmissions: KybSubmission[]
  events: WorldEvent[]
  messages: Message[]
  tasks: Task[]
}

/** A customer's own: all are optional, as in the demo's address. */
export interface Brand {
  name?: string | undefined
  /** Colours such as `#0a7d5a`. */
  accent?: string | undefined
  card?: string | undefined
  /** A `data:` URI of a picture, or a path of this sandbox. */
  logo?: string | undefined
}

/** Coins that are held outside of the sandbox, which sends and receives them through levers. */
export interface Custody {
  /** Source of deposit addresses and payments: no two worlds, and no two lives of one, share it. */
  seed: string
  /** Suffixes of the labels of these coins, such as `ETH`. */
  networks: string[]
}

export type ClockMode = 'frozen' | 'running'
export type Coin = 'USDC' | 'CADC'
export type Rates = Record<Coin, { cad: number }>

export interface Integrator {
  name: string
  apiKey: string
  /** Approved to act without a token for users who granted it (contract, User: accessibleBy). */
  actsWithoutToken: boolean
  signingSecret: string | null
  /** How many there were, so that each rotation derives another. */
  secretCount: number
  previousSecret: string | null
  webhook: WebhookConfiguration | null
  legacyWebhooks: LegacyWebhooks | null
}

/** The webhooks of v1, each with its own switch and URL. */
export const LEGACY_HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const
export type LegacyHook = (typeof LEGACY_HOOKS)[number]
export type LegacyWebhooks = Record<LegacyHook, { enabled: boolean; url: string }>

/** All four alike: by default off. */
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

export interface User {
  id: string
  email: string
  createdAt: number
  status: UserStatus
  /** Names of the integrators this user is linked to. */
  integrators: string[]
  /** Whether the user granted key-only access. */
  keyAccess: boolean
  profile: Profile
  /** Why a reviewer rejected, or asked for more; shown in the control API only. */
  reasons: string[]
  autodeposit: boolean
  /** A maximum per transaction that differs from the setting, in CAD. */
  maximumCad: number | null
  /** A fixed login code, for scripts that cannot read the inbox. */
  loginCode: string | null
  history: StatusChange<UserStatus>[]
  transactionCount: number
  loginCodeCount: number
  kycLinkCount: number
}

export interface StatusChange<Status> {
  status: Status
  at: number
}

export interface LoginCode {
  userId: string
  integrator: string
  code: string
  expiresAt: number
  attempts: number
  spent: boolean
}

/** What an access token stands for, so that only tokens of this life of the world count. */
export interface Session {
  /** From the seed; the token has it as `jti`. */
  id: string
  userId: string
  integrator: string
  /** What the token says, in seconds: by the world's clock or by the wall clock. */
  iat: number
  exp: number
  /** World time. */
  issuedAt: number
  expiresAt: number
  /** How many statuses the user had had. */
  statusCount: number
}

export interface KycLink {
  token: string
  userId: string
  expiresAt: number
}

/** What is exchanged for what. */
interface Priced {
  side: Side
  coin: Coin
  leftSideLabel: string
  leftSide: Micros
  rightSideLabel: string
  rightSide: Micros
  rate: Micros
  fee: Micros
  gas: Micros
  spread: Micros
}

export interface Quote extends Priced {
  quoteId: number
  integrator: string | null
  createdAt: number
  expiresAt: number
  uses: number
}

export type KnownTransactionStatus =
  | 'pending request money transfer'
  | 'processing request money transfer'
  | 'complete'
  | 'cancelled'
  | 'expired'

export interface Transaction extends Priced {
  id: string
  userId: string
  integrator: string
  createdAt: number
  /** Null while active. */
  closedAt: number | null
  /** A `KnownTransactionStatus`, or any other that was forced. */
  status: string
  wallet: string
  paymentType: string
  paymentId: string | null
  rmtId: string
  depositAddress: string
  quoteId: number
  externalSessionId: string | null
  securityAnswer: string | null
  history: StatusChange<string>[]
}

export interface KybSubmission {
  id: string
  integrator: string
  at: number
  submission: Record<string, unknown>
}

export type EventType = 'user.update' | 'transaction.update'

/** A fact in the world, for one integrator. `status` repeats the payload's, for filters. */
export interface WorldEvent {
  readonly id: string
  readonly cursor: number
  readonly at: number
  readonly type: EventType
  /** Id of the transaction or user. */
  readonly ref: string
  readonly status: string
  /** True for the first event of a transaction. */
  readonly created: boolean
  readonly integrator: string
  readonly payload: UserPayload | TransactionPayload
}

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
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What the service, or the bank, sent to a user. */
export interface Message {
  id: string
  cursor: number
  to: string
  kind: MessageKind
  subject: string
  text: string
  code: string | null
  ref: string | null
  sentAt: number
}

export type TaskKind =
  | 'expire-transaction'
  | 'receive-funds'
  | 'settle-transaction'
  | 'change-kyc-status'

/** Work to be done at a future instant. `order` breaks ties by insertion. */
export interface Task {
  at: number
  order: number
  kind: TaskKind
  /** Id of the transaction or user. */
  ref: string
  status: UserStatus | null
  reasons: string[] | null
}
