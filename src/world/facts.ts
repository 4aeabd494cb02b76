import type { UserStatus } from './state.ts'

export type EventType = 'user.update' | 'transaction.update'

/** A fact in the world, told to one integrator. `status` repeats the payload's, for filters. */
export interface WorldEvent {
  readonly id: string
  readonly cursor: number
  readonly at: number
  readonly type: EventType
  /** The transaction or user it is about. */
  readonly ref: string
  readonly status: string
  /** True for the first event of a transaction, the one that tells of its creation. */
  readonly created: boolean
  readonly integrator: string
  readonly payload: UserPayload | TransactionPayload
}

/** An event of a transaction in short: all of it that the transaction does not tell. */
export interface TransactionNote {
  cursor: number
  at: number
  /** The transaction. */
  ref: string
  status: string
  paymentId: string | null
  /** How many statuses the transaction had had, this one included. */
  ordinal: number
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

/** What the service, or the bank, wrote to a user. */
export interface Message {
  id: string
  cursor: number
  to: string
  kind: MessageKind
  subject: string
  text: string
  code: string | null
  /** The transaction it is about, if any. */
  ref: string | null
  sentAt: number
}

export type TaskKind =
  | 'expire-transaction'
  | 'receive-funds'
  | 'settle-transaction'
  | 'change-kyc-status'

/** Work that the world owes to a future instant. `order` breaks ties by insertion. */
export interface Task {
  at: number
  order: number
  kind: TaskKind
  ref: string
  /** The status a delayed KYC simulation leads to. */
  status: UserStatus | null
  reasons: string[] | null
}
