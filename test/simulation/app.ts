import { loadFixture } from '../../src/fixture/load.ts'
import { type HostedWorld, openSandbox } from '../../src/host/sandbox.ts'
import { createStart } from '../../src/host/start-state.ts'
import { createApp } from '../../src/http/app.ts'
import { control, controlOperations } from '../../src/http/control/index.ts'
import type { ProcessServices } from '../../src/http/services.ts'
import { v2, v2Operations } from '../../src/http/v2/index.ts'
import { parseSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import type { Keeper } from './keeper.ts'
import type { Step, StepResponse } from './scene.ts'

/** One sandbox with its HTTP app, called without sockets; its world can be read. */
export interface App {
  sandbox: HostedWorld
  call(step: Step): Promise<StepResponse>
}

export const WALL = Date.parse('2026-07-01T12:00:00Z')
const ORIGIN = 'http://127.0.0.1:4100'

const operations = [...v2Operations, ...controlOperations]
const offered = new Set(operations.map(({ id }) => id))
export const isOffered = ({ action }: Step): boolean => offered.has(action)

const httpApp = createApp({
  operations,
  dialects: [
    { prefix: '/_sandbox', dialect: control },
    { prefix: '/', dialect: v2 },
  ],
})

function notHere(): never {
  throw new Error('Not here.')
}

const shared: ProcessServices = {
  enabled: true,
  frames: [],
  token: undefined,
  hosts: [],
  version: '0',
  storage: () => null,
  assertMemory: () => {},
  worlds: { list: () => [], create: notHere, delete: async () => {} },
  plays: { list: async () => [], begin: () => Promise.reject(new Error('Not here.')) },
  mcp: { versions: notHere, respond: notHere },
  operations,
}

export interface AppOptions {
  fixture: object
  seed: string
  settings: Record<string, SettingValue>
  /** Notified of each world that replaces the one before. */
  keeper?: Keeper | undefined
}

export function openApp({ fixture, seed, settings, keeper }: AppOptions): App {
  const outside = { webhookRules: { allowHosts: [] }, wallClock: () => WALL }
  const startState = createStart({
    ...outside,
    fixture: loadFixture(fixture),
    seed,
    clock: '2026-07-01T12:00:00Z',
    settings: parseSettings(settings),
  })
  const sandbox = openSandbox(
    {
      ...outside,
      name: 'default',
      private: undefined,
      startState,
      rowsMax: 1e6,
      memory: { assertRoom: () => {}, lookAgain: () => {} },
      onWorld: (world) => keeper?.follow(world),
    },
    { state: startState(), queued: [] },
  )
  const bindings = { services: sandbox, prefix: '', control: shared }
  return {
    sandbox,
    async call(step) {
      const response = await httpApp.fetch(toRequest(step), bindings)
      const text = await response.text()
      const body: unknown = text === '' ? null : JSON.parse(text)
      const { requests } = sandbox
      const code = requests.at(requests.last)?.problem?.code
      return { status: response.status, text, body, data: toData(body), code }
    },
  }
}

function toRequest({ method, path, key, token, body }: Step): Request {
  const headers: Record<string, string> = {}
  if (key !== undefined) headers['x-api-key'] = key
  if (token) headers.authorization = `Bearer ${token.text}`
  if (body === undefined) return new Request(ORIGIN + path, { method, headers })
  headers['content-type'] = 'application/json'
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Request(ORIGIN + path, { method, headers, body: text })
}

function toData(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object') return {}
  const data: unknown = 'success' in body && 'data' in body ? body.data : body
  return data !== null && typeof data === 'object' ? (data as Record<string, unknown>) : {}
}
