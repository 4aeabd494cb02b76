import { CLI, open } from '../helpers/cli.ts'

const EVM_WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const PROFILE = { firstName: 'Ana', lastName: 'Silva', dob: '1990-04-12', phone: '4165550101' }
export const NOON = '2026-07-01T12:00:00Z'

/** Whatever JSON holds. */
// biome-ignore lint/suspicious/noExplicitAny: the APIs have tests and shapes of their own
export type Json = any

/** A sandbox as its users start it. */
export interface Running {
  url: string
  dashboard: string
  /** A call of the contract, with the first integrator's key; answers with `data`. */
  api(method: string, path: string, body?: Json, token?: string): Promise<Json>
  control(method: string, path: string, body?: Json): Promise<Json>
  /** Registers a user and lets a reviewer approve. */
  verified(email: string, profile?: Record<string, unknown>): Promise<string>
  /** Logs in, and answers with the token. */
  logIn(email: string): Promise<string>
  buy(token: string, cad: number, more?: Json): Promise<Json>
  sell(token: string, coins: number): Promise<Json>
}

export async function start(...args: string[]): Promise<Running> {
  const program = open(process.execPath, [CLI, 'start', '--port', '0', '--json', ...args])
  const { url, dashboardUrl } = JSON.parse((await program.line()) ?? '{}')
  return { ...apiOf(url), url, dashboard: dashboardUrl }
}

/** A sandbox with one verified user, frozen at noon, whose webhooks are caught. */
export async function startStory(...args: string[]) {
  const sandbox = await start('--fixture', 'verified-user', '--clock', NOON, ...args)
  await sandbox.api('PUT', '/webhook-configurations', { url: `${sandbox.url}/_sandbox/catch/me` })
  const token = await sandbox.logIn('alice@example.com')
  return { ...sandbox, token }
}

export function apiOf(base: string): Omit<Running, 'url' | 'dashboard'> {
  const call = async (method: string, path: string, body: Json, headers: object): Promise<Json> => {
    const json = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }
    const all = { 'content-type': 'application/json', ...headers }
    const answer = await fetch(`${base}${path}`, { method, headers: all, ...json })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const services: Omit<Running, 'url' | 'dashboard'> = {
    async api(method, path, body, token) {
      const access = token ? { authorization: `Bearer ${token}` } : {}
      return (await call(method, `/v2${path}`, body, { 'x-api-key': 'sandbox-key', ...access }))
        ?.data
    },
    control: (method, path, body) => call(method, `/_sandbox${path}`, body, {}),
    async verified(email, profile = PROFILE) {
      const { id } = await services.api('POST', '/users', { email, ...profile })
      await services.control('POST', `/simulate/users/${id}/kyc`, { status: 'verified' })
      return id
    },
    async logIn(email) {
      await services.api('POST', '/auth/login-codes', { email })
      const query = new URLSearchParams({ email, kind: 'login-code' })
      const { messages } = await services.control('GET', `/inbox?${query}`)
      const code = messages.at(-1).code
      return (await services.api('POST', '/auth/login-codes/verify', { email, code })).accessToken
    },
    buy: (token, cad, more) => order(token, ['CAD', cad, 'USDC-ETH'], more),
    sell: (token, coins) => order(token, ['USDC-ETH', coins, 'CAD']),
  }
  return services

  async function order(token: string, [left, value, right]: [string, number, string], more?: Json) {
    const pair = { leftSideLabel: left, leftSideValue: value, rightSideLabel: right }
    const query = new URLSearchParams({ ...pair, leftSideValue: String(value) })
    const { quoteId } = await services.api('GET', `/quotes?${query}`)
    const body = { ...pair, wallet: EVM_WALLET, quoteId, ...more }
    return services.api('POST', '/transactions', body, token)
  }
}
