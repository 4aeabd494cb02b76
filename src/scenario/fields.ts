import type { Json } from '../client/http.ts'

const IDS = ['id', 'userId', 'transactionId', 'txId', 'tx_id', 'tx']

/** Fields whose values the service makes, so that they differ from run to run. */
const MADE: ReadonlySet<string> = new Set([
  ...IDS,
  'etransferSecurityAnswer',
  'code',
  'login_code',
  'paymentId',
  'payment_id',
  'eventId',
  'rmtId',
  'rmt',
  'signingSecret',
  'quoteId',
  'gasId',
  'shareToken',
  'share_token',
  'accessToken',
  'token',
  'url',
  'verificationLink',
  'verifiedEmailUrl',
  'transactionInitiatedUrl',
  'transactionCompleteUrl',
  'transactionStatusUpdateUrl',
  'walletAddress',
  'wallet',
  'depositAddress',
])

/** Texts of the service that are the same in every run. */
const WORDS: ReadonlySet<string> = new Set([
  'field',
  'source_of_funds',
  'paymentType',
  'payment_type',
  'tokenType',
  'status',
  'userStatus',
  'accessibleBy',
  'type',
  'apiVersion',
])

export const isId = (field: string): boolean => IDS.includes(field)
export const isMade = (field: string): boolean => MADE.has(field)
/** Recognises what a saved scenario expects: amounts, counts, switches and words. */
export const isExpected = (value: Json, field: string): boolean =>
  !isMade(field) && (typeof value !== 'string' || WORDS.has(field))

export const isObject = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A body with each of its values replaced. */
export function mapFields(
  value: Json,
  replace: (value: Json, field: string) => Json,
  field = '',
): Json {
  if (Array.isArray(value)) return value.map((part) => mapFields(part, replace, field))
  if (!isObject(value)) return replace(value, field)
  const fields = Object.entries(value).map(([key, part]) => [key, mapFields(part, replace, key)])
  return Object.fromEntries(fields)
}
