/** What v2 responds with, as types. Each is inferred from the schema of the same name. */

export type { FieldError } from '../../control-api/fields.ts'
export type { AccessToken } from '../../control-api/users.ts'
export type {
  LimitsResponse,
  QuoteResponse,
  TransactionResponse,
  TransactionsResponse,
} from './transactions.ts'
export type {
  CreatedUser,
  FoundUser,
  KycLinkResponse,
  RequirementsResponse,
  UserResponse,
} from './users.ts'
export type { TestDelivery } from './webhook-configurations.ts'
