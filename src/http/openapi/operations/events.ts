import type { OperationNotes } from '../notes.ts'

const SUCCESS = 'Acknowledged; anything else counts as rejected.'
const ONCE = 'It is sent once and not retried, after the change has happened.'

export const eventNotes: OperationNotes = {
  onUserUpdate: {
    about: `Says which status a user has now, for example after an identity check. ${ONCE} Verify the signature
over the raw body, and skip an \`id\` that you have seen.`,
    success: SUCCESS,
  },
  onTransactionUpdate: {
    about: `Says which status a transaction has now; the first one follows its creation. ${ONCE} Verify the
signature over the raw body, and skip an \`id\` that you have seen.`,
    success: SUCCESS,
  },
  onV1UserVerified: {
    about: `Says that a user is verified. ${ONCE} It is sent while \`verifiedEmailEnabled\` is on.`,
    success: SUCCESS,
  },
  onV1TransactionInitiated: {
    about: `Says that a transaction was created. ${ONCE} It is sent while \`transactionInitiatedEnabled\` is on.`,
    success: SUCCESS,
  },
  onV1TransactionComplete: {
    about: `Says that a transaction is complete. ${ONCE} It is sent while \`transactionCompleteEnabled\` is on.`,
    success: SUCCESS,
  },
  onV1TransactionStatusUpdate: {
    about: `Says which status a transaction has now, for every change. ${ONCE} It is sent while
\`transactionStatusUpdateEnabled\` is on.`,
    success: SUCCESS,
  },
}
