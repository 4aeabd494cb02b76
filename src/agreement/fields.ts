import type { Json } from '../client/http.ts'

/**
 * The names of the fields by what they hold, which decides what stands in for a value in a
 * recording. A name means the same everywhere, but for those after the id of an operation or
 * `webhook`: `submitKyb` sends lists of people as one text each.
 */
const NAMES = {
  amount: `leftSideValue rightSideValue ethCost rate cadusd fee gas spread total ethGasFee minimum
    maximum`,
  answer: 'etransferSecurityAnswer',
  base64: 'incorpCertData submitKyb.url',
  code: 'code login_code',
  count: 'limit offset expiresIn deliveredStatusCode',
  date: 'dob date_of_incorp directorsDOB quarterOwnersDOB',
  dates: 'submitKyb.directorsDOB submitKyb.quarterOwnersDOB',
  digits: 'corporation_number',
  email: 'email corporation_email directorEmails quarterOwnersEmail paytrie_email',
  field: 'field',
  flag: 'pep tpd is_pep msb_reg',
  hash: 'paymentId payment_id',
  id: 'id userId transactionId txId tx_id tx',
  instant: 'date createdAt updatedAt expiresAt occurredAt',
  label: 'leftSideLabel rightSideLabel coin',
  mediaType: 'submitKyb.type',
  message: 'message deliveredStatusText',
  phone: 'phone corporate_phone',
  postalCode: 'postalCode postal',
  province: 'province',
  reference: 'eventId rmtId rmt webhook.id',
  secret: 'signingSecret',
  serial: 'quoteId gasId',
  shareToken: 'shareToken share_token',
  switch: `is_quarter_owner eth_fee success complete verifiedEmailEnabled
    transactionInitiatedEnabled transactionCompleteEnabled transactionStatusUpdateEnabled`,
  text: `firstName first_name lastName last_name addressLine1 address1 addressLine2 address2 city
    occupation sourceOfFunds intendedUseOfUSDC walletProvider howDidYouHear whoReferredYou
    previousCryptoExperience business_nature name corporation_name directorNames
    directorOccupations quarterOwners quarterOwnersOccupation externalSessionId updateUser.purpose
    submitKyb.postal submitKyb.province submitKyb.corporate_phone submitKyb.directorEmails
    submitKyb.quarterOwnersEmail`,
  token: 'accessToken token',
  url: `url verificationLink verifiedEmailUrl transactionInitiatedUrl transactionCompleteUrl
    transactionStatusUpdateUrl`,
  wallet: 'walletAddress wallet depositAddress',
  word: `source_of_funds paymentType payment_type tokenType status userStatus accessibleBy type
    apiVersion submitKyb.purpose`,
}

export type Kind = keyof typeof NAMES

/** Fields that hold others. */
const PARENTS = `authorized_user_data breakdown corporation_address corporation_base64_url data
  errors items leftSideCurrency list_of_directors list_of_quarter_owners olderUserInfo outstanding
  payload`

const wordsOf = (text: string) => text.split(/\s+/)

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    wordsOf(names).map((name) => [name, kind as Kind] as const),
  ),
)

const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...[...KINDS.keys()].map((name) => name.slice(name.indexOf('.') + 1)),
  ...wordsOf(PARENTS),
])

/** What a field of an operation holds; undefined for one that the contract does not name. */
export const findKind = (operation: string | null | undefined, name: string): Kind | undefined =>
  KINDS.get(`${operation}.${name}`) ?? KINDS.get(name)

/** Whether the contract has a field of this name. */
export const isFieldName = (name: string): boolean => FIELD_NAMES.has(name)

/** Values that a service makes: they differ from run to run, and stand for the same things. */
const MADE: ReadonlySet<Kind | undefined> = new Set<Kind>([
  ...(['answer', 'code', 'hash', 'id', 'reference', 'secret', 'serial'] as const),
  ...(['token', 'url', 'wallet'] as const),
])
export const isMade = (kind: Kind | undefined): boolean => MADE.has(kind)

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
