import { expect, Mismatch } from './expect.ts'
import type { Came, Recorder, Sent } from './recorder.ts'
import type { Answer, Api, ControlApi, Json, LoggedIn, Stage, Told, Webhooks } from './types.ts'

const EVM_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export interface StageOptions {
  send: Recorder['send']
  apiKey: string
  webhooks: { url: string; secret: string }
  step(title: string): void
}

/** What a scenario is handed. */
export function createStage({ send, apiKey, webhooks, step }: StageOptions): Stage {
  const api = createApi(send, { 'x-api-key': apiKey })
  const control = createControlApi(send)
  return {
    step,
    expect,
    api,
    control,
    login: (email) => logIn(api, control, email),
    webhooks: createWebhooks(control, webhooks),
  }
}

type Headers = Readonly<Record<string, string>>

export function createApi(send: Recorder['send'], headers: Headers): Api {
  const call = async (method: string, path: string, body?: object) =>
    new ApiAnswer(`${method} ${path}`, await send(withBody({ method, path, headers, body })))
  return {
    get: (path, query) => call('GET', path + toSearch(query)),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
    with(others) {
      const all = Object.entries({ ...headers, ...others })
      const sent = all.filter((entry): entry is [string, string] => entry[1] !== null)
      return createApi(send, Object.fromEntries(sent))
    },
  }
}

class ApiAnswer implements Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly #call: string

  constructor(call: string, { status, headers, body }: Came) {
    this.status = status
    this.headers = headers
    this.body = body
    this.#call = call
  }

  get data(): Json {
    if (this.body?.success === true) return this.body.data
    const came = `came ${this.status} ${JSON.stringify(this.body)}`
    throw new Mismatch(`${this.#call} did not succeed.`, [`wanted a success, ${came}`])
  }
}

export function createControlApi(send: Recorder['send']): ControlApi {
  const headers = { 'content-type': 'application/json' }
  async function call(method: string, path: string, body?: object): Promise<Json> {
    const came = await send({ method, path: `/_sandbox${path}`, headers, body })
    if (came.status < 300) return came.body
    const { title = JSON.stringify(came.body), code = 'none' } = came.body ?? {}
    throw new Mismatch(`${method} /_sandbox${path} was refused.`, [
      `wanted a success, came ${came.status} (${code}): ${title}`,
    ])
  }
  return {
    get: (path, query) => call('GET', path + toSearch(query)),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body = {}) => call('PUT', path, body),
    patch: (path, body = {}) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  }
}

async function logIn(api: Api, control: ControlApi, email: string): Promise<LoggedIn> {
  expect(await api.post('/v2/auth/login-codes', { email }), { status: 200 }, 'login code')
  const { messages } = await control.get('/inbox', { email, kind: 'login-code' })
  const code = messages.at(-1)?.code
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

type Pair = { leftSideLabel: string; leftSideValue: number; rightSideLabel: string }

async function order(api: Api, pair: Pair, rest: object): Promise<Answer> {
  const { data } = await api.get('/v2/quotes', pair)
  const isSolana = `${pair.leftSideLabel} ${pair.rightSideLabel}`.includes('-SOL')
  const wallet = isSolana ? SOLANA_WALLET : EVM_WALLET
  return api.post('/v2/transactions', { ...pair, wallet, quoteId: data.quoteId, ...rest })
}

function createWebhooks(
  control: ControlApi,
  { url, secret }: { url: string; secret: string },
): Webhooks {
  return {
    url,
    secret,
    async about(ref) {
      await control.post('/webhooks/drain')
      const { deliveries } = await control.get('/webhooks/deliveries', { ref })
      return deliveries.map(toTold)
    },
  }
}

function toTold({ generation, hook, outcome, request }: Json): Told {
  const { headers, body: text } = request
  return { generation, hook, outcome, headers, text, body: JSON.parse(text) }
}

function withBody({ body, ...sent }: Sent): Sent {
  if (body === undefined) return sent
  return { ...sent, headers: { ...sent.headers, 'content-type': 'application/json' }, body }
}

function toSearch(query: Readonly<Record<string, string | number>> = {}): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
