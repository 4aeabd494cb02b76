import type { Side } from '../world/money.ts'
import type { Profile } from '../world/profile.ts'
import type { Coin, UserStatus } from '../world/state.ts'
import type { TransactionStatus } from './types.ts'

export interface StatusChange<Status> {
  status: Status
  /** World time, ISO 8601. */
  at: string
}

interface Counter {
  count: number
  maximum: number
}

/** A user in full, as only the control API shows it. Times are ISO 8601, in world time. */
export interface UserRecord {
  id: string
  email: string
  status: UserStatus
  createdAt: string
  /** Names of the integrators the user is linked to. */
  integrators: string[]
  /** Whether the user granted key-only access. */
  keyAccess: boolean
  profile: { [Field in keyof Profile]-?: NonNullable<Profile[Field]> | null }
  /** Why a reviewer rejected, or asked for more. */
  reasons: string[]
  requirements: { complete: boolean; outstanding: { field: string; message: string }[] }
  /** How near the user is to the limits; `window` is a length of time. */
  limits: {
    minimumCad: number
    maximumCad: number
    window: string
    active: Counter
    cancelledOrExpired: Counter
  }
  account: { autodeposit: boolean; maximumCad: number | null; loginCode: string | null }
  transactionCount: number
  history: StatusChange<UserStatus>[]
}

/** A transaction in full, as only the control API shows it. Times are ISO 8601, in world time. */
export interface TransactionRecord {
  id: string
  side: Side
  status: TransactionStatus
  /** Name of the integrator that created it. */
  integrator: string
  userId: string
  email: string
  createdAt: string
  /** When it became final. */
  closedAt: string | null
  /** When it expires, while it can. */
  expiresAt: string | null
  coin: Coin
  leftSideLabel: string
  leftSideValue: number
  rightSideLabel: string
  rightSideValue: number
  quoteId: number
  /** CAD per coin. */
  rate: number
  /** In CAD. */
  breakdown: { fee: number; gas: number; spread: number; total: number }
  wallet: string
  depositAddress: string
  paymentType: string
  paymentId: string | null
  rmtId: string
  externalSessionId: string | null
  securityAnswer: string | null
  /** Where it may go from here. */
  allowed: TransactionStatus[]
  history: StatusChange<TransactionStatus>[]
}
