import type { OperationNotes } from '../notes.ts'

const MOVED = 'The status, with the events and deliveries that followed.'

/** What a test makes the outside world do. */
export const simulateNotes: OperationNotes = {
  simulateKyc: {
    about: `Gives a user the status that a reviewer decides on, now or, with \`after\`, once that much world time
has passed. The user gets a message, and \`user.update\` is sent. A status that the user has already
changes nothing.`,
    success:
      'The decision, with the events and deliveries that followed; with `after`, when it is due.',
  },
  simulateAccess: {
    about: `Lets a user grant key-only access, or take it back. It counts for integrators that may act without a
token (\`actsWithoutToken\` in a fixture); they then need no login for this user.`,
    success: 'What can be sent for the user now.',
  },
  simulateAccount: {
    about: `Sets what differs for one account: whether e-transfers are deposited without a security answer, the
maximum of a transaction, and a login code that never changes. What is not sent stays. Transactions
that exist do not change.`,
    success: 'The account as it is now.',
  },
  simulateShareToken: {
    about: `Makes a share token as the shared-KYC provider would, for \`importKyc\`. With another \`kind\` than
\`valid\` the import fails for that reason. The world does not change.`,
    success: 'The token.',
  },
  simulateTransaction: {
    about: `Asks for a quote and creates a transaction with it, as the user would through an integrator, with the
same checks and errors; when one of them fails, nothing changes. The user gets the message, and
\`transaction.update\` is sent. With \`settle\` the funds are received and the transaction completes, too.`,
    success: 'The transaction as it is then, with the events and deliveries that followed.',
  },
  simulateFundsReceived: {
    about: `The user pays: the e-transfer of a buy is approved, or the coins of a sell arrive. A pending
transaction moves to processing and can no longer expire; \`transaction.update\` is sent. A sell has its
\`paymentId\` from now on, a buy only after \`simulateSettled\`, which is the next call.`,
    success: MOVED,
  },
  simulateBankRefused: {
    about: `The user's bank refuses to pay a pending buy, and the user gets a message. The transaction stays
pending, so the user can pay again or it expires; the setting \`transactions.bankRefused\` cancels it
instead.`,
    success: MOVED,
  },
  simulateExpired: {
    about: `Expires a pending transaction without moving the clock. The user gets a message, and
\`transaction.update\` is sent. It counts towards the limit for cancelled and expired ones.`,
    success: MOVED,
  },
  simulateCancelled: {
    about: `Cancels a pending transaction, as the user would. \`transaction.update\` is sent. It counts towards the
limit for cancelled and expired ones.`,
    success: MOVED,
  },
  simulateSettled: {
    about: `Completes a transaction that is being processed: the coins of a buy are sent, or a sell is paid out.
\`transaction.update\` is sent. With \`through\` a pending transaction receives its funds first.`,
    success: MOVED,
  },
  simulateStatus: {
    about: `Gives a transaction any status, also one that the contract does not name, to test what a client makes
of it. \`transaction.update\` is sent unless it has that status already. An unknown status goes on like
processing.`,
    success: MOVED,
  },
  decideKyc: {
    about: `Decides on the identity check behind a KYC link, as its page does; the token is the last part of the
link. The user gets the status and a message, and \`user.update\` is sent. The link is
enough: no control token is needed, and it works with \`--no-control\` too.`,
    success: 'The decision, with the events and deliveries that followed.',
  },
  answerMoneyRequest: {
    about: `Lets the user approve the e-transfer of a pending buy, or the bank refuse it, as the page behind a
money request does. Approval moves the transaction to processing, which \`transaction.update\` reports.
No control token is needed: the link is enough.`,
    success: MOVED,
  },
  createFault: {
    about: `Adds a fault for contract calls (\`on: api\`) or deliveries (\`on: webhook\`) that come from now on and
match. It applies \`times\` times after \`skip\` others; the first fault that matches wins. Faults stay
until they are deleted or the world is reset.`,
    success: 'The fault was added.',
  },
  listFaults: {
    about: `Lists the faults, the oldest first, with how often each matched and applied. Those that are used up
stay in the list.`,
    success: 'The faults.',
  },
  clearFaults: {
    about: `Removes every fault. Calls and deliveries from now on go as usual.`,
    success: 'There are no faults any more.',
  },
  deleteFault: {
    about: `Removes one fault, used up or not. The others stay.`,
    success: 'The fault is gone.',
  },
}
