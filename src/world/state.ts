import type { Message, Task, WorldEvent } from './facts.ts'
import type { Scheduled } from './schedule.ts'
import type { UserTransactions } from './user-transactions.ts'

/** The whole of a world as plain JSON. Times are milliseconds since 1970; money is in micros. */
export interface State {
  formatVersion: 1
  seed: string
  fixture: string
  /** World time. */
  now: number
  /** Whether world time follows the wall clock. */
  mode: ClockMode
  /** Only what differs from the defaults of `policy.ts`. */
  settings: Record<string, SettingValue>
  rates: Rates
  nextQuoteId: number
  /** How many rows were ever made of each journalled kind, so that cursors never repeat. */
  eventCount: number
  messageCount: number
  /** How many tasks were ever planned; the next one's `order`. */
  taskCount: number
  integrators: Integrator[]
  users: User[]
  loginCodes: LoginCode[]
  kycLinks: KycLink[]
  quotes: Quote[]
  transactions: Transaction[]
  kybSubmissions: KybSubmission[]
  events: WorldEvent[]
  messages: Message[]
  tasks: Task[]
}

export type ClockMode = 'frozen' | 'running'
export type SettingValue = string | number
export type Coin = 'USDC' | 'CADC'
/** CAD per coin. */
export type Rates = Record<Coin, { cad: number }>
/** A whole number of millionths, of a dollar or of a coin. */
export type Micros = number
export type Side = 'buy' | 'sell'

export interface Integrator {
  name: string
  apiKey: string
  /** Approved to act without a token for users who granted it (contract, User: accessibleBy). */
  actsWithoutToken: boolean
  signingSecret: string | null
  /** Secrets drawn so far, so that each rotation draws another. */
  secretCount: number
  /** The secret before the last rotation, for the signature doctor only. */
  previousSecret: string | null
  webhook: WebhookConfiguration | null
  legacyWebhooks: LegacyWebhooks | null
}

export interface WebhookConfiguration {
  url: string
  createdAt: number
  updatedAt: number
}

export const LEGACY_HOOKS = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
] as const
export type LegacyHook = (typeof LEGACY_HOOKS)[number]
export type LegacyWebhooks = Record<LegacyHook, { enabled: boolean; url: string }>

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

export interface Profile {
  firstName?: string
  lastName?: string
  dob?: string
  phone?: string
  addressLine1?: string
  addressLine2?: string
  city?: string
  province?: string
  postalCode?: string
  occupation?: string
  purpose?: string
  pep?: boolean
  tpd?: boolean
  olderUserInfo?: Record<string, string>
}

// What a row leads to in its world, at hand where an index would have to be searched. Under symbols, so
// that no export and no answer holds it.
export const OWED: unique symbol = Symbol('owed')
export const BOOK: unique symbol = Symbol('book')

/** Whoever tasks are about, with the newest of them. */
export interface Debtor {
  id: string
  [OWED]?: Scheduled | null
}

export interface User extends Debtor {
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
  /** A maximum per transaction that differs from the policy's, in CAD. */
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

export interface KycLink {
  token: string
  userId: string
  expiresAt: number
}

export const SHARE_TOKEN_KINDS = ['valid', 'expired', 'incomplete', 'not-found'] as const
export type ShareTokenKind = (typeof SHARE_TOKEN_KINDS)[number]

export interface Quote {
  quoteId: number
  integrator: string | null
  side: Side
  coin: Coin
  leftSideLabel: string
  leftSide: Micros
  rightSideLabel: string
  rightSide: Micros
  /** CAD per coin, locked. */
  rate: Micros
  fee: Micros
  gas: Micros
  spread: Micros
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

export interface Transaction extends Debtor {
  /** Its user's. */
  [BOOK]?: UserTransactions | null
  userId: string
  /** Name of the integrator that created it. */
  integrator: string
  side: Side
  createdAt: number
  /** When it became final; null while active. */
  closedAt: number | null
  coin: Coin
  leftSideLabel: string
  leftSide: Micros
  rightSideLabel: string
  rightSide: Micros
  rate: Micros
  fee: Micros
  gas: Micros
  spread: Micros
  /** A `KnownTransactionStatus`, or any other that a test forced. */
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
