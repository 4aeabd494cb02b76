import { pathToFileURL } from 'node:url'
import { CLI } from '../helpers/command.ts'

/** What is used here of the library that was built. */
interface Sandbox {
  url: string
  close(): Promise<void>
}

/** Options of a sandbox; a world has the first two. */
interface Options {
  fixture?: string
  clock?: string
  controlToken?: string
  allowHosts?: string[]
  publicUrl?: string
  host?: string
}

interface Library {
  createSandbox(options?: Options): Promise<Sandbox>
}

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
  /** A call of the contract, with the first integrator's key; returns `data`. */
  api(method: string, path: string, body?: Json, token?: string): Promise<Json>
  control(method: string, path: string, body?: Json): Promise<Json>
  /** Registers a user and lets a reviewer approve. */
  verified(email: string, profile?: Record<string, unknown>): Promise<string>
  /** Logs in, and returns the token. */
  logIn(email: string): Promise<string>
  buy(token: string, cad: number, more?: Json): Promise<Json>
  sell(token: string, coins: number): Promise<Json>
}

/** One for all files of a worker, so that its pages find their files in the browser's cache. */
let shared: Promise<Sandbox> | undefined
/** Names of the worlds of the present test. */
const opened = new Set<string>()
/** Sandboxes of the present test alone. */
const alone = new Set<Sandbox>()

/** A private world of the sandbox that all tests share. */
export async function start(world: Pick<Options, 'fixture' | 'clock'> = {}): Promise<Running> {
  shared ??= createSandbox()
  const { url: origin } = await shared
  const { name } = await apiOf(origin).control('POST', '/worlds', { ...world, seed: 'browser' })
  opened.add(name)
  return toRunning(`${origin}/w/${name}`)
}

/** A sandbox of its own. */
export async function startAlone(options: Options): Promise<Running> {
  const sandbox = await createSandbox(options)
  alone.add(sandbox)
  return toRunning(sandbox.url)
}

async function createSandbox(options?: Options): Promise<Sandbox> {
  const library: Library = await import(pathToFileURL(CLI.replace('cli.cjs', 'index.js')).href)
  return library.createSandbox(options)
}

const toRunning = (url: string) => ({ ...apiOf(url), url, dashboard: `${url}/_sandbox/` })

/** Ends the worlds and the sandboxes of a test; `endCommands` ends its processes. */
export async function endWorlds(): Promise<void> {
  await Promise.all([...alone].map((sandbox) => sandbox.close()))
  alone.clear()
  if (!shared) return
  const { control } = apiOf((await shared).url)
  await Promise.all([...opened].map((name) => control('DELETE', `/worlds/${name}`)))
  opened.clear()
}

/** A sandbox with one verified user, frozen at noon, whose webhooks are caught. */
export async function startStory() {
  const sandbox = await start({ fixture: 'verified-user', clock: NOON })
  await sandbox.api('PUT', '/webhook-configurations', { url: `${sandbox.url}/_sandbox/catch/me` })
  const token = await sandbox.logIn('alice@example.com')
  return { ...sandbox, token }
}

export function apiOf(base: string): Omit<Running, 'url' | 'dashboard'> {
  const call = async (method: string, path: string, body: Json, headers: object): Promise<Json> => {
    const json = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }
    const all = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${base}${path}`, { method, headers: all, ...json })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
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
