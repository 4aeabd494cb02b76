import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { loadFixture } from '../fixture/load.ts'
import { createApp, type DialectRow, respondOutside } from '../http/app.ts'
import { control, controlOperations } from '../http/control/index.ts'
import { kyb } from '../http/kyb.ts'
import type { Operation } from '../http/operation.ts'
import type {
  Bindings,
  CreateWorldRequest,
  Env,
  HttpExchange,
  ProcessServices,
  ResetRequest,
  Services,
} from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { unversioned } from '../http/unversioned.ts'
import { v1Operations } from '../http/v1/index.ts'
import { v2, v2Operations } from '../http/v2/index.ts'
import { realTime } from '../real-time.ts'
import type { Store } from '../store/store.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { setWebhooks, type WebhooksRequest } from '../world/integrators.ts'
import { parseSettings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { countRows } from '../world/state-export.ts'
import { describeSunset } from '../world/sunset.ts'
import {
  countLeftIn,
  createSiteFinder,
  findForeignHost,
  pathOf,
  type ReachOptions,
  STATUS_PATH,
  toHosts,
  toWebhookRules,
  WORLD_PATH,
} from './arrival.ts'
import { createMcp } from './mcp.ts'
import { createMemoryGuard, ROW_BYTES } from './memory.ts'
import {
  assertInstance,
  assertMakesWorld,
  BAD_NAME,
  FORKS_MAX,
  needsNoWorld,
  newPrivateName,
  type PrivateWorld,
  TOO_MANY,
  TOO_MANY_FORKS,
  WORLDS_MAX,
} from './new-world.ts'
import { mountPages } from './pages.ts'
import { createPlays } from './plays.ts'
import {
  type HostedWorld,
  type HostedWorldOptions,
  type OpeningState,
  openSandbox,
  type WorldCopy,
} from './sandbox.ts'
import { createStart, type StartOptions, type StartState } from './start-state.ts'

const DEFAULT_WORLD = 'default'
/** Rows that one world may have; fewer where worlds are made for others. */
const WORLD_ROWS = 2_000_000
const SHARED_WORLD_ROWS = 100_000
const SWEEP_EVERY_MS = 1_000

export interface WorldsOptions extends ReachOptions, Pick<HostedWorldOptions, 'chain'> {
  /** A fixture's name, the path of its file, or the fixture itself. */
  fixture?: string | object | undefined
  seed?: string | undefined
  /** `running`, `frozen`, an instant, or `running@<instant>`. */
  clock?: string | undefined
  settings?: Record<string, SettingValue> | undefined
  webhooks?: WebhooksRequest | undefined
  controlToken?: string | undefined
  control?: boolean | undefined
  /** Begins the names of its private worlds, by which a proxy finds this process. */
  instance?: string | undefined
  wallClock?: (() => number) | undefined
  /** Origins of pages that may frame the demo wallet. */
  allowFrames?: readonly string[] | undefined
  /** Rows that one world may have. */
  worldRows?: number | undefined
  /** Keeps every world on disk. */
  store?: Store | undefined
  /** Called with each world that is opened. */
  onOpen?: ((services: Services) => void) | undefined
}

export type Worlds = ReturnType<typeof createWorlds>

/** Many worlds behind one `fetch`, made on first use. */
export function createWorlds(options: WorldsOptions = {}) {
  const { store, listens, controlToken: token, wallClock = realTime.now, instance } = options
  assertInstance(instance)
  const webhookRules = toWebhookRules(options)
  const starting: StartOptions = {
    fixture: loadFixture(options.fixture ?? 'default'),
    seed: options.seed,
    clock: options.clock,
    settings: parseSettings(options.settings ?? {}),
    webhooks: options.webhooks,
    webhookRules,
    wallClock,
  }
  const app = mount()
  const findSite = createSiteFinder(options)
  const alive = new Map<string, HostedWorld>()
  let sweeping: NodeJS.Timeout | undefined
  /** Keys of the worlds that calls make. */
  let keys: ReadonlySet<string> | undefined
  const hasWorld = (name: string) => alive.has(name)
  const fail = (path: string, error: HttpError) => respondOutside(path, error, DIALECTS)
  const memory = createMemoryGuard()
  const shared: ProcessServices = {
    enabled: options.control ?? true,
    token,
    hosts: toHosts(options),
    ownHost: options.listens?.host,
    version: __VERSION__,
    frames: options.allowFrames ?? [],
    storage: () => store?.status ?? null,
    worlds: { list, create, delete: remove },
    plays: createPlays({ hasWorld, deleteWorld: remove }),
    mcp: createMcp(fetch),
    assertMemory: memory.assertRoom,
    operations: OPERATIONS,
  }
  /** A part of the process needs neither token nor switch. */
  const own = {
    prefix: '',
    control: { ...shared, enabled: true, token: undefined },
    socket: undefined,
  }
  const rowsMax = options.worldRows ?? (token === undefined ? WORLD_ROWS : SHARED_WORLD_ROWS)
  const main = openAtStart(DEFAULT_WORLD)
  for (const name of [...(store?.kept.keys() ?? [])]) openAtStart(name)
  return { fetch, info, close }

  /** `socket` is the connection that the request came by, if any. */
  function fetch(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    if (!store) return route(request, socket)
    if (!STATUS_PATH.test(pathOf(request))) return keep(store, request, route(request, socket))
    store.written().catch(() => undefined) // A disk that failed may work again.
    return route(request, socket)
  }

  /** Sends a response only when what it speaks of is on disk. */
  async function keep(on: Store, request: Request, routed: Response | Promise<Response>) {
    const response = await routed
    try {
      await on.written()
      return response
    } catch (error) {
      return fail(pathOf(request).replace(WORLD_PATH, ''), notKept(error))
    }
  }

  function route(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const site = findSite(socket)
    const whole = pathOf(request)
    const skipped = site ? countLeftIn(whole, site) : 0
    const path = skipped > 0 ? whole.slice(skipped) : whole
    const at: Bindings = { services: main, prefix: '', site, skipped, control: shared, socket }
    const foreign = findForeignHost(at, listens)
    if (foreign) return fail(path.replace(WORLD_PATH, ''), foreign)
    if (!path.startsWith('/w/')) return app.fetch(request, at)
    const [prefix, name = ''] = WORLD_PATH.exec(path) ?? []
    if (prefix === undefined) return fail(path.replace(/^\/w\/[^/?]*/, ''), BAD_NAME)
    const below = path.slice(prefix.length)
    try {
      const services = findAlive(name) ?? openFor(name, request, below)
      return app.fetch(request, { ...at, services, prefix, skipped: skipped + prefix.length })
    } catch (error) {
      if (error instanceof HttpError) return fail(below, error)
      throw error
    }
  }

  /** Each call begins the time of a private world anew. */
  function findAlive(name: string): HostedWorld | undefined {
    const found = alive.get(name)
    if (found?.private === undefined) return found
    if (endIdle(found)) return undefined
    found.private.endsAt = wallClock() + found.private.ttlMs
    return found
  }

  /** The world that a call makes, or `default` for a page that shows none. */
  function openFor(name: string, request: Request, path: string): HostedWorld {
    const call = { name, request, path }
    if (needsNoWorld(call)) return main
    try {
      assertMakesWorld(call, { control: shared, isKnownKey })
    } catch (error) {
      if (needsNoWorld(call, error)) return main
      throw error
    }
    return openMore(name, { startState: newStart() })
  }

  function isKnownKey(apiKey: string): boolean {
    keys ??= new Set(newStart()().integrators.map((integrator) => integrator.apiKey))
    return keys.has(apiKey)
  }

  function create({ ttlMs, start, from, owner }: CreateWorldRequest) {
    const origin = from && getWorld(from.world)
    if (owner !== undefined && forksOf(owner).length >= FORKS_MAX) throw TOO_MANY_FORKS
    const endsAt = wallClock() + ttlMs
    const { name } = openMore(newPrivateName(instance), {
      private: { ttlMs, endsAt, owner },
      startState: origin?.startState ?? newStart(start),
      fork: origin && (() => origin.copy(from?.snapshot)),
    })
    return { name, endsAt }
  }

  /** State that a world goes back to: as the process was told, or as its maker wants it. */
  function newStart({ fixture, seed, clock }: ResetRequest = {}): StartState {
    return createStart({
      ...starting,
      ...(fixture !== undefined && { fixture: loadFixture(fixture) }),
      seed: seed ?? starting.seed,
      clock: clock ?? starting.clock,
      secret: token === undefined ? undefined : randomBytes(16).toString('hex'),
    })
  }

  function getWorld(name: string): HostedWorld {
    const found = alive.get(name)
    if (found && !endIdle(found)) return found
    throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
  }

  function forksOf(owner: string): HostedWorld[] {
    return [...alive.values()].filter((world) => world.private?.owner === owner)
  }

  /** Whether it was private and idle for too long. */
  function endIdle(world: HostedWorld): boolean {
    const isOver = world.private !== undefined && world.private.endsAt <= wallClock()
    if (isOver) void remove(world.name)
    return isOver
  }

  interface Opening {
    private?: PrivateWorld | undefined
    startState: StartState
    fork?: (() => WorldCopy) | undefined
  }

  /** One world more than there were at the start, if there is room. */
  function openMore(name: string, { fork, ...opening }: Opening): HostedWorld {
    if (alive.size >= WORLDS_MAX) throw TOO_MANY
    memory.assertRoom()
    const begins = fork?.() ?? { state: opening.startState(), queued: [] }
    memory.assertRoom(ROW_BYTES * countRows(begins.state))
    return open(name, opening, begins)
  }

  /** The world `default`, or one of the data file. */
  function openAtStart(name: string): HostedWorld {
    const startState = newStart()
    const kept = store?.kept.get(name)
    if (!kept) return open(name, { startState }, { state: startState(), queued: [] })
    const { state, ttlMs, wallAt } = kept
    // A restart counts as a call.
    const again = ttlMs && { ttlMs, endsAt: wallClock() + ttlMs, owner: undefined }
    // A running world went on while nobody looked; a frozen one did not.
    const lagMs = state.mode === 'running' ? Math.max(0, wallClock() - wallAt) : 0
    const opened = open(
      name,
      { startState, private: again || undefined },
      { state, queued: [], lagMs },
    )
    const { world } = opened
    const [owner] = world.integrators
    if (owner && options.webhooks) setWebhooks(world, owner, options.webhooks)
    return opened
  }

  function open(name: string, opening: Opening, begins: OpeningState): HostedWorld {
    let opened: HostedWorld | undefined
    if (opening.private) sweeping ??= realTime.setInterval(sweep, SWEEP_EVERY_MS).unref()
    const sandbox: HostedWorld = openSandbox(
      {
        name,
        private: opening.private,
        startState: opening.startState,
        webhookRules,
        wallClock,
        onWorld(world, sync) {
          // A call that was under way when its world was deleted may still reset it.
          const isGone = opened !== undefined && alive.get(name) !== opened
          if (!isGone) store?.follow(name, world, { sync, ttlMs: opening.private?.ttlMs })
        },
        whenStored: store?.written,
        rowsMax,
        memory,
        chain: options.chain,
        callControl: (request) => app.fetch(request, { ...own, services: sandbox }),
      },
      begins,
    )
    opened = sandbox
    alive.set(name, sandbox)
    options.onOpen?.(sandbox)
    return sandbox
  }

  function info() {
    main.timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings } = main.world
    /** On which side of v1's sunset the world stands. */
    const v1 = describeSunset(main.world)
    const { apiKey = '', signingSecret = null } = integrators[0] ?? {}
    return { apiKey, signingSecret, seed, fixture, now, mode, preset: settings.preset, v1 }
  }

  function list() {
    return [...alive.values()].map(({ name, timekeeper, world, private: own }) => {
      timekeeper.sync()
      const { length: transactions } = world.transactions
      return { name, now: world.now, transactions, endsAt: own?.endsAt ?? null }
    })
  }

  async function remove(name: string) {
    if (name === DEFAULT_WORLD) {
      throw new DomainError('conflict', 'The world default cannot be deleted; reset it.', {
        field: 'name',
      })
    }
    const sandbox = alive.get(name)
    if (!sandbox)
      throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
    const ended = [sandbox, ...forksOf(name)]
    for (const each of ended) {
      alive.delete(each.name)
      store?.forget(each.name)
    }
    await Promise.all(ended.map((each) => each.close()))
    memory.lookAgain()
  }

  function sweep() {
    for (const world of [...alive.values()]) endIdle(world)
  }

  async function close() {
    realTime.clearInterval(sweeping)
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

function notKept(error: unknown): HttpError {
  const why = messageOf(error)
  const message =
    `What this call read or changed is not in the data file yet: ${why}. ` +
    'It is kept as soon as the file can be written again, so do not repeat it.'
  return new HttpError(507, 'data', message, {
    code: 'data-file',
    hint: 'A process that ends before that loses it; every call gets this response until then.',
  })
}
