import { DAY, HOUR } from '../duration.ts'

/** A choice of ours, or a number that the contract states, which nobody needs to change. */
export interface Constant {
  /** Lengths of time are in ms. */
  value: string | number
  /** Its place in the contract. */
  ref: string
  question: string
  why: string
  stated?: boolean
}

/** Choices that no setting changes. Use cases read their values here, and the docs list all of them. */
export const CONSTANTS = {
  'users.create.event': {
    value: 'no',
    ref: 'Events: Event types',
    question: 'Does creating a user send a `user.update`?',
    why: 'The event reports a change of status, and a new user’s status has not changed yet.',
  },
  'users.formats': {
    value: 'province, postalCode, phone',
    ref: 'Resources: Create-user body',
    question: 'Which fields of a profile must have a Canadian format?',
    why: 'The contract does not say. Only these fields have a Canadian format. KYB accepts any text.',
  },
  'users.minimumAge': {
    value: 18,
    ref: 'Resources: Create-user body, dob',
    question: 'How old must a user be, by world time?',
    why: 'The contract does not say. It is the age of majority in most provinces. It also applies in v1, and to the person who signs for a business (KYB).',
  },
  'requirements.olderAge': {
    value: 60,
    ref: 'Resources: Onboarding update body, olderUserInfo',
    question: 'From what age is `olderUserInfo` required?',
    why: 'The contract does not say. The name says “older user”.',
  },
  'login.code.attempts': {
    value: 5,
    ref: 'Authentication: 8',
    question: 'After how many wrong attempts does a login code stop working?',
    why: 'The contract does not say. Without a limit, four digits can be guessed.',
  },
  'kyc.import.body': {
    value: 'shareToken or share_token',
    ref: 'Endpoints: Users, PUT kyc',
    question: 'What is the field with the share token of a KYC import called?',
    why: 'The contract does not say. v2 spells fields like `shareToken`; v1 clients send `share_token`.',
  },
  'fields.findUsers': {
    value: 'id',
    ref: 'Resources: User',
    question: 'Which fields does a user in search results have?',
    why: 'The contract shows an array of `{ id }`.',
  },
  'fields.getTransaction': {
    value: 'those of the list',
    ref: 'Endpoints: Transactions, GET one',
    question: 'Which fields does a single transaction have?',
    why: 'The contract does not say. As a result, it lacks the `depositAddress` of the create response.',
  },
  'quotes.bareLabels': {
    value: 'ETH',
    ref: 'What the service does: 3',
    question: 'Which chain do the labels `USDC` and `CADC` mean?',
    why: 'Ethereum, as in `USDC-ETH`, the only label with a chain. The chain decides the gas, the wallet and the payment type.',
  },
  'transactions.quoteId': {
    value: 'number or digits as text',
    ref: 'Endpoints: Transactions, POST',
    question: 'Which forms of `quoteId` are accepted?',
    why: 'The contract says numeric, but some clients send the digits as a string.',
  },
  'transactions.wallet': {
    value: 'valid addresses of the coin’s chain',
    ref: 'Resources: Transaction, wallet',
    question: 'Which wallets are accepted?',
    why: 'The contract does not say. On Solana that is 32 bytes in base58; elsewhere, 0x and 40 hex digits. The checksum is not enforced.',
  },
  'transactions.cancellable': {
    value: 'until money moves',
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'Until when can a transaction be cancelled?',
    why: 'The contract does not say. After that, money would have to be refunded.',
  },
  'transactions.buyWindow': {
    value: HOUR,
    ref: 'Limits: Expiry',
    question: 'When does an unpaid buy expire?',
    why: 'Stated: 1 hour after creation.',
    stated: true,
  },
  'transactions.sellWindow': {
    value: DAY,
    ref: 'Limits: Expiry',
    question: 'When does an unpaid sell expire?',
    why: 'Stated: 24 hours after creation.',
    stated: true,
  },
  'transactions.list.scope': {
    value: 'those that the integrator created',
    ref: 'Endpoints: Transactions, GET list',
    question: 'Which transactions of a user are listed?',
    why: 'The contract does not say. Only that integrator can read or cancel them by id.',
  },
  'transactions.list.offset': {
    value: 'whole numbers, 0 or more',
    ref: 'Endpoints: Transactions, GET list',
    question: 'Which offsets does the list accept?',
    why: 'The contract says numeric, without details.',
  },
  'limits.window': {
    value: DAY,
    ref: 'Limits',
    question: 'How far back do the limits on the number of transactions look?',
    why: 'Stated: 24 hours.',
    stated: true,
  },
  'kyb.quarterOwners': {
    value: 'yes',
    ref: 'Endpoints: Corporate verification',
    question: 'May the strings in `list_of_quarter_owners` be empty?',
    why: 'Not every business has such owners. With `is_quarter_owner: true` they must not be empty.',
  },
  'kyb.certificates': {
    value: 'array or a single string',
    ref: 'Endpoints: Corporate verification',
    question: 'Which forms of `incorpCertData` are accepted?',
    why: 'The table says an array of strings; a sample shows a single string.',
  },
  'requests.null': {
    value: 'the field is left out',
    ref: 'Resources: Create-user body',
    question: 'What does null in a body mean?',
    why: 'The contract’s types have no null, and many APIs treat it this way. In v2, `ethCost` and `gasId` are refused even if they are null.',
  },
  'status.read': {
    value: 200,
    ref: 'Endpoints',
    question:
      'What status does a successful GET, PUT or PATCH return, if the contract does not show one?',
    why: 'The same as other successful calls with a body.',
  },
  'auth.v1CreateTransaction': {
    value: 'token',
    ref: 'Versioning: POST /transaction',
    question: 'Which credentials does `v1CreateTransaction` take?',
    why: 'The contract does not say; both headers, as in v2.',
  },
  'errors.v1': {
    value: 'those of v2',
    ref: 'Errors: 7',
    question: 'Which status codes do v1 errors have?',
    why: 'The contract does not say.',
  },
  'v1.hooksAfterSunset': {
    value: 'no',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Are legacy webhooks still sent after the shutdown?',
    why: 'The contract does not say. They are part of v1.',
  },
  'v1.hooks.singleUrl': {
    value: 'to the only URL configured',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Where does a legacy webhook go if it is switched on but has no URL?',
    why: 'The contract says that they may share one URL.',
  },
  'v1.statusUpdateOnCreate': {
    value: 'no',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Does creating a transaction also send Transaction Status Update?',
    why: 'Transaction Initiated already reports the creation.',
  },
} as const satisfies Record<string, Constant>

/** A limit of length, in characters. */
interface Length {
  max: number
  ref: string
  why: string
}

/** Limits of length by their field: what is checked, and what documents and fixtures say. */
export const LENGTHS = {
  externalSessionId: {
    max: 255,
    ref: 'Endpoints: Transactions, POST',
    why: 'The contract does not say; a common length for a short text column.',
  },
  wallet: {
    max: 500,
    ref: 'Endpoints: Transactions, POST',
    why: 'The contract does not say; no address on any chain is longer.',
  },
  email: {
    max: 254,
    ref: 'Resources: Create-user body',
    why: 'The contract does not say; the longest address that mail servers accept.',
  },
  /** Each text of a profile, and of a KYB submission where it is about one person or place. */
  profile: {
    max: 500,
    ref: 'Resources: Create-user body',
    why: 'The contract does not say; no name or address is longer.',
  },
  /** Other texts of a KYB submission, some of which hold an entry for each of several people. */
  kyb: {
    max: 5000,
    ref: 'Endpoints: Corporate verification',
    why: 'The contract does not say; one string may describe up to ten owners.',
  },
  corporation_number: {
    max: 30,
    ref: 'Endpoints: Corporate verification',
    why: 'The contract does not say; no register has longer numbers.',
  },
} as const satisfies Record<string, Length>
