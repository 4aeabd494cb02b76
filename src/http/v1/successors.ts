import type { Method } from '../operation.ts'

/** What replaces what (contract, Versioning: the table). */
const SUCCESSORS: Readonly<Record<string, string>> = {
  'POST /loginCodeSend': 'POST /v2/auth/login-codes',
  'POST /loginCodeVerify': 'POST /v2/auth/login-codes/verify',
  'POST /generateApiLink': 'POST /v2/users, then GET /v2/users/{userId}/kyc-url',
  'GET /apiFindUser': 'GET /v2/users?email={email}',
  'POST /sumsubImportUser': 'PUT /v2/users/{userId}/kyc',
  'GET /priceQuote': 'GET /v2/quotes',
  'GET /transaction': 'GET /v2/transactions or GET /v2/transactions/{txId}',
  'POST /transaction': 'POST /v2/transactions',
  'GET /webhooks': 'GET /v2/webhook-configurations',
  'PATCH /webhooks': 'PUT or DELETE /v2/webhook-configurations',
  'POST /webhook-signing-secret': 'POST /v2/webhook-configurations/signing-secret/rotate',
}

export const successorOf = (method: Method, path: string): string =>
  SUCCESSORS[`${method} ${path}`] ?? 'v2'
