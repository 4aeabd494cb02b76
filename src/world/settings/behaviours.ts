/** Something that the contract leaves open and that no setting changes. */
interface Behaviour {
  /** Its place in the contract. */
  ref: string
  question: string
  choice: string
  why: string
}

/** Behaviour for which a setting would help nobody. The docs list it beside the constants. */
export const BEHAVIOURS: readonly Behaviour[] = [
  {
    ref: 'Events: Event types',
    question: 'Which integrators receive `user.update`?',
    choice: 'Every integrator that created, imported or logged in the user.',
    why: 'The contract does not say. An integrator that has never dealt with a user has no use for the event.',
  },
  {
    ref: 'Authentication: 2',
    question: 'Does an access token work with another integrator’s API key?',
    choice: 'No, the call gets `invalid-token`.',
    why: 'The contract does not say. Otherwise one integrator could act for the users of another.',
  },
  {
    ref: 'States: User statuses',
    question: 'Which changes of a user’s status are possible?',
    choice: 'Any, through the control API. No status changes by itself.',
    why: 'The contract shows no transitions.',
  },
  {
    ref: 'States: Transaction statuses',
    question: 'Which statuses exist beyond those that the contract names?',
    choice: 'None by default. `tx ID status STATUS` sets any text, such as `sending`.',
    why: 'The contract says that its list is incomplete.',
  },
  {
    ref: 'States: Transaction statuses',
    question: 'Which transaction statuses are final?',
    choice:
      '`complete`, `expired` and `cancelled`. A status that you set yourself counts as being processed.',
    why: 'The contract does not say. No money moves after these three.',
  },
  {
    ref: 'Limits: Cancelled or expired transactions',
    question: 'When does a cancelled or expired transaction start to count towards the limit?',
    choice: 'At the moment it is cancelled or expires.',
    why: 'The contract does not say. The limit is about those two outcomes, so it counts from when they happened.',
  },
  {
    ref: 'Resources: KYC link',
    question: 'Does a new KYC link invalidate the previous one?',
    choice: 'No, each link has its own expiry.',
    why: 'The contract does not say. A user may have the older link in an e-mail.',
  },
  {
    ref: 'Resources: Quote',
    question: 'Which fields does `breakdown` have?',
    choice: '`fee`, `gas`, `spread` and `total`, in CAD. The first three add up to `total`.',
    why: 'The contract names only the object.',
  },
  {
    ref: 'Resources: Transaction',
    question: 'How many decimals do amounts have?',
    choice:
      'CAD has two. Coins have six in a request and two in what is paid out. Results are rounded half up.',
    why: 'Six is what USDC has on chain; two is what the published quote shows.',
  },
  {
    ref: 'Resources: Transaction, paymentId',
    question: 'When does a transaction get its `paymentId`?',
    choice: 'A buy when it is settled, a sell when its coins arrive.',
    why: 'It is null until the transaction is on chain, and these are the moments when the coins move.',
  },
  {
    ref: 'Endpoints: Quotes and limits, GET /quotes',
    question: 'Which amounts are quoted?',
    choice: 'Any up to 1,000,000,000. Limits apply when the transaction is created.',
    why: 'The contract does not say. A quote names no user, and limits apply per user.',
  },
  {
    ref: 'Endpoints: Users, PUT kyc',
    question: 'Which share tokens are accepted?',
    choice:
      '`_act-…-jwt-` followed by a JWT whose payload has the user’s e-mail address. `POST /_sandbox/simulate/share-tokens` makes them, including ones that fail.',
    why: 'The contract does not say. The form is that of the tokens that v1 clients send. The sandbox has no applicants to look up.',
  },
  {
    ref: 'Events: transaction.update payload',
    question: 'Which events carry an e-transfer security answer?',
    choice: 'Those of a sell, unless its user has autodeposit. It is null for a buy.',
    why: 'Only a sell sends an e-transfer to the user.',
  },
  {
    ref: 'Resources: Webhook configuration',
    question: 'Which HTTPS URLs are refused for webhooks?',
    choice:
      'Private, link-local and metadata addresses; URLs with a user name, a password or a fragment; URLs longer than 2,048 characters.',
    why: 'The contract does not say. Services that post to their customers’ URLs commonly refuse these.',
  },
  {
    ref: 'Endpoints: Webhook configuration, PUT',
    question:
      'What status does a PUT that replaces a configuration return, and what happens to its dates?',
    choice: '200, as for the first PUT. `createdAt` stays, `updatedAt` changes.',
    why: 'The contract does not say.',
  },
  {
    ref: 'Endpoints: Webhook configuration, rotate',
    question: 'What happens if the signing secret is rotated before there is one?',
    choice: '`no-signing-secret` (404). In v1 the same call creates the first secret.',
    why: 'There is nothing to rotate: in v2 the first PUT creates the secret.',
  },
  {
    ref: 'Endpoints: Corporate verification',
    question: 'What does a KYB submission check?',
    choice:
      'The format, size and type of each field and document, that dates are real, and the age of the person who signs. It never checks the content.',
    why: 'The contract lists types and allowed values only.',
  },
  {
    ref: 'Versioning: the table',
    question:
      'What do `/generateApiLink`, `/sumsubImportUser`, `/priceQuote` and `/transaction` of v1 return?',
    choice: 'What v1’s public documentation shows.',
    why: 'The contract does not show them.',
  },
]
