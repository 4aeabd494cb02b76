import type { SettingId } from '../world/settings/index.ts'

/** Gaps of the contract that several operations of v2, v1 and the webhooks rest on. */
type Assumptions = readonly SettingId[]

/** Acting for a user. */
export const ACTING: Assumptions = ['access.subject', 'errors.otherUser']

/** The fields of a user. */
export const PROFILE: Assumptions = ['users.minimumAge', 'users.formats']

/** What a quote costs. */
export const PRICING: Assumptions = [
  'quotes.labels',
  'quotes.fee',
  'quotes.spread',
  'quotes.gas.ethereum',
  'quotes.gas.solana',
  'quotes.gas.other',
]

/** Creating a transaction, in either generation. */
export const ORDERING: Assumptions = [
  'transactions.quoteMismatch',
  'transactions.wallet',
  'quotes.reuse',
  'limits.cancelled.from',
  'errors.notVerified',
]

/** How a transaction moves, and what it is called then. */
export const MOVING: Assumptions = [
  'transactions.paymentType',
  'transactions.cancelledStatus',
  'transactions.sending',
  'transactions.settlement',
  'transactions.fundsAfter',
  'transactions.settleAfter',
  'transactions.bankRefused',
  'transactions.expiryLag',
]
