import { createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import type { HttpAnswer, HttpRequest, Json } from '../client/http.ts'
import { expect, Mismatch } from './expect.ts'
import type { CallRecorder } from './recorder.ts'
import type {
  Api,
  ApiAnswer,
  ControlApi,
  LoggedIn,
  SentWebhook,
  Stage,
  StageWebhooks,
} from './types.ts'

const EVM_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const SOLANA_WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

export interface StageOptions {
  send: CallRecorder['send']
  apiKey: string
  webhooks: { url: string; secret: string }
  step(title: string): void
}

/** What a scenario is given to act with. */
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

export function createApi(send: CallRecorder['send'], headers: Headers): Api {
  const call = async (method: string, path: string, rest: Partial<HttpRequest> = {}) =>
    new ApiAnswerOf(`${method} ${path}`, await send({ method, path, headers, ...rest }))
  const callWith = (method: string, path: string, body?: object) =>
    call(method, path, body && { headers: { ...headers, ...JSON_TYPE }, body })
  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body) => callWith('POST', path, body),
    put: (path, body) => callWith('PUT', path, body),
    patch: (path, body) => callWith('PATCH', path, body),
    delete: (path) => call('DELETE', path),
    with(others) {
      const all = Object.entries({ ...headers, ...others })
      const sent = all.filter((entry): entry is [string, string] => entry[1] !== null)
      return createApi(send, Object.fromEntries(sent))
    },
  }
}

/** Said here as well as in the client, so that the transcript has it. */
const JSON_TYPE = { 'content-type': 'application/json' }

class ApiAnswerOf implements ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly #call: string

  constructor(call: string, { status, headers, body }: HttpAnswer) {
    this.status = status
    this.headers = headers
    this.body = body
    this.#call = call
  }

  get data(): Json {
    if (this.body?.success === true) return this.body.data
    const actual = `got ${this.status} ${JSON.stringify(this.body)}`
    throw new Mismatch(`${this.#call} did not succeed.`, [`expected a success, ${actual}`])
  }
}

export function createControlApi(send: CallRecorder['send']): ControlApi {
  const control = createControl({ url: '', send })
  const call: typeof control.call = async (method, path, rest) => {
    try {
      return await control.call(method, path, rest)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      const { status, code, message } = error
      throw new Mismatch(`${method} /_sandbox${path} was rejected.`, [
        `expected a success, got ${status} (${code}): ${message}`,
      ])
    }
  }
  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
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

async function order(api: Api, pair: Pair, rest: object): Promise<ApiAnswer> {
  const { data } = await api.get('/v2/quotes', pair)
  const isSolana = `${pair.leftSideLabel} ${pair.rightSideLabel}`.includes('-SOL')
  const wallet = isSolana ? SOLANA_WALLET : EVM_WALLET
  return api.post('/v2/transactions', { ...pair, wallet, quoteId: data.quoteId, ...rest })
}

function createWebhooks(
  control: ControlApi,
  { url, secret }: { url: string; secret: string },
): StageWebhooks {
  return {
    url,
    secret,
    async about(ref) {
      await control.post('/webhooks/drain')
      const { deliveries } = await control.get('/webhooks/deliveries', { ref })
      return deliveries.map(toSentWebhook)
    },
  }
}

function toSentWebhook({ generation, hook, outcome, request }: Json): SentWebhook {
  const { headers, body: text } = request
  return { generation, hook, outcome, headers, text, body: JSON.parse(text) }
}
