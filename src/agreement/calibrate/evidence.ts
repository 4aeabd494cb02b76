import type { Json } from '../../client/http.ts'
import { NotMeasured } from './step.ts'

interface Answer {
  route: string
  status: number
  data: Json
  body: Json
}

const has =
  (field: string) =>
  ({ data }: Answer): boolean =>
    data?.[field] !== undefined

/** What a success of the service holds in any case; a server of something else answers 200, too. */
const SUCCESSES: Readonly<Record<string, (answer: Answer) => boolean>> = {
  'GET /v2/quotes': has('quoteId'),
  'GET /v2/limits': has('leftSideCurrency'),
  'GET /v2/webhook-configurations': (answer) =>
    answer.data === null ? isWrapped(answer) : has('url')(answer),
  'PUT /v2/webhook-configurations': has('url'),
  'GET /v2/users': ({ data }) => Array.isArray(data) && data.every((user: Json) => user?.id),
  'POST /v2/users': has('id'),
  'PATCH /v2/users/:userId': has('id'),
  'GET /v2/users/:userId/requirements': ({ data }) =>
    Array.isArray(data) || Object.values(data ?? {}).some(Array.isArray),
  'GET /v2/users/:userId/kyc-url': has('url'),
  'POST /v2/auth/login-codes': isWrapped,
  'POST /v2/auth/login-codes/verify': has('accessToken'),
  'GET /v2/transactions': ({ data }) => Array.isArray(data?.items),
  'POST /v2/transactions': has('id'),
  'GET /v2/transactions/:txId': has('id'),
  'PUT /v2/transactions/:txId/cancel': has('id'),
  'GET /priceQuote': has('quoteId'),
  'GET /apiFindUser': has('userId'),
  'GET /webhooks': has('verifiedEmailEnabled'),
  'PATCH /webhooks': has('verifiedEmailEnabled'),
}

/** An answer that any server could give, such as a 200 of `{}` or a 404 of a page, shows nothing. */
export function assertShowsSomething(answer: Answer): void {
  const { route, status } = answer
  const shows = status < 300 ? (SUCCESSES[route] ?? (() => true)) : isError
  if (shows(answer)) return
  throw new NotMeasured(`${route} answered ${status} with nothing that the contract has there`)
}

/** That a key or a token is missing is often said by a gateway, in no words. */
const isError = ({ status, body }: Answer): boolean =>
  status === 401 ||
  status === 403 ||
  (typeof body === 'object' && Object.keys(body ?? {}).length > 0)

function isWrapped({ body }: Answer): boolean {
  return body?.success === true
}
