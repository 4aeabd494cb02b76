import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const EMAIL = 'carol@provider.example'
export const KEY = 'provider-key-7c1'
const USER = '7a6b5c4d-1111-4222-8333-944455556666'
const BUY = '0f0e0d0c-1111-4222-8333-944455556666'
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.e30.provider'
const CODE = '8421'

/** Values that only the provider knows, and that no report may show. */
export const SECRETS = [KEY, USER, BUY, TOKEN, CODE, 'carol-wallet', '731.5', 'Toronto']

interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: { email?: string; code?: string }
}

interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

const success = (data: unknown, status = 200): Reply => ({ status, body: { success: true, data } })
const failure = (status: number, field: string, message = `${field} is wrong`): Reply => ({
  status,
  body: { success: false, errors: [{ field, message }] },
})
const v1 = (status: number, message: string): Reply => ({
  status,
  body: { message, status: 'error' },
})

/** Choices that the contract leaves to the provider. */
export interface Choices {
  /** Status of an invalid query. */
  invalid?: number
  /** What no webhook configuration responds with. */
  configuration?: Reply
  transactions?: object[]
}

export const TRANSACTION = {
  id: BUY,
  date: '2026-03-01T10:00:00.000Z',
  coin: 'USDC',
  leftSideLabel: 'CAD',
  leftSideValue: 731.5,
  rightSideLabel: 'USDC-ETH',
  rightSideValue: 500.25,
  status: 'complete',
  wallet: 'carol-wallet',
  paymentType: 'interac',
  paymentId: '0xabc',
  rmtId: 'RMT1',
}

/**
 * A provider, written from the contract alone. Its own choices: 422 for an invalid query, a list of
 * requirements, quotes with an expiry and a text as id, no v1 search.
 */
export class FakeProvider {
  readonly calls: string[] = []
  readonly codes: string[] = []
  readonly #choices: Choices
  readonly #server = createServer((incoming, outgoing) => void this.#respond(incoming, outgoing))

  constructor(choices: Choices = {}) {
    this.#choices = choices
  }

  static async open(choices?: Choices): Promise<FakeProvider> {
    const provider = new FakeProvider(choices)
    await once(provider.#server.listen(0, '127.0.0.1'), 'listening')
    return provider
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close().closeAllConnections()
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const { pathname: path, searchParams: query } = new URL(url, 'http://provider')
    let text = ''
    for await (const chunk of incoming) text += chunk
    this.calls.push(`${method} ${path}`)
    const body = text === '' ? {} : JSON.parse(text)
    const reply = this.#handle({ method, path, query, headers, body })
    const more = {
      'content-type': 'application/json; charset=utf-8',
      server: 'edge',
      'x-edge-ray': '1',
    }
    outgoing.writeHead(reply.status, { ...more, ...reply.headers })
    outgoing.end(reply.body === undefined ? undefined : JSON.stringify(reply.body))
  }

  #handle(call: Call): Reply {
    const { path, headers } = call
    if (path === '/inbox')
      return { status: 200, body: { mails: this.codes.map((code) => `Code ${code}`) } }
    const isV2 = path.startsWith('/v2/')
    if (headers['x-api-key'] !== KEY) {
      return isV2 ? failure(401, 'x-api-key') : v1(401, 'No access.')
    }
    return (isV2 ? this.#handleV2(call) : handleV1(call)) ?? failure(404, 'path')
  }

  #handleV2({ method, path, query, headers, body }: Call): Reply | undefined {
    const invalid = this.#choices.invalid ?? 422
    switch (`${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`) {
      case 'GET /v2/quotes':
        return quote(query) ?? failure(invalid, 'leftSideValue')
      case 'GET /v2/webhook-configurations':
        return this.#choices.configuration ?? failure(404, 'webhookConfiguration')
      case 'GET /v2/users':
        if (!query.has('email')) return failure(invalid, 'email')
        return success(query.get('email') === EMAIL ? [{ id: USER }] : [])
      case 'GET /v2/users/:id/requirements':
        return path.includes(USER) ? success([]) : failure(404, 'userId')
      case 'POST /v2/auth/login-codes':
        this.codes.push(CODE)
        return success({ sent: true })
      case 'POST /v2/auth/login-codes/verify':
        if (body.code !== CODE || body.email !== EMAIL) return failure(401, 'code')
        return success({ accessToken: TOKEN, tokenType: 'Bearer', expiresIn: 3600 })
    }
    if (headers.authorization !== `Bearer ${TOKEN}`) return failure(401, 'authorization')
    return this.#handleWithToken({ method, path, query })
  }

  #handleWithToken({ method, path, query }: Pick<Call, 'method' | 'path' | 'query'>) {
    const { transactions = [TRANSACTION], invalid = 422 } = this.#choices
    const [limit, offset] = [Number(query.get('limit') ?? 25), Number(query.get('offset') ?? 0)]
    switch (`${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`) {
      case 'GET /v2/limits':
        return success({
          leftSideCurrency: {
            CAD: { minimum: 50, maximum: 5000 },
            CADC: { minimum: 50, maximum: 5000 },
            USDC: { minimum: 40, maximum: 4000 },
            EURC: { minimum: 40, maximum: 4000 },
          },
        })
      case 'GET /v2/transactions':
        if (!(limit >= 1 && limit <= 100 && offset >= 0)) return failure(invalid, 'limit')
        return success({ items: transactions, total: transactions.length, limit, offset })
      case 'GET /v2/transactions/:id':
        return path.includes(BUY) ? success(TRANSACTION) : failure(404, 'txId')
      default:
        return undefined
    }
  }
}

const LABELS = ['CAD', 'USDC', 'CADC', 'USDC-ETH', 'USDC-SOL']

function quote(query: URLSearchParams): Reply | undefined {
  const amount = query.get('leftSideValue') ?? ''
  const labels = [query.get('leftSideLabel') ?? '', query.get('rightSideLabel') ?? '']
  if (!/^\d+(\.\d+)?$/.test(amount) || !labels.every((each) => LABELS.includes(each)))
    return undefined
  const [leftSideLabel, rightSideLabel] = labels
  return success({
    quoteId: 'q-991',
    expiresAt: '2026-03-01T10:30:00.000Z',
    leftSideLabel,
    leftSideValue: Number(amount),
    rightSideLabel,
    rightSideValue: 70.1,
    rate: 1.41,
    breakdown: { fee: 0.5, gas: 0.4, spread: 0.1 },
  })
}

function handleV1({ method, path }: Call): Reply | undefined {
  switch (`${method} ${path}`) {
    case 'GET /priceQuote':
      return {
        status: 200,
        body: { gasId: 1, quoteId: 2, fxRate: 1.41, ethCost: 0.4, city: 'Toronto' },
      }
    case 'GET /webhooks':
      return {
        status: 200,
        body: { transactionCompleteEnabled: false, transactionCompleteUrl: null },
      }
    case 'GET /apiFindUser':
    case 'GET /transaction':
      return v1(404, 'Not found.')
    default:
      return undefined
  }
}
