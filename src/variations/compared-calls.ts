import type { Query } from '../client/http.ts'
import type { ContractOperationId } from '../world/settings/operations.ts'

/** What is known of a user after some calls to one side. */
export interface Known {
  email?: string | undefined
  userId?: string | undefined
  code?: string | undefined
  token?: string | undefined
  /** A buy of the user. */
  txId?: string | undefined
}

/** A call that both sides get. */
export interface ComparedCall {
  /** Undefined for a path that no operation has. */
  operation?: ContractOperationId
  route: string
  /** What is special about it, in words after the route. */
  with?: string
  path?: (known: Known) => Readonly<Record<string, string | undefined>>
  query?: (known: Known) => Query
  body?: (known: Known) => object
  key?: 'none' | 'wrong'
  /** Sends the access token, or one that nobody has issued. */
  token?: 'valid' | 'invalid'
}

const QUOTE = { operation: 'createQuote', route: 'GET /v2/quotes' } as const
const USERS = { operation: 'findUsers', route: 'GET /v2/users' } as const
const REQUIREMENTS = {
  operation: 'getRequirements',
  route: 'GET /v2/users/:userId/requirements',
} as const
const LIMITS = { operation: 'getLimits', route: 'GET /v2/limits' } as const
const LIST = { operation: 'listTransactions', route: 'GET /v2/transactions' } as const
const TRANSACTION = { operation: 'getTransaction', route: 'GET /v2/transactions/:txId' } as const
const V1_PRICE = { operation: 'v1PriceQuote', route: 'GET /priceQuote' } as const
const V1_USER = { operation: 'v1FindUser', route: 'GET /apiFindUser' } as const

const BUY = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const SELL = { leftSideLabel: 'USDC-ETH', leftSideValue: 100, rightSideLabel: 'CAD' }
const NOBODY = '00000000-0000-4000-8000-00000000dead'
const NO_ADDRESS = 'nobody-at-all@example.com'
const ofUser = ({ userId }: Known) => ({ userId })
const toEmail = ({ email }: Known) => ({ email })
const quoting = (changes: Query) => () => ({ ...BUY, ...changes })

export const CONFIGURATION: ComparedCall = {
  operation: 'getWebhookConfiguration',
  route: 'GET /v2/webhook-configurations',
}

/** Calls that need the key alone. They change nothing. */
export const WITH_KEY: readonly ComparedCall[] = [
  { ...QUOTE, query: () => BUY },
  { ...QUOTE, with: 'a sell', query: () => SELL },
  { ...QUOTE, with: 'a coin without a chain', query: quoting({ rightSideLabel: 'USDC' }) },
  { ...QUOTE, with: 'another chain', query: quoting({ rightSideLabel: 'USDC-SOL' }) },
  { ...QUOTE, with: 'no key', query: () => BUY, key: 'none' },
  { ...QUOTE, with: 'an unknown key', query: () => BUY, key: 'wrong' },
  { ...QUOTE, with: 'no amount', query: quoting({ leftSideValue: undefined }) },
  { ...QUOTE, with: 'an amount that is not a number', query: quoting({ leftSideValue: 'abc' }) },
  {
    ...QUOTE,
    with: 'a CAD amount with three decimals',
    query: quoting({ leftSideValue: '100.005' }),
  },
  { ...QUOTE, with: 'an unknown label', query: quoting({ rightSideLabel: 'XYZ' }) },
  CONFIGURATION,
  { ...USERS, with: 'no e-mail address' },
  { ...USERS, with: 'an unknown address', query: () => ({ email: NO_ADDRESS }) },
  { ...REQUIREMENTS, with: 'an unknown user', path: () => ({ userId: NOBODY }) },
  { ...LIMITS, with: 'the key alone' },
  { ...LIST, with: 'the key alone' },
  { ...LIST, with: 'an invalid token', token: 'invalid' },
  { ...TRANSACTION, with: 'the key alone', path: () => ({ txId: NOBODY }) },
  { ...V1_PRICE, query: () => BUY },
  { ...V1_PRICE, with: 'no key', query: () => BUY, key: 'none' },
  { ...V1_USER, with: 'an unknown address', query: () => ({ email: NO_ADDRESS }) },
  { operation: 'v1GetWebhooks', route: 'GET /webhooks' },
  { operation: 'v1GetTransaction', route: 'GET /transaction', with: 'the key alone' },
  { route: 'GET /v2/no-such-path' },
]

export const FIND_USER: ComparedCall = { ...USERS, query: toEmail }

/** Calls about a user that need the key alone. */
export const OF_USER: readonly ComparedCall[] = [
  { ...REQUIREMENTS, path: ofUser },
  { ...LIMITS, with: 'the key and a userId', query: ofUser },
  { ...LIST, with: 'the key and a userId', query: ofUser },
  { ...V1_USER, query: toEmail },
]

export const SEND_CODE: ComparedCall = {
  operation: 'sendLoginCode',
  route: 'POST /v2/auth/login-codes',
  body: toEmail,
}

export const LOG_IN: ComparedCall = {
  operation: 'verifyLoginCode',
  route: 'POST /v2/auth/login-codes/verify',
  body: ({ email, code }) => ({ email, code }),
}

export const LIST_ALL: ComparedCall = { ...LIST, token: 'valid' }

/** Calls with the access token of the user. */
export const WITH_TOKEN: readonly ComparedCall[] = [
  { ...REQUIREMENTS, with: 'a token', path: ofUser, token: 'valid' },
  {
    ...REQUIREMENTS,
    with: 'the token of another user',
    path: () => ({ userId: NOBODY }),
    token: 'valid',
  },
  { ...REQUIREMENTS, with: 'a token and no key', path: ofUser, token: 'valid', key: 'none' },
  { ...LIMITS, token: 'valid' },
  { ...LIMITS, with: 'a token and no key', token: 'valid', key: 'none' },
  { ...LIST, with: 'limit=0', query: () => ({ limit: 0 }), token: 'valid' },
  { ...LIST, with: 'limit=100000', query: () => ({ limit: 100_000 }), token: 'valid' },
  { ...LIST, with: 'offset=-1', query: () => ({ offset: -1 }), token: 'valid' },
  { ...TRANSACTION, with: 'an unknown id', path: () => ({ txId: NOBODY }), token: 'valid' },
  {
    ...TRANSACTION,
    with: 'a token and no key',
    path: () => ({ txId: NOBODY }),
    token: 'valid',
    key: 'none',
  },
]

export const ONE_TRANSACTION: ComparedCall = {
  ...TRANSACTION,
  path: ({ txId }) => ({ txId }),
  token: 'valid',
}

export const nameCall = ({ route, with: special }: ComparedCall): string =>
  special === undefined ? route : `${route} with ${special}`
