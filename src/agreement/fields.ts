import type { Json } from '../client/http.ts'
import { KYB_PURPOSES, SOURCES_OF_FUNDS } from '../world/kyb.ts'
import { USER_STATUSES } from '../world/state.ts'
import * as forms from './forms.ts'

/** Fields that hold the same sort of value. */
interface FieldKind {
  /**
   * The fields by name. A name means the same everywhere, but for those after the id of an operation
   * or `webhook`: `submitKyb` sends lists of people as one text each.
   */
  names: string
  /** Values that say nothing of anybody and decide the response; they stay in a recording. */
  isPublic?: (text: string) => boolean
  /** How values are written, the most special first, which decides what stands in for one. */
  forms?: readonly forms.Form[]
  /** A service makes the values: they differ from run to run, and stand for the same things. */
  isMade?: true
  /** No name of a field or header may hold such a value either. */
  isSecret?: true
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text)
const isOneOf = (values: readonly string[]) => (text: string) => values.includes(text)

/** Enough digits for money, too few for what identifies a person. */
const NUMBER = /^(NaN|-?\d{1,7}(\.\d{0,8}0*)?(e-?\d{1,3})?)$/i
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const LABEL = /^(CAD|(USDC|CADC)(-(ETH|POLY|ARB|OP|BASE|AVAX|BSC|CELO|SOL|SX))?)$/i
const NETWORK = /^(eth|poly|arb|op|base|avax|bsc|celo|sol|sx) network$/

/** Words of the contract: they say nothing about a person. */
const WORDS: readonly string[] = [
  ...USER_STATUSES,
  ...KYB_PURPOSES,
  ...SOURCES_OF_FUNDS,
  ...['pending request money transfer', 'processing request money transfer', 'complete'],
  ...['cancelled', 'canceled', 'expired', 'sending CAD', 'sending USDC', 'sending CADC'],
  ...['success', 'error', 'Bearer', 'jwt', 'apiKey', 'v2', 'user.update', 'transaction.update'],
  'etransfer',
]
export const isWord = (text: string): boolean => WORDS.includes(text) || NETWORK.test(text)
export const isLabel = matches(LABEL)

/** Sentences that the contract's documentation prints for a success. */
const MESSAGES = [
  ...['Login code sent to user', 'Email code validated', 'API user created', 'User found'],
  ...['User imported successfully', 'New transaction created', 'KYB submitted'],
]

/** Names in errors besides fields of a body. */
const PLACES = [
  ...['apiKey', 'authorization', 'body', 'content-type', 'kyc', 'method', 'path', 'query'],
  ...['requests', 'transaction', 'transactions', 'user', 'x-api-key'],
]

/** The path of a field, as errors name it: `corporation_base64_url.0.name`. */
const isFieldPath = (text: string): boolean =>
  text
    .split(/[.[\]]+/)
    .every((part) => isFieldName(part) || PLACES.includes(part) || /^\d{0,3}$/.test(part))

const KINDS = {
  amount: {
    names: `leftSideValue rightSideValue ethCost rate cadusd fee gas spread total ethGasFee minimum
      maximum`,
    isPublic: matches(NUMBER),
  },
  answer: { names: 'etransferSecurityAnswer', isMade: true },
  base64: { names: 'incorpCertData submitKyb.url', forms: [forms.dataUri, forms.base64] },
  code: { names: 'code login_code', forms: [forms.digits], isMade: true },
  count: {
    names: 'limit offset expiresIn deliveredStatusCode',
    isPublic: (text) => NUMBER.test(text) || /^-?\d{1,9}(\.\d{1,3})?$/.test(text),
  },
  date: {
    names: 'dob date_of_incorp directorsDOB quarterOwnersDOB',
    forms: [forms.date, forms.unrealDates],
  },
  digits: { names: 'corporation_number', forms: [forms.digits] },
  email: {
    names: 'email corporation_email directorEmails quarterOwnersEmail paytrie_email',
    forms: [forms.email],
  },
  field: { names: 'field', isPublic: isFieldPath },
  flag: { names: 'pep tpd is_pep msb_reg' },
  hash: {
    names: 'paymentId payment_id',
    forms: [forms.evmHash, forms.base58(80, 90)],
    isMade: true,
  },
  id: { names: 'id userId transactionId txId tx_id tx', forms: [forms.uuid], isMade: true },
  instant: {
    names: 'date createdAt updatedAt expiresAt occurredAt',
    isPublic: matches(INSTANT),
  },
  label: { names: 'leftSideLabel rightSideLabel coin', isPublic: isLabel },
  mediaType: {
    names: 'submitKyb.type',
    isPublic: matches(forms.MEDIA_TYPE),
    forms: [forms.mediaType],
  },
  message: { names: 'message deliveredStatusText', isPublic: isOneOf(MESSAGES) },
  phone: { names: 'phone corporate_phone', forms: [forms.phone] },
  postalCode: { names: 'postalCode postal', forms: [forms.postalCode] },
  province: { names: 'province', forms: [forms.province] },
  reference: {
    names: 'eventId rmtId rmt webhook.id',
    forms: [forms.uuid, forms.paymentReference, forms.eventId],
    isMade: true,
  },
  secret: { names: 'signingSecret', forms: [forms.secret], isMade: true, isSecret: true },
  serial: { names: 'quoteId gasId', forms: [forms.serial], isMade: true },
  shareToken: {
    names: 'shareToken share_token',
    forms: [forms.shareToken],
    isMade: true,
    isSecret: true,
  },
  switch: {
    names: `is_quarter_owner eth_fee success complete verifiedEmailEnabled
      transactionInitiatedEnabled transactionCompleteEnabled transactionStatusUpdateEnabled`,
    isPublic: isOneOf(['true', 'false']),
  },
  text: {
    names: `firstName first_name lastName last_name addressLine1 address1 addressLine2 address2 city
      occupation sourceOfFunds intendedUseOfUSDC walletProvider howDidYouHear whoReferredYou
      previousCryptoExperience business_nature name corporation_name directorNames
      directorOccupations quarterOwners quarterOwnersOccupation externalSessionId
      updateUser.purpose submitKyb.postal submitKyb.province submitKyb.corporate_phone
      submitKyb.directorEmails submitKyb.quarterOwnersEmail`,
  },
  token: { names: 'accessToken token', forms: [forms.token], isMade: true, isSecret: true },
  url: {
    names: `url verificationLink verifiedEmailUrl transactionInitiatedUrl transactionCompleteUrl
      transactionStatusUpdateUrl`,
    forms: [forms.url],
    isMade: true,
  },
  wallet: {
    names: 'walletAddress wallet depositAddress',
    forms: [forms.evmAddress, forms.base58(32, 44), forms.evmHash],
    isMade: true,
  },
  word: {
    names: `source_of_funds paymentType payment_type tokenType status userStatus accessibleBy type
      apiVersion submitKyb.purpose`,
    isPublic: isWord,
  },
} satisfies Readonly<Record<string, FieldKind>>

export type Kind = keyof typeof KINDS

/** Fields that hold others. */
const PARENTS = `authorized_user_data breakdown corporation_address corporation_base64_url data
  errors items leftSideCurrency list_of_directors list_of_quarter_owners olderUserInfo outstanding
  payload`

const wordsOf = (text: string) => text.split(/\s+/)

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  Object.entries(KINDS).flatMap(([kind, { names }]) =>
    wordsOf(names).map((name) => [name, kind as Kind] as const),
  ),
)

const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...[...KIND_OF.keys()].map((name) => name.slice(name.indexOf('.') + 1)),
  ...wordsOf(PARENTS),
])

/** How the values of a kind are treated; a field that the contract does not name has no kind. */
export const traitsOf = (kind: Kind | undefined): Partial<FieldKind> => (kind ? KINDS[kind] : {})

/** Kind of a field of an operation; undefined for one that the contract does not name. */
export const findKind = (operation: string | null | undefined, name: string): Kind | undefined =>
  KIND_OF.get(`${operation}.${name}`) ?? KIND_OF.get(name)

/** Whether the contract has a field of this name. */
export const isFieldName = (name: string): boolean => FIELD_NAMES.has(name)

export const isMade = (kind: Kind | undefined): boolean => traitsOf(kind).isMade === true

export const isObject = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A body with each of its values replaced. */
export function mapFields(
  operation: string | null | undefined,
  value: Json,
  replace: (value: Json, kind: Kind | undefined, name: string) => Json,
  name = '',
): Json {
  if (Array.isArray(value)) return value.map((part) => mapFields(operation, part, replace, name))
  if (!isObject(value)) return replace(value, findKind(operation, name), name)
  const fields = Object.entries(value).map(([key, part]) => {
    return [key, mapFields(operation, part, replace, key)]
  })
  return Object.fromEntries(fields)
}
