/** Words that types of the package use. This file imports nothing, so that the published types depend on no library. */

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

export const TRANSACTION_STATUSES = [
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'expired',
] as const
export type KnownTransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Types of events, each with its id in the OpenAPI document. Settings refer to events by these ids. */
export const EVENT_IDS = {
  'user.update': 'onUserUpdate',
  'transaction.update': 'onTransactionUpdate',
} as const
export type EventType = keyof typeof EVENT_IDS
export const EVENT_TYPES = Object.keys(EVENT_IDS) as [EventType, ...EventType[]]

export const SHARE_TOKEN_KINDS = ['valid', 'expired', 'incomplete', 'not-found'] as const
export type ShareTokenKind = (typeof SHARE_TOKEN_KINDS)[number]
