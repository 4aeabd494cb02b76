/**
 * What a field holds. It decides what stands in for its value in a recording, so that the stand-in
 * has the form of the value.
 */
export type Kind =
  | 'amount'
  | 'answer'
  | 'base64'
  | 'code'
  | 'count'
  | 'date'
  | 'dates'
  | 'digits'
  | 'email'
  | 'field'
  | 'flag'
  | 'hash'
  | 'id'
  | 'instant'
  | 'label'
  | 'mediaType'
  | 'message'
  | 'phone'
  | 'postalCode'
  | 'province'
  | 'reference'
  | 'secret'
  | 'serial'
  | 'shareToken'
  | 'switch'
  | 'text'
  | 'token'
  | 'url'
  | 'wallet'
  | 'word'

const PROFILE: Readonly<Record<string, Kind>> = {
  email: 'email',
  firstName: 'text',
  first_name: 'text',
  lastName: 'text',
  last_name: 'text',
  dob: 'date',
  phone: 'phone',
  addressLine1: 'text',
  address1: 'text',
  addressLine2: 'text',
  address2: 'text',
  city: 'text',
  province: 'province',
  postalCode: 'postalCode',
  postal: 'postalCode',
  occupation: 'text',
  pep: 'flag',
  tpd: 'flag',
  sourceOfFunds: 'text',
  intendedUseOfUSDC: 'text',
  walletProvider: 'text',
  walletAddress: 'wallet',
  howDidYouHear: 'text',
  whoReferredYou: 'text',
  previousCryptoExperience: 'text',
}

const KYB: Readonly<Record<string, Kind>> = {
  business_nature: 'text',
  corporate_phone: 'phone',
  name: 'text',
  corporation_email: 'email',
  corporation_name: 'text',
  corporation_number: 'digits',
  date_of_incorp: 'date',
  incorpCertData: 'base64',
  is_pep: 'flag',
  is_quarter_owner: 'switch',
  directorEmails: 'email',
  directorNames: 'text',
  directorOccupations: 'text',
  directorsDOB: 'date',
  quarterOwners: 'text',
  quarterOwnersDOB: 'date',
  quarterOwnersEmail: 'email',
  quarterOwnersOccupation: 'text',
  msb_reg: 'flag',
  paytrie_email: 'email',
  source_of_funds: 'word',
}

const TRADING: Readonly<Record<string, Kind>> = {
  leftSideLabel: 'label',
  leftSideValue: 'amount',
  rightSideLabel: 'label',
  rightSideValue: 'amount',
  quoteId: 'serial',
  gasId: 'serial',
  ethCost: 'amount',
  rate: 'amount',
  cadusd: 'amount',
  fee: 'amount',
  gas: 'amount',
  spread: 'amount',
  total: 'amount',
  ethGasFee: 'amount',
  minimum: 'amount',
  maximum: 'amount',
  externalSessionId: 'text',
  wallet: 'wallet',
  depositAddress: 'wallet',
  coin: 'label',
  paymentType: 'word',
  payment_type: 'word',
  paymentId: 'hash',
  payment_id: 'hash',
  rmtId: 'reference',
  rmt: 'reference',
  eth_fee: 'switch',
  etransferSecurityAnswer: 'answer',
  limit: 'count',
  offset: 'count',
}

const IDENTITIES: Readonly<Record<string, Kind>> = {
  id: 'id',
  eventId: 'reference',
  userId: 'id',
  transactionId: 'id',
  txId: 'id',
  tx_id: 'id',
  tx: 'id',
  accessToken: 'token',
  token: 'token',
  tokenType: 'word',
  expiresIn: 'count',
  code: 'code',
  login_code: 'code',
  signingSecret: 'secret',
  shareToken: 'shareToken',
  share_token: 'shareToken',
}

const REST: Readonly<Record<string, Kind>> = {
  status: 'word',
  userStatus: 'word',
  accessibleBy: 'word',
  type: 'word',
  apiVersion: 'word',
  message: 'message',
  field: 'field',
  success: 'switch',
  complete: 'switch',
  date: 'instant',
  createdAt: 'instant',
  updatedAt: 'instant',
  expiresAt: 'instant',
  occurredAt: 'instant',
  url: 'url',
  verificationLink: 'url',
  deliveredStatusCode: 'count',
  deliveredStatusText: 'message',
  verifiedEmailEnabled: 'switch',
  transactionInitiatedEnabled: 'switch',
  transactionCompleteEnabled: 'switch',
  transactionStatusUpdateEnabled: 'switch',
  verifiedEmailUrl: 'url',
  transactionInitiatedUrl: 'url',
  transactionCompleteUrl: 'url',
  transactionStatusUpdateUrl: 'url',
}

/** By the name of the field: the contract gives each name one meaning, but for a few. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...PROFILE,
  ...KYB,
  ...TRADING,
  ...IDENTITIES,
  ...REST,
}

/** Where a name means something else: by operation, `webhook` among them. */
const OTHERWISE: Readonly<Record<string, Kind>> = {
  'webhook.id': 'reference',
  'updateUser.purpose': 'text',
  'submitKyb.purpose': 'word',
  'submitKyb.postal': 'text',
  'submitKyb.province': 'text',
  'submitKyb.type': 'mediaType',
  'submitKyb.url': 'base64',
  // Lists of people, as one text each.
  'submitKyb.corporate_phone': 'text',
  'submitKyb.directorEmails': 'text',
  'submitKyb.directorsDOB': 'dates',
  'submitKyb.quarterOwnersEmail': 'text',
  'submitKyb.quarterOwnersDOB': 'dates',
}

/** Fields that hold others. */
const PARENTS: ReadonlySet<string> = new Set([
  'authorized_user_data',
  'breakdown',
  'corporation_address',
  'corporation_base64_url',
  'data',
  'errors',
  'items',
  'leftSideCurrency',
  'list_of_directors',
  'list_of_quarter_owners',
  'olderUserInfo',
  'outstanding',
  'payload',
])

/** What a field of an operation holds; undefined for one that the contract does not name. */
export function findKind(operation: string | undefined, name: string): Kind | undefined {
  const own = `${operation}.${name}`
  if (Object.hasOwn(OTHERWISE, own)) return OTHERWISE[own]
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
}

/** Whether the contract has a field of this name. */
export const isFieldName = (name: string): boolean =>
  Object.hasOwn(KINDS, name) || PARENTS.has(name) || name === 'purpose'
