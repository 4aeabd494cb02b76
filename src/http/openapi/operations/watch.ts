import type { OperationNotes } from '../notes.ts'

const WAITS = `With \`timeout\` it waits until enough match, and answers at once when they do.`

/** What a test looks at: records, messages, events, deliveries and calls. */
export const watchNotes: OperationNotes = {
  listUserRecords: {
    about: `Lists users in full, the oldest first, of every integrator. Go on with \`after\` while \`more\` is true.`,
    success: 'A page of users.',
  },
  getUserRecord: {
    about: `Reads a user in full, by id or e-mail address: profile, what onboarding lacks, limits and history. No
integrator sees all of this.`,
    success: 'The user.',
  },
  listTransactionRecords: {
    about: `Lists transactions in full, the oldest first, of every integrator. Go on with \`after\` while \`more\`
is true.`,
    success: 'A page of transactions.',
  },
  getTransactionRecord: {
    about: `Reads a transaction in full: what it costs, when it expires, its history and the statuses that it may
move to.`,
    success: 'The transaction.',
  },
  listKybSubmissions: {
    about: `Lists what was sent to \`POST /submitKYB\`, the oldest first. Of the documents only name, type, size
and SHA-256 are kept.`,
    success: 'A page of submissions.',
  },
  readInbox: {
    about: `Reads what users were sent: login codes, money requests, results of identity checks and more. Without
\`after\` it begins with the first message. ${WAITS}`,
    success: 'The messages, whether or not there were enough: see `matched`.',
  },
  readEvents: {
    about: `Reads the events of this world, whether or not a webhook was sent about them. Without \`after\` it
begins with the first event. ${WAITS}`,
    success: 'The events, whether or not there were enough: see `matched`.',
  },
  streamEvents: {
    about: `Follows events, messages, deliveries, contract calls, actions, the clock and resets as server-sent events, until
you disconnect. A reader that comes back with \`Last-Event-ID\` goes on where it was; \`lost\` counts what
it missed for good.`,
    success: 'The stream; the name of each event is its kind.',
  },
  drainWebhooks: {
    about: `Waits until no delivery is on its way, a minute at most. Deliveries that a fault holds back to change
their order are sent now.`,
    success: 'How many are still on their way: 0, unless the time ran out.',
  },
  listDeliveries: {
    about: `Lists deliveries after a cursor, the oldest first. One that was never sent is listed too, with the
reason. An event has one for each webhook that it causes.`,
    success: 'The deliveries.',
  },
  getDelivery: {
    about: `Reads one delivery: the exact bytes that were signed and sent, and what the receiver answered.
The world forgets the oldest deliveries when there are very many.`,
    success: 'The delivery.',
  },
  resendDelivery: {
    about: `Sends the event of a delivery once more, to where it would go now, and waits for the answer. With
\`mutate\` the copy is damaged, to test that the receiver rejects it.`,
    success: 'The new delivery.',
  },
  explainSignature: {
    about: `Says what is wrong with the signature of a webhook and how to fix it. Send the headers and the body as
your receiver got them, and the secret that it used. Nothing is stored.`,
    success: 'Whether it is valid, and everything that is wrong.',
  },
  getWebhookSettings: {
    about: `Reads where the webhooks of each integrator go, those of v1 too, and the secret that signs them. The
contract answers the secret once; here it can be read again.`,
    success: 'The settings.',
  },
  putWebhookSettings: {
    about: `Sets where the webhooks of an integrator go, without its API key and without a row in the request
journal. Null removes; what is not sent stays. The first URL makes the signing secret.`,
    success: 'The settings now.',
  },
  catch: {
    about: `Receives anything: use it as the URL of webhooks. Each request is kept for \`readCaught\` and answered
with 200, or with what \`setCatchAnswer\` set. A name needs no preparation.`,
    success: 'Kept, and answered with nothing, unless `setCatchAnswer` set something.',
  },
  setCatchAnswer: {
    about: `Sets what a catch answers from now on, for good or \`times\` times, to test how the sender takes it.
Without it a catch answers 200 and no body.`,
    success: 'What it answers now.',
  },
  readCaught: {
    about: `Reads what a catch received, the oldest first. Without \`after\` it begins with the first request.
${WAITS}`,
    success: 'The requests, whether or not there were enough: see `matched`.',
  },
  clearCatch: {
    about: `Forgets what a catch received and what \`setCatchAnswer\` set. Its cursors go on.`,
    success: 'The catch is empty.',
  },
  listRequests: {
    about: `Lists calls of the contract after a cursor, the oldest first, with the reason why one was rejected and
what would have worked. Calls of the control API are not listed.`,
    success: 'The calls.',
  },
  getRequest: {
    about: `Reads one call of the contract, and what it caused. Its id was in the header \`x-sandbox-request\` of the
answer. The last 1,000 calls are kept.`,
    success: 'The call.',
  },
  listActions: {
    about: `Lists what changed the world other than a contract call, the oldest first: simulations, moves of the
clock, changed settings, rates and faults, and tasks that ran when they were due.`,
    success: 'The actions.',
  },
  getAction: {
    about: `Reads one action and what it caused; events and messages name theirs in \`cause\`. The last 1,000
actions are kept.`,
    success: 'The action.',
  },
  answerMcp: {
    about: `Speaks the Model Context Protocol over Streamable HTTP, without sessions: one message in, one answer out as
JSON. Its tools create users and transactions, move time, simulate, wait for events, explain refused calls and add
faults; they can do no more than their caller. A notification is answered with 202 and no body.`,
    success: 'The answer of JSON-RPC, errors of the protocol included.',
  },
  getLlmsText: {
    about: `Says in plain text what this is, where its documents are and which calls to begin with. It needs no
control token and holds no secret; without the control API it leaves that out.`,
    success: 'The text.',
  },
}
