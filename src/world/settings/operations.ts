import { EVENT_IDS } from '../words.ts'
import { CONSTANTS } from './constants.ts'

/** Parts of the contract that an operation belongs to. */
export type Area =
  | 'Login'
  | 'Users'
  | 'Quotes and limits'
  | 'Transactions'
  | 'Webhook configuration'
  | 'Corporate verification'
  | 'Legacy v1'

/** Credentials of a call: `token` means key and token, `key-or-token` either of them. */
export type CredentialRule = 'key' | 'token' | 'key-or-token' | 'key-until-verified' | 'none'

interface Row {
  area: Area
  ref: string
  /** A rule, or the name of the setting that decides it. */
  credentials: CredentialRule | `auth.${string}`
  /** Status of a success, or the name of the setting that decides it; 200 by default. */
  success?: 204 | 'status.created'
  /** Place of its input, apart from the path. */
  takes?: 'query' | 'body'
  /** Place where it names a user. */
  user?: 'path' | 'query'
}

const ROWS = {
  sendLoginCode: {
    area: 'Login',
    ref: 'Endpoints: Login, POST /auth/login-codes',
    credentials: 'key',
    success: 'status.created',
    takes: 'body',
  },
  verifyLoginCode: {
    area: 'Login',
    ref: 'Endpoints: Login, POST /auth/login-codes/verify',
    credentials: 'key',
    takes: 'body',
  },
  createUser: {
    area: 'Users',
    ref: 'Endpoints: Users, POST /users',
    credentials: 'key',
    success: 'status.created',
    takes: 'body',
  },
  findUsers: {
    area: 'Users',
    ref: 'Endpoints: Users, GET /users',
    credentials: 'key',
    takes: 'query',
  },
  updateUser: {
    area: 'Users',
    ref: 'Endpoints: Users, PATCH /users/{userId}',
    credentials: 'auth.updateUser',
    takes: 'body',
    user: 'path',
  },
  getRequirements: {
    area: 'Users',
    ref: 'Endpoints: Users, GET /users/{userId}/requirements',
    credentials: 'auth.getRequirements',
    user: 'path',
  },
  createKycLink: {
    area: 'Users',
    ref: 'Endpoints: Users, GET /users/{userId}/kyc-url',
    credentials: 'auth.createKycLink',
    user: 'path',
  },
  importKyc: {
    area: 'Users',
    ref: 'Endpoints: Users, PUT /users/{userId}/kyc',
    credentials: 'auth.importKyc',
    takes: 'body',
    user: 'path',
  },
  createQuote: {
    area: 'Quotes and limits',
    ref: 'Endpoints: Quotes and limits, GET /quotes',
    credentials: 'key',
    takes: 'query',
  },
  getLimits: {
    area: 'Quotes and limits',
    ref: 'Endpoints: Quotes and limits, GET /limits',
    credentials: 'auth.getLimits',
    user: 'query',
  },
  createTransaction: {
    area: 'Transactions',
    ref: 'Endpoints: Transactions, POST /transactions',
    credentials: 'token',
    takes: 'body',
    user: 'query',
  },
  listTransactions: {
    area: 'Transactions',
    ref: 'Endpoints: Transactions, GET /transactions',
    credentials: 'token',
    takes: 'query',
    user: 'query',
  },
  getTransaction: {
    area: 'Transactions',
    ref: 'Endpoints: Transactions, GET /transactions/{txId}',
    credentials: 'auth.getTransaction',
  },
  cancelTransaction: {
    area: 'Transactions',
    ref: 'Endpoints: Transactions, PUT /transactions/{txId}/cancel',
    credentials: 'token',
  },
  putWebhookConfiguration: {
    area: 'Webhook configuration',
    ref: 'Endpoints: Webhook configuration, PUT /webhook-configurations',
    credentials: 'key',
    takes: 'body',
  },
  getWebhookConfiguration: {
    area: 'Webhook configuration',
    ref: 'Endpoints: Webhook configuration, GET /webhook-configurations',
    credentials: 'key',
  },
  deleteWebhookConfiguration: {
    area: 'Webhook configuration',
    ref: 'Endpoints: Webhook configuration, DELETE /webhook-configurations',
    credentials: 'key',
    success: 204,
  },
  testWebhookConfiguration: {
    area: 'Webhook configuration',
    ref: 'Endpoints: Webhook configuration, POST /webhook-configurations/test',
    credentials: 'key',
    success: 'status.created',
  },
  rotateSigningSecret: {
    area: 'Webhook configuration',
    ref: 'Endpoints: Webhook configuration, POST signing-secret/rotate',
    credentials: 'key',
    success: 'status.created',
  },
  submitKyb: {
    area: 'Corporate verification',
    ref: 'Endpoints: Corporate verification',
    credentials: 'key',
    success: 'status.created',
    takes: 'body',
  },
  v1SendLoginCode: {
    area: 'Legacy v1',
    ref: 'Endpoints: Legacy v1 endpoints, POST /loginCodeSend',
    credentials: 'key',
    success: 'status.created',
    takes: 'query',
  },
  v1VerifyLoginCode: {
    area: 'Legacy v1',
    ref: 'Endpoints: Legacy v1 endpoints, POST /loginCodeVerify',
    credentials: 'key',
    success: 'status.created',
    takes: 'query',
  },
  v1GetWebhooks: {
    area: 'Legacy v1',
    ref: 'Endpoints: Legacy v1 endpoints, GET /webhooks',
    credentials: 'key',
  },
  v1PatchWebhooks: {
    area: 'Legacy v1',
    ref: 'Endpoints: Legacy v1 endpoints, PATCH /webhooks',
    credentials: 'key',
    takes: 'body',
  },
  v1MakeSigningSecret: {
    area: 'Legacy v1',
    ref: 'Endpoints: Legacy v1 endpoints, POST /webhook-signing-secret',
    credentials: 'key',
    success: 'status.created',
  },
  v1GenerateApiLink: {
    area: 'Legacy v1',
    ref: 'Versioning: POST /generateApiLink',
    credentials: 'key',
    success: 'status.created',
    takes: 'body',
  },
  v1FindUser: {
    area: 'Legacy v1',
    ref: 'Versioning: GET /apiFindUser',
    credentials: 'key',
    takes: 'query',
  },
  v1ImportUser: {
    area: 'Legacy v1',
    ref: 'Versioning: POST /sumsubImportUser',
    credentials: 'key',
    success: 'status.created',
    takes: 'body',
  },
  v1PriceQuote: {
    area: 'Legacy v1',
    ref: 'Versioning: GET /priceQuote',
    credentials: 'auth.v1PriceQuote',
    takes: 'query',
  },
  v1CreateTransaction: {
    area: 'Legacy v1',
    ref: 'Versioning: POST /transaction',
    credentials: CONSTANTS['auth.v1CreateTransaction'].value,
    success: 'status.created',
    takes: 'body',
    user: 'query',
  },
  v1GetTransaction: {
    area: 'Legacy v1',
    ref: 'Versioning: GET /transaction',
    credentials: 'auth.v1GetTransaction',
    takes: 'query',
    user: 'query',
  },
} as const satisfies Record<string, Row>

export type ContractOperationId = keyof typeof ROWS
type Written = (typeof ROWS)[ContractOperationId]['credentials']
/** Settings that have the credentials of an operation. */
export type CredentialSetting = Extract<Written, `auth.${string}`>

export interface ContractOperation extends Omit<Row, 'credentials'> {
  credentials: CredentialRule | CredentialSetting
}

/** Every operation of the contract, each with what the contract says of it. */
export const CONTRACT_OPERATIONS: Readonly<Record<ContractOperationId, ContractOperation>> = ROWS

export const OPERATION_IDS = Object.keys(ROWS) as ContractOperationId[]

const operationsThat = (is: (operation: ContractOperation) => unknown) =>
  OPERATION_IDS.filter((id) => is(CONTRACT_OPERATIONS[id]))

export const WITH_BODY = operationsThat(({ takes }) => takes === 'body')
export const WITH_QUERY = operationsThat(({ takes }) => takes === 'query')
export const WITH_USER = operationsThat(({ user }) => user)
/** Operations whose path names neither a user nor a transaction. */
export const WITH_NAMED_USER = operationsThat(({ user }) => user === 'query')
/** Operations on behalf of a user. */
export const WITH_TOKEN = operationsThat(
  ({ credentials }) => credentials !== 'key' && credentials !== 'auth.v1PriceQuote',
)
export const CREATING = operationsThat(({ success }) => success === 'status.created')
export const LEGACY = operationsThat(({ area }) => area === 'Legacy v1')

/** Webhooks, as the OpenAPI document names them. */
export type WebhookId = (typeof V2_EVENTS | typeof V1_HOOKS)[number]

export const V2_EVENTS = Object.values(EVENT_IDS)
export const V1_HOOKS = [
  'onV1UserVerified',
  'onV1TransactionInitiated',
  'onV1TransactionComplete',
  'onV1TransactionStatusUpdate',
] as const
