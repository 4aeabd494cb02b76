import type { Hono } from 'hono'
import { SNAPSHOTS_BYTES_MAX } from '../engine/snapshots.ts'
import { loadFixture } from '../fixture/load.ts'
import { createApp } from '../http/app.ts'
import { control, controlOperations } from '../http/control/index.ts'
import { kyb } from '../http/kyb.ts'
import type { Operation } from '../http/operation.ts'
import type { Bindings, Env, HttpExchange, ProcessServices } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { answerOutside, type DialectRow } from '../http/unknown-path.ts'
import { unversioned } from '../http/unversioned.ts'
import { v1Operations } from '../http/v1/index.ts'
import { v2, v2Operations } from '../http/v2/index.ts'
import type { Store } from '../store/open.ts'
import { DomainError } from '../world/domain-error.ts'
import { parseSettings, type Settings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { describeSunset, type Sunset } from '../world/sunset.ts'
import { findForeignHost, type ReachOptions, toHosts, toWebhookRules } from './access.ts'
import { mountPages } from './pages.ts'
import { createPlays } from './plays.ts'
import { createBudgets, type HostedWorld, openSandbox } from './sandbox.ts'

/** Worlds that one process keeps; each is a copy of the start-up fixture and what it grew into. */
const WORLDS_MAX = 2_000
const DEFAULT_WORLD = 'default'
const DEFAULT_FIXTURE = 'default'
/** Answered whatever the disk does: it says what is wrong with it. */
const HEALTH_PATH = /^(\/w\/[^/?]*)?\/_sandbox\/health(\?|$)/
const WORLD_PATH = /^\/w\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?=\/|\?|$)/

export interface WorldsOptions extends ReachOptions {
  /** A fixture's name, the path of its file, or the fixture itself. */
  fixture?: string | object | undefined
  seed?: string | undefined
  /** `running`, `frozen`, an instant, or `running@<instant>`. */
  clock?: string | undefined
  settings?: Record<string, SettingValue> | undefined
  controlToken?: string | undefined
  control?: boolean | undefined
  wallClock?: (() => number) | undefined
  /** Keeps every world on disk. */
  store?: Store | undefined
}

export interface WorldsInfo {
  apiKey: string
  seed: string
  fixture: string
  now: number
  mode: 'frozen' | 'running'
  preset: Settings['preset']
  /** On which side of v1's sunset the world stands. */
  v1: Sunset
}

/** Many worlds behind one `fetch`, made on first use. */
export interface Worlds {
  /** `socket` is the connection that the request came by, if any. */
  fetch(request: Request, socket?: HttpExchange): Response | Promise<Response>
  info(): WorldsInfo
  close(): Promise<void>
}

export function createWorlds(options: WorldsOptions = {}): Worlds {
  const { store } = options
  const settings = parseSettings(options.settings ?? {})
  const fixture = loadFixture(options.fixture ?? DEFAULT_FIXTURE)
  const app = mount()
  const alive = new Map<string, HostedWorld>()
  const shared: ProcessServices = {
    enabled: options.control ?? true,
    token: options.controlToken,
    hosts: toHosts(options),
    publicUrl: options.publicUrl,
    version: __VERSION__,
    storage: () => store?.status ?? null,
    worlds: { list, delete: remove },
    plays: createPlays({ hasWorld: (name) => alive.has(name), deleteWorld: remove }),
    operations: OPERATIONS,
  }
  const { listens } = options
  const webhookRules = toWebhookRules(options)
  const budgets = createBudgets()
  const snapshotRoom = { bytes: SNAPSHOTS_BYTES_MAX }
  const main = open(DEFAULT_WORLD)
  for (const name of [...(store?.kept.keys() ?? [])]) open(name)
  return { fetch, info, close }

  function fetch(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const answer = route(request, socket)
    return store && !HEALTH_PATH.test(pathOf(request)) ? keep(store, request, answer) : answer
  }

  /** An answer leaves only when what it speaks of is on disk. */
  async function keep(on: Store, request: Request, answer: Response | Promise<Response>) {
    const response = await answer
    try {
      await on.written()
      return response
    } catch (error) {
      return fail(pathOf(request).replace(WORLD_PATH, ''), notKept(error))
    }
  }

  function fail(path: string, error: HttpError): Response {
    return answerOutside(path, error, DIALECTS)
  }

  function route(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const path = pathOf(request)
    const foreign = findForeignHost(socket, { listens, control: shared })
    if (foreign) return fail(path.replace(WORLD_PATH, ''), foreign)
    const bindings: Bindings = { services: main, prefix: '', control: shared, socket }
    if (!path.startsWith('/w/')) return app.fetch(request, bindings)
    const [prefix = '', name = ''] = WORLD_PATH.exec(path) ?? []
    const below = path.slice(prefix.length)
    if (prefix === '') return fail(path.replace(/^\/w\/[^/?]*/, ''), BAD_NAME)
    const services = alive.get(name) ?? (alive.size < WORLDS_MAX ? open(name) : undefined)
    if (services === undefined) return fail(below, TOO_MANY)
    return app.fetch(request, { services, prefix, control: shared, socket })
  }

  function open(name: string): HostedWorld {
    let opened: HostedWorld | undefined
    const sandbox = openSandbox({
      name,
      fixture,
      seed: options.seed,
      clock: options.clock,
      settings,
      webhookRules,
      wallClock: options.wallClock ?? Date.now,
      kept: store?.kept.get(name),
      onWorld(world) {
        // A call that was under way when its world was deleted may still reset it.
        const isGone = opened !== undefined && alive.get(name) !== opened
        if (!isGone) store?.follow(name, world)
      },
      whenStored: store?.written,
      snapshotRoom,
      budgets,
    })
    opened = sandbox
    alive.set(name, sandbox)
    return sandbox
  }

  function info(): WorldsInfo {
    main.timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings } = main.world
    const { preset } = settings
    const v1 = describeSunset(main.world)
    return { apiKey: integrators[0]?.apiKey ?? '', seed, fixture, now, mode, preset, v1 }
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
      throw new DomainError('conflict', 'name', 'The world default cannot be deleted; reset it.')
    }
    if (!sandbox) throw new DomainError('not-found', 'name', `There is no world ${name}.`)
    alive.delete(name)
    store?.forget(name)
    await sandbox.close()
  }

  async function close() {
    await Promise.all([...alive.values()].map((sandbox) => sandbox.close()))
    alive.clear()
    await store?.close()
  }
}

/** Everything that can be called, in the one table that routes and documents share. */
export const OPERATIONS: readonly Operation[] = [
  ...v2Operations,
  ...v1Operations,
  ...kyb,
  ...controlOperations,
]

/** The dialect of paths that no operation has, by how they begin. */
const DIALECTS: readonly DialectRow[] = [
  { prefix: '/_sandbox', dialect: control },
  { prefix: '/v2', dialect: v2 },
  { prefix: '/', dialect: unversioned },
]

function mount(): Hono<Env> {
  const app = createApp({ operations: OPERATIONS, dialects: DIALECTS })
  mountPages(app)
  return app
}

/** Path and query of a request, world and all. */
function pathOf({ url }: Request): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

const BAD_NAME = new HttpError(
  400,
  'world',
  'A world is named with 1 to 64 letters, digits, dots, dashes and underscores, as in /w/worker-1.',
  { code: 'world-name' },
)
const TOO_MANY = new HttpError(
  409,
  'world',
  `At most ${WORLDS_MAX} worlds may live at once; DELETE /_sandbox/worlds/{name} ends one.`,
  { code: 'too-many-worlds' },
)

function notKept(error: unknown): HttpError {
  const why = error instanceof Error ? error.message : String(error)
  const message = `What this call speaks of could not be written to the data file: ${why}.`
  return new HttpError(507, 'data', message, {
    code: 'data-file',
    hint: 'It would be lost at a restart; no call is answered until the file can be written again.',
  })
}
