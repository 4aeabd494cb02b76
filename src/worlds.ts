import type { Hono } from 'hono'
import { createApp } from './http/app.ts'
import type { Control, Env } from './http/doors.ts'
import { control, controlOperations } from './http/sandbox/index.ts'
import { v2, v2Operations } from './http/v2/index.ts'
import { DEFAULT_FIXTURE, openSandbox, type Sandbox } from './sandbox.ts'
import { Refusal } from './world/errors.ts'
import { parseSettings } from './world/policy.ts'
import type { SettingValue } from './world/state.ts'

/** Worlds that one process keeps; each is a copy of the start-up fixture and what it grew into. */
export const WORLDS_MAX = 2_000
const DEFAULT_WORLD = 'default'
const WORLD_PATH = /^\/w\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?=\/|\?|$)/

export interface WorldsOptions {
  /** A fixture's name, the path of its file, or the fixture itself. */
  fixture?: string | object | undefined
  seed?: string | undefined
  /** `running`, `frozen`, an instant, or `running@<instant>`. */
  clock?: string | undefined
  settings?: Record<string, SettingValue> | undefined
  /** Host names besides loopback that the control API answers to. */
  allowHosts?: readonly string[] | undefined
  /** Hosts that webhooks may go to by http, or on a private address. */
  allowWebhookHosts?: readonly string[] | undefined
  controlToken?: string | undefined
  control?: boolean | undefined
  wallClock?: (() => number) | undefined
}

export interface WorldsInfo {
  apiKey: string
  seed: string
  fixture: string
  now: number
  mode: 'frozen' | 'running'
}

/** Many worlds behind one `fetch`, made on first use. */
export interface Worlds {
  fetch(request: Request): Response | Promise<Response>
  info(): WorldsInfo
  close(): Promise<void>
}

export function createWorlds(options: WorldsOptions = {}): Worlds {
  const settings = parseSettings(options.settings ?? {})
  const app = mount()
  const alive = new Map<string, Sandbox>()
  const shared: Control = {
    enabled: options.control ?? true,
    token: options.controlToken,
    hosts: options.allowHosts ?? [],
    version: __VERSION__,
    worlds: { list, delete: remove },
  }
  const main = open(DEFAULT_WORLD)
  return { fetch, info, close }

  function fetch(request: Request): Response | Promise<Response> {
    const { url } = request
    const start = url.indexOf('/', url.indexOf('://') + 3)
    const bindings = { doors: main, prefix: '', control: shared }
    if (!url.startsWith('/w/', start)) return app.fetch(request, bindings)
    const [prefix, name = ''] = WORLD_PATH.exec(url.slice(start)) ?? []
    if (prefix === undefined) return refuseWorld(400, BAD_NAME)
    const doors = alive.get(name) ?? (alive.size < WORLDS_MAX ? open(name) : undefined)
    if (doors === undefined) return refuseWorld(409, TOO_MANY)
    return app.fetch(request, { doors, prefix, control: shared })
  }

  function open(name: string): Sandbox {
    const sandbox = openSandbox({
      name,
      fixture: options.fixture ?? DEFAULT_FIXTURE,
      seed: options.seed,
      clock: options.clock,
      settings,
      webhookHosts: options.allowWebhookHosts ?? [],
      wallClock: options.wallClock ?? Date.now,
    })
    alive.set(name, sandbox)
    return sandbox
  }

  function info(): WorldsInfo {
    main.timekeeper.sync()
    const { seed, fixture, now, mode, integrators } = main.world
    return { apiKey: integrators[0]?.apiKey ?? '', seed, fixture, now, mode }
  }

  function list() {
    return [...alive.values()].map(({ name, timekeeper, world }) => {
      timekeeper.sync()
      return { name, now: world.now, transactions: world.transactions.length }
    })
  }

  async function remove(name: string) {
    const sandbox = alive.get(name)
    if (name === DEFAULT_WORLD) {
      throw new Refusal('conflict', 'name', 'The world default cannot be deleted; reset it.')
    }
    if (!sandbox) throw new Refusal('not-found', 'name', `There is no world ${name}.`)
    alive.delete(name)
    await sandbox.close()
  }

  async function close() {
    await Promise.all([...alive.values()].map((sandbox) => sandbox.close()))
    alive.clear()
  }
}

function mount(): Hono<Env> {
  return createApp({
    operations: [...v2Operations, ...controlOperations],
    dialects: [
      { prefix: '/_sandbox', dialect: control },
      { prefix: '/', dialect: v2 },
    ],
  })
}

const BAD_NAME =
  'A world is named with 1 to 64 letters, digits, dots, dashes and underscores, as in /w/worker-1.'
const TOO_MANY = `At most ${WORLDS_MAX} worlds may live at once; DELETE /_sandbox/worlds/{name} ends one.`

function refuseWorld(status: number, message: string): Response {
  return Response.json({ success: false, errors: [{ field: 'world', message }] }, { status })
}
