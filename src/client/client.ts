import { setMaxListeners } from 'node:events'
import type { SettingChanges } from '../control-api/wire.ts'
import type { WorldOptions } from '../control-api/world-options.ts'
import type { Duration } from '../world/duration.ts'
import { createApi, type LoggedIn, logIn } from './api.ts'
import { assertObject } from './assert-options.ts'
import { type ControlClient, createControl } from './control.ts'
import { type ControlApi, createControlApi } from './control-api.ts'
import { isBroken, SandboxError, toUnreachable } from './error.ts'
import { createEvents, type Events } from './events.ts'
import { assertRealMicrotasks, assertRealTicks } from './fake-timers.ts'
import { readFixture } from './fixture-file.ts'
import { createHttpClient, type Fetch, type HttpClient, until } from './http.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

/** Options of a reset. Any that you leave out keep their values from the start. */
export interface ResetOptions extends Omit<WorldOptions, 'settings'> {
  /** Differences from the settings of the start. */
  settings?: SettingChanges | undefined
  /** Parts that stay as they are. */
  keep?: ('webhooks' | 'clock')[] | undefined
}

/** Target to advance to: by a length, to an instant, or to what is scheduled next. */
export type Target = { by: Duration } | { to: string | Date } | { toNext: true }

/** World time. It only moves forward. */
export interface Clock extends Omit<ControlApi['clock'], 'advance' | 'freeze'> {
  now(): Promise<Date>
  /**
   * Moves world time forward and runs what is scheduled on the way, each at its own instant; resolves
   * once its webhooks have been delivered. A plain duration is short for `{ by: duration }`.
   */
  advance(
    target: Duration | Target,
    options?: { deliver?: 'wait' | 'async' | undefined },
  ): ReturnType<ControlApi['clock']['advance']>
  /** Stops world time, now or at an instant ahead. */
  freeze(at?: string | Date): ReturnType<ControlApi['clock']['freeze']>
}

/** The control operations that need only one call. */
type Plain = Omit<ControlApi, 'clock' | 'inbox' | 'events' | 'webhooks' | 'catches' | 'reset'>

/** A world and every control operation on it, in this process or over HTTP. */
export interface Sandbox extends AsyncDisposable, Plain {
  /** Base URL of the world: what the client under test is given. */
  readonly url: string
  /** Key of the first integrator of the fixture. */
  readonly apiKey: string
  /**
   * Sends a call to the provider's API and returns the response. Takes a path such as `/v2/quotes`, a URL below
   * `url`, or a `Request` with one. Adds no headers, not even the API key.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  readonly clock: Clock
  readonly events: Events
  readonly inbox: Inbox
  readonly webhooks: Webhooks
  /** Logs a verified user in, with the code from the inbox, and returns a client with the token. */
  login(email: string): Promise<LoggedIn>
  /** Goes back to the state after the start, or to another fixture, seed or clock. */
  reset(options?: ResetOptions): Promise<void>
  /** Another world of the same process, made on first use; closing it deletes that world. */
  world(name: string): Sandbox
  /** Any other call to the control API; `path` is under `/_sandbox`. */
  readonly control: ControlClient['call']
  /**
   * Closes what `createSandbox` or `world` made, and ends all waits. A sandbox at a URL keeps
   * running.
   */
  close(): Promise<void>
}

/** Way to reach a world: over HTTP or in this process. */
export interface Connection {
  fetch: Fetch
  /** Sent with every control call, where the sandbox asks for one. */
  controlToken?: string | undefined
  /** True if webhooks and other programs can reach the sandbox. */
  hasSocket: boolean
  /** The first signal that aborts ends running calls and rejects later ones. */
  ends?: readonly AbortSignal[] | undefined
}

export interface ClientOptions extends Connection {
  /** Base URL of the world. */
  url: string
  apiKey: string
  /** Called when the client is closed. */
  close?: (() => Promise<void>) | undefined
  /** Starting state of every reset, if it differs from the one after the start. */
  start?: ResetOptions | undefined
}

/** Creates the library's view of one world. */
export function createClient(options: ClientOptions): Sandbox {
  const { url, start } = options
  const ending = new AbortController()
  allowManyListeners(ending.signal)
  const connection = { ...options, ends: [...(options.ends ?? []), ending.signal] }
  const http = httpOf(connection, url)
  const control = createControl(http)
  const controlApi = createControlApi(control)
  const events = createEvents(control)
  const inbox = createInbox(control)
  let { apiKey } = options
  let closing: Promise<void> | undefined

  const sandbox: Sandbox = {
    ...controlApi,
    url,
    get apiKey() {
      return apiKey
    },
    fetch: async (input, init) => await send(locate(input, url), init, connection),
    clock: createClock(controlApi.clock),
    events,
    inbox,
    webhooks: createWebhooks(control, connection.hasSocket),
    snapshots: createSnapshots(controlApi.snapshots, [events, inbox]),
    login(email) {
      const api = createApi({ send: http.send, headers: { 'x-api-key': apiKey } })
      return logIn(api, email, () => inbox.loginCode(email))
    },
    control: control.call,
    async reset(changes = {}) {
      assertObject('reset', changes)
      const { settings, fixture, ...rest } = { ...start, ...changes }
      await control.call('POST', '/reset', { body: { ...rest, fixture: readFixture(fixture) } })
      if (settings !== undefined) await controlApi.settings.set(settings)
      events.restart()
      inbox.restart()
      const { integrators } = await sandbox.info()
      apiKey = integrators[0]?.apiKey ?? apiKey
    },
    world: (name) => openWorld({ ...connection, apiKey, start: undefined }, name),
    async close() {
      if (options.close && options.hasSocket) assertRealTicks()
      ending.abort(new SandboxError('The sandbox was closed.', { code: 'closed' }))
      closing ??= options.close?.() ?? Promise.resolve()
      await closing
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
  return sandbox
}

function createClock(controlApi: ControlApi['clock']): Clock {
  return {
    ...controlApi,
    now: async () => new Date((await controlApi.read()).now),
    advance: (target, options) => {
      const body = typeof target === 'object' ? target : { by: target }
      return controlApi.advance({ ...(body as { by: Duration }), ...options })
    },
    freeze: (at) => controlApi.freeze(at as string),
  }
}

interface Reader {
  restart(): void
  skip(): Promise<void>
}

/** After a restore, readers go on behind the rows that it brought back. */
function createSnapshots(
  controlApi: ControlApi['snapshots'],
  readers: readonly Reader[],
): ControlApi['snapshots'] {
  return {
    ...controlApi,
    async restore(name) {
      const restored = await controlApi.restore(name)
      for (const reader of readers) reader.restart()
      await Promise.all(readers.map((reader) => reader.skip()))
      return restored
    },
  }
}

async function send(
  input: string | Request,
  init: RequestInit | undefined,
  connection: Connection,
) {
  assertRealMicrotasks()
  const { fetch, ends = [] } = connection
  const { signal: own = typeof input === 'string' ? null : input.signal } = init ?? {}
  const signals = [own ?? undefined, ...ends]
  return await until(signals, async (signal) => {
    const request = new Request(input, { ...init, signal })
    try {
      return await fetch(request)
    } catch (error) {
      throw signal.aborted || isBroken(error) ? error : toUnreachable(error, request.url)
    }
  })
}

/** Node 20 warns about more than ten listeners, and each call adds one. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal)
  } catch {
    // Signals of happy-dom are not Node's and never warn.
  }
}

/** Opens another world of the same process. Closing it deletes it. */
export function openWorld(options: Omit<ClientOptions, 'close'>, name: string): Sandbox {
  const root = options.url.replace(/\/w\/[^/]+$/, '')
  return createClient({
    ...options,
    url: `${root}/w/${encodeURIComponent(name)}`,
    async close() {
      const { worlds } = createControlApi(createControl(httpOf(options, root)))
      // A world that was never used does not exist.
      await worlds.delete(name).catch((error) => {
        if (!['not-found', 'closed'].includes(error.code)) throw error
      })
    },
  })
}

const httpOf = ({ fetch, controlToken, ends }: Connection, url: string): HttpClient =>
  createHttpClient({
    url,
    controlToken,
    ends,
    fetch: (target, init) => {
      assertRealMicrotasks()
      return fetch(new Request(target, init))
    },
  })

/** Resolves a path or URL to a request of this world; throws for any other. */
function locate(input: string | URL | Request, base: string): string | Request {
  const target = input instanceof Request ? input.url : String(input)
  if (target.startsWith('/')) return `${base}${target}`
  const { href } = new URL(target, base)
  if (/^$|^[/?]/.test(href.replace(base, ''))) return input instanceof Request ? input : href
  const message = `${target} does not belong to this sandbox, which is at ${base}.`
  throw new SandboxError(message, { code: 'elsewhere' })
}
