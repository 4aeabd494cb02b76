import type * as z from 'zod'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import type { DataOf, Refused, Route, TextResponse } from '../contract.ts'

/** What `contract.ts` has to say of responses. The build records examples without it. */
export type Contract = Pick<
  typeof import('../contract.ts'),
  'RESPONSES' | 'parseSuccess' | 'parseFailure'
>

export const NOON = '2026-07-01T12:00:00Z'
export const KEY = 'sandbox-key'
/** Its integrator may act without a token. */
export const KEY_2 = 'sandbox-key-2'
export const NOWHERE = '00000000-0000-4000-8000-000000000000'

export interface Call {
  /** Null sends none. */
  key?: string | null
  token?: string
  path?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

export type Fetch = (request: Request) => Response | Promise<Response>

/** A world as an integrator and a test see it. */
export interface TestApp {
  readonly base: string
  /** The payload of a success; fails on anything else. */
  call<R extends Route>(route: R, call?: Call): Promise<DataOf<R>>
  /** As `call`, where a setting gives the response another shape. */
  callAs<Data extends z.ZodType>(data: Data, route: Route, call?: Call): Promise<z.output<Data>>
  /** The envelope of a refusal; fails on anything else. */
  refused(route: Route, call?: Call): Promise<Refused>
  /** Any request at all, below the world's base URL, and its response unparsed. */
  send(path: string, init?: RequestInit): Promise<TextResponse>
  /** A call of the control API; fails on a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: the control API has tests and shapes of its own
  control(method: string, path: string, body?: unknown): Promise<any>
  advance(by: string): Promise<void>
  /** Another world of the same process. */
  world(name: string): TestApp
  close(): Promise<void>
}

/** A fresh sandbox with a frozen clock at noon, unless the options say otherwise. */
export function openAppWith(contract: Contract | undefined, options: WorldsOptions = {}): TestApp {
  const worlds = new Worlds({ clock: NOON, ...options })
  const fetch = (request: Request) => worlds.fetch(request)
  return appOver(fetch, { prefix: '', close: () => worlds.close(), contract })
}

/** For what the build runs, too. */
export const openUnchecked = (options: WorldsOptions = {}): TestApp =>
  openAppWith(undefined, options)

interface AppOptions {
  prefix: string
  close: () => Promise<void>
  contract: Contract | undefined
}

/** An app over whatever responds to requests. */
export function appOver(fetch: Fetch, options: AppOptions): TestApp {
  const { prefix, close, contract } = options
  const base = `http://127.0.0.1:4100${prefix}`
  const app: TestApp = {
    base,
    async call(route, call = {}) {
      const response = await send(...toRequest(route, call))
      if (contract === undefined) return JSON.parse(response.text).data
      return contract.parseSuccess(contract.RESPONSES[route], response) as never
    },
    async callAs(data, route, call = {}) {
      const response = await send(...toRequest(route, call))
      return contract === undefined
        ? JSON.parse(response.text).data
        : contract.parseSuccess(data, response)
    },
    async refused(route, call = {}) {
      const response = await send(...toRequest(route, call))
      return contract?.parseFailure(response) ?? { ...response, ...JSON.parse(response.text) }
    },
    send,
    async control(method, path, body) {
      const json = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
      const headers = { 'content-type': 'application/json' }
      const response = await send(`/_sandbox${path}`, { method, headers, ...json })
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`)
      return JSON.parse(response.text)
    },
    async advance(by) {
      await app.control('POST', '/clock/advance', { by })
    },
    world: (name) => appOver(fetch, { ...options, prefix: `/w/${name}` }),
    close,
  }
  return app

  async function send(path: string, init?: RequestInit): Promise<TextResponse> {
    const response = await fetch(new Request(`${base}${path}`, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

/** The path and the rest of a request, from an operation and what is sent to it. */
export function toRequest(route: Route, call: Call): [path: string, init: RequestInit] {
  const { path = {} } = call
  return toRawRequest(
    route.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? NOWHERE),
    call,
  )
}

export interface RawCall extends Omit<Call, 'path'> {
  /** The body as it goes over the wire, where it is not JSON. */
  text?: string
}

/** Sends a call of any version, such as `GET /webhooks`, whatever its response is. */
export const sendTo = (app: Pick<TestApp, 'send'>, route: string, call: RawCall = {}) =>
  app.send(...toRawRequest(route, call))

function toRawRequest(route: string, call: RawCall): [path: string, init: RequestInit] {
  const { key = KEY, token, query, body, text } = call
  const [method = '', path = ''] = route.split(' ')
  const search = query === undefined ? '' : `?${new URLSearchParams(toTexts(query))}`
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const headers = {
    ...(key !== null && { 'x-api-key': key }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(content !== undefined && { 'content-type': 'application/json' }),
    ...call.headers,
  }
  return [`${path}${search}`, { method, headers, ...(content !== undefined && { body: content }) }]
}

const toTexts = (query: Record<string, string | number>) =>
  Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])

/** What a call of v2 that is refused has: its status, and the field that is wrong. */
export const refusal = (status: number, field: string) => ({ status, errors: [{ field }] })
