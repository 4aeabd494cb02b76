import { type FieldProblem, SandboxError } from './error.ts'
import type { HttpClient, HttpRequest, HttpResponse, Json } from './http.ts'

const EVM_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export interface ApiResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON, or the text of anything else. */
  readonly body: Json
  /** `data` of a v2 success; reading it from anything else throws, and fails the step of a scenario. */
  readonly data: Json
}

/** Calls to the provider's API; paths are under the world's base URL, such as `/v2/quotes`. */
export interface Api {
  get(path: string, query?: Readonly<Record<string, string | number>>): Promise<ApiResponse>
  post(path: string, body?: object): Promise<ApiResponse>
  put(path: string, body?: object): Promise<ApiResponse>
  patch(path: string, body?: object): Promise<ApiResponse>
  delete(path: string): Promise<ApiResponse>
  /** The same API with other headers. `null` removes a header. */
  with(headers: Readonly<Record<string, string | null>>): Api
}

interface OrderOptions {
  coin?: string
  wallet?: string
  externalSessionId?: string
}

/** The API on behalf of a user: every call carries the access token. */
export interface LoggedIn extends Api {
  readonly email: string
  readonly token: string
  /** Asks for a quote and creates the transaction; returns the response of creating it. */
  buy(order: OrderOptions & { cad: number }): Promise<ApiResponse>
  sell(order: OrderOptions & { coins: number }): Promise<ApiResponse>
}

type Headers = Readonly<Record<string, string>>

type ToError = (call: string, response: HttpResponse) => Error

export interface ApiOptions {
  send: HttpClient['send']
  headers: Headers
  /** Default: a `SandboxError` with code `contract`. */
  toError?: ToError | undefined
}

export function createApi({ send, headers, toError = toContractError }: ApiOptions): Api {
  const call = async (method: string, path: string, rest: Partial<HttpRequest> = {}) =>
    toApiResponse(`${method} ${path}`, await send({ method, path, headers, ...rest }), toError)
  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
    delete: (path) => call('DELETE', path),
    with(others) {
      const all = Object.entries({ ...headers, ...others })
      const sent = all.filter((entry): entry is [string, string] => entry[1] !== null)
      return createApi({ send, headers: Object.fromEntries(sent), toError })
    },
  }
}

function toApiResponse(call: string, response: HttpResponse, toError: ToError): ApiResponse {
  const { status, headers, body } = response
  return {
    status,
    headers,
    body,
    get data(): Json {
      if (body?.success === true) return body.data
      throw toError(call, response)
    },
  }
}

function toContractError(call: string, { status, body }: HttpResponse): SandboxError {
  const problems: FieldProblem[] = body?.errors ?? []
  const why =
    problems.map(({ message }) => message).join(' ') ||
    (body === '' ? 'no body' : JSON.stringify(body))
  return new SandboxError(`${call} responded with ${status}: ${why}`, {
    code: 'contract',
    status,
    problems,
  })
}

/** Logs a verified user in; `readCode` finds the code that was sent. */
export async function logIn(
  api: Api,
  email: string,
  readCode: () => Promise<string>,
): Promise<LoggedIn> {
  assertSuccess(await api.post('/v2/auth/login-codes', { email }))
  const code = await readCode()
  const { data } = await api.post('/v2/auth/login-codes/verify', { email, code })
  const token: string = data.accessToken
  const own = api.with({ authorization: `Bearer ${token}` })
  return {
    ...own,
    email,
    token,
    buy: ({ cad, coin = 'USDC-ETH', ...rest }) =>
      order(own, { leftSideLabel: 'CAD', leftSideValue: cad, rightSideLabel: coin }, rest),
    sell: ({ coins, coin = 'USDC-ETH', ...rest }) =>
      order(own, { leftSideLabel: coin, leftSideValue: coins, rightSideLabel: 'CAD' }, rest),
  }
}

const assertSuccess = ({ data }: ApiResponse): void => data

type Pair = { leftSideLabel: string; leftSideValue: number; rightSideLabel: string }

async function order(api: Api, pair: Pair, rest: object): Promise<ApiResponse> {
  const { data } = await api.get('/v2/quotes', pair)
  const isSolana = `${pair.leftSideLabel} ${pair.rightSideLabel}`.includes('-SOL')
  const wallet = isSolana ? SOLANA_WALLET : EVM_WALLET
  return api.post('/v2/transactions', { ...pair, wallet, quoteId: data.quoteId, ...rest })
}
