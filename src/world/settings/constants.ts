import { DAY, HOUR } from '../duration.ts'

/** A choice of ours, or a number that the contract states, which nobody needs to change. */
interface Constant {
  /** Lengths of time are in ms. */
  value: string | number
  /** Its place in the contract. */
  ref: string
  question: string
  why: string
  stated?: boolean
}

/** What the use cases take as settled. Each reads its value here, and the docs list all of them. */
export const CONSTANTS = {
  'users.create.event': {
    value: 'none',
    ref: 'Events: Event types',
    question: 'Does creating a user send a `user.update`?',
    why: 'One is sent when a status changes, and a new user’s status has not changed yet.',
  },
  'users.formats': {
    value: 'province,postalCode,phone',
    ref: 'Resources: Create-user body',
    question: 'Which fields of a profile must have a Canadian format?',
    why: 'Not shown in the contract; every field that has one. KYB accepts any text.',
  },
  'users.minimumAge': {
    value: 18,
    ref: 'Resources: Create-user body, dob',
    question: 'How old must a user be, by world time?',
    why: 'The age of majority in most provinces; in v1 too, and for the person who signs for a business (KYB).',
  },
  'requirements.olderAge': {
    value: 60,
    ref: 'Resources: Onboarding update body, olderUserInfo',
    question: 'From what age is `olderUserInfo` outstanding?',
    why: 'The name says older users; the contract does not show the age.',
  },
  'login.code.attempts': {
    value: 5,
    ref: 'Authentication: 8',
    question: 'After how many wrong attempts does a login code stop working?',
    why: 'Without a limit, four digits can be guessed.',
  },
  'kyc.import.body': {
    value: 'either',
    ref: 'Endpoints: Users, PUT kyc',
    question: 'What is the share-token field of a KYC import called?',
    why: '`shareToken` follows v2’s spelling; `share_token` is what v1 clients send.',
  },
  'fields.findUsers': {
    value: 'contract',
    ref: 'Resources: User',
    question: 'Which fields does a user have that findUsers finds?',
    why: 'The contract gives the whole shape, an array of `{ id }`.',
  },
  'fields.getTransaction': {
    value: 'contract',
    ref: 'Endpoints: Transactions, GET one',
    question: 'Which fields does a transaction have that getTransaction reads?',
    why: 'Not in the contract; as in the list, so without the `depositAddress` of the create response.',
  },
  'quotes.bareLabels': {
    value: 'ETH',
    ref: 'What the service does: 3',
    question: 'Which chain do the labels `USDC` and `CADC` mean?',
    why: 'Ethereum, the chain of the one label that the contract qualifies; it decides gas, wallet and payment type.',
  },
  'transactions.quoteId': {
    value: 'either',
    ref: 'Endpoints: Transactions, POST',
    question: 'Which forms of `quoteId` are accepted?',
    why: 'The contract says numeric: a number, or its digits as text, as some clients send them.',
  },
  'transactions.wallet': {
    value: 'checked',
    ref: 'Resources: Transaction, wallet',
    question: 'Which wallets are accepted?',
    why: 'Addresses of the chain of the coin: on Solana 32 bytes in base58, elsewhere 0x and 40 digits whose checksum is not enforced.',
  },
  'transactions.cancellable': {
    value: 'pending',
    ref: 'Endpoints: Transactions, PUT cancel',
    question: 'Until when can a transaction be cancelled?',
    why: 'Until money has moved.',
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
    value: 'integrator',
    ref: 'Endpoints: Transactions, GET list',
    question: 'Whose transactions of the user are listed?',
    why: 'Those that the integrator created, because only it can read or cancel them by id.',
  },
  'transactions.list.offset': {
    value: 'integer',
    ref: 'Endpoints: Transactions, GET list',
    question: 'Which offsets does the list accept?',
    why: 'Whole numbers from 0.',
  },
  'limits.window': {
    value: DAY,
    ref: 'Limits',
    question: 'How far back do the two counting limits look?',
    why: 'Stated: 24 hours.',
    stated: true,
  },
  'kyb.quarterOwners': {
    value: 'may-be-empty',
    ref: 'Endpoints: Corporate verification',
    question: 'May the texts in `list_of_quarter_owners` be empty?',
    why: 'Not every business has such owners; with `is_quarter_owner: true` they may not be empty.',
  },
  'kyb.certificates': {
    value: 'either',
    ref: 'Endpoints: Corporate verification',
    question: 'Which forms of `incorpCertData` are accepted?',
    why: 'The table says an array of texts; a sample shows one text.',
  },
  'requests.null': {
    value: 'absent',
    ref: 'Resources: Create-user body',
    question: 'What does null in a body mean?',
    why: 'The contract’s types have no null; as in many APIs it means that the field is left out, except `ethCost` and `gasId` of v2, which are not accepted.',
  },
  'status.read': {
    value: 200,
    ref: 'Endpoints',
    question:
      'Which status does the success of a GET, PUT or PATCH have that the contract leaves open?',
    why: 'The same as for every other success with a body.',
  },
  'auth.v1CreateTransaction': {
    value: 'token',
    ref: 'Versioning: POST /transaction',
    question: 'Which credentials does v1CreateTransaction take?',
    why: 'Not in the contract; both headers, as in v2.',
  },
  'errors.v1': {
    value: 'as-v2',
    ref: 'Errors: 7',
    question: 'Which status code do errors of v1 have?',
    why: 'The status that v2 has for the same reason.',
  },
  'v1.hooksAfterSunset': {
    value: 'stop',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Are legacy webhooks still sent after the shutdown?',
    why: 'They are part of v1.',
  },
  'v1.hooks.singleUrl': {
    value: 'shared',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Where does a legacy webhook go that is switched on without a URL of its own?',
    why: 'To the only URL that is configured, because they may share one.',
  },
  'v1.statusUpdateOnCreate': {
    value: 'no',
    ref: 'Events: Legacy v1 webhooks',
    question: 'Does creating a transaction also send Transaction Status Update?',
    why: 'Transaction Initiated already reports it.',
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
    why: 'Not shown in the contract; 255 is a common length for a short text column.',
  },
  wallet: {
    max: 500,
    ref: 'Endpoints: Transactions, POST',
    why: 'Not shown in the contract; no address of a chain is longer.',
  },
  email: {
    max: 254,
    ref: 'Resources: Create-user body',
    why: 'Not shown in the contract; the longest address that mail servers accept.',
  },
  /** Each text of a profile, and of a KYB submission where it is about one person or place. */
  profile: {
    max: 500,
    ref: 'Resources: Create-user body',
    why: 'Not shown in the contract; no name or address is longer.',
  },
  /** Other texts of a KYB submission, some of which hold an entry for each of several people. */
  kyb: {
    max: 5000,
    ref: 'Endpoints: Corporate verification',
    why: 'Not shown in the contract; ten people in one text.',
  },
  corporation_number: {
    max: 30,
    ref: 'Endpoints: Corporate verification',
    why: 'Not shown in the contract; no register has longer numbers.',
  },
} as const satisfies Record<string, Length>
