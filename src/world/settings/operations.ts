import { type Setting, success } from './setting.ts'
import { V1_OPERATIONS } from './v1.ts'

/** Operations by their place in the contract; true where it states the status of a success. */
const OPERATIONS = {
  'Endpoints: Login': { sendLoginCode: false, verifyLoginCode: true },
  'Endpoints: Users': {
    createUser: false,
    findUsers: false,
    updateUser: true,
    getRequirements: false,
    createKycLink: false,
    importKyc: true,
  },
  'Endpoints: Quotes and limits': { createQuote: false, getLimits: true },
  'Endpoints: Transactions': {
    createTransaction: true,
    listTransactions: true,
    getTransaction: false,
    cancelTransaction: true,
  },
  'Endpoints: Webhook configuration': {
    putWebhookConfiguration: false,
    getWebhookConfiguration: false,
    deleteWebhookConfiguration: true,
    testWebhookConfiguration: false,
    rotateSigningSecret: false,
  },
  'Endpoints: Corporate verification': { submitKyb: false },
  ...V1_OPERATIONS,
}

type Union<Of> = Of extends Record<infer Key, unknown> ? Key : never
export type OperationId = Union<(typeof OPERATIONS)[keyof typeof OPERATIONS]>

/** The status of each success, `status.<operation>`. */
export const SUCCESS_STATUSES = Object.fromEntries(
  Object.entries(OPERATIONS).flatMap(([ref, operations]) =>
    Object.entries<boolean>(operations).map(([id, stated]) => [
      `status.${id}`,
      success(id === 'deleteWebhookConfiguration' ? [204, 200] : [200, 201, 202], {
        on: [id],
        ref,
        question: `Which status does a success of ${id} have?`,
        why: stated ? 'Stated.' : 'Not shown; that of every success with a body that is.',
        ...(stated && { stated }),
      }),
    ]),
  ),
) as { [Id in OperationId as `status.${Id}`]: Setting<number, number> }
