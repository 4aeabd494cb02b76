import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { loadFixture } from '../fixture/load.ts'
import { answerOutside, createApp, type DialectRow } from '../http/app.ts'
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
import type { WebhooksRequest } from '../world/integrators.ts'
import { parseSettings, type Settings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { describeSunset, type Sunset } from '../world/sunset.ts'
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
import { createMemoryGuard } from './memory.ts'
import {
  assertInstance,
  BAD_NAME,
  createNewWorlds,
  FORKS_MAX,
  type NewWorldCall,
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
  openSandbox,
  type WorldCopy,
} from './sandbox.ts'
import type { StarterOptions } from './start-state.ts'

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

export interface WorldsInfo {
  apiKey: string
  signingSecret: string | null
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
  const { store, listens, controlToken: token, wallClock = realTime.now, instance } = options
  assertInstance(instance)
  const settings = parseSettings(options.settings ?? {})
  const fixture = loadFixture(options.fixture ?? 'default')
  const app = mount()
  const findSite = createSiteFinder(options)
  const alive = new Map<string, HostedWorld>()
  let sweeping: NodeJS.Timeout | undefined
  const hasWorld = (name: string) => alive.has(name)
  const fail = (path: string, error: HttpError) => answerOutside(path, error, DIALECTS)
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
  const starting = {
    fixture,
    seed: options.seed,
    clock: options.clock,
    settings,
    webhooks: options.webhooks,
    webhookRules: toWebhookRules(options),
    wallClock,
    chain: options.chain,
  }
  /** A part of the process needs neither token nor switch. */
  const own = {
    prefix: '',
    control: { ...shared, enabled: true, token: undefined },
    socket: undefined,
  }
  const rowsMax = options.worldRows ?? (token === undefined ? WORLD_ROWS : SHARED_WORLD_ROWS)
  const newWorlds = createNewWorlds({ starting, control: shared, memory })
  const main = open(DEFAULT_WORLD)
  for (const name of [...(store?.kept.keys() ?? [])]) open(name)
  return { fetch, info, close }

  function fetch(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    if (!store) return route(request, socket)
    if (!STATUS_PATH.test(pathOf(request))) return keep(store, request, route(request, socket))
    store.written().catch(() => undefined) // A disk that failed may work again.
    return route(request, socket)
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

  function route(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const site = findSite?.(socket)
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
    const services = findAlive(name) ?? openFor({ name, request, path: below })
    if (services instanceof HttpError) return fail(below, services)
    return app.fetch(request, {
      ...at,
      services,
      prefix,
      skipped: skipped + prefix.length,
    })
  }

  /** Each call begins the time of a private world anew. */
  function findAlive(name: string): HostedWorld | undefined {
    const found = alive.get(name)
    if (found?.private === undefined) return found
    if (endIdle(found)) return undefined
    found.private.endsAt = wallClock() + found.private.ttlMs
    return found
  }

  /** The world that a call makes, or why it may not. */
  function openFor(call: NewWorldCall): HostedWorld | HttpError {
    const decision = newWorlds.decide(call)
    if (decision === 'no-world') return main
    if (decision !== 'open') return decision
    return alive.size < WORLDS_MAX ? open(call.name) : TOO_MANY
  }

  function create({ ttlMs, start = {}, from, owner }: CreateWorldRequest) {
    const origin = from && getWorld(from.world)
    if (alive.size >= WORLDS_MAX) throw TOO_MANY
    newWorlds.assertRoom(origin?.world.rowCount)
    if (owner !== undefined && forksOf(owner).length >= FORKS_MAX) throw TOO_MANY_FORKS
    const opened = open(newPrivateName(instance), {
      private: { ttlMs, endsAt: wallClock() + ttlMs, owner },
      starting: origin ? origin.starting : startingWith(start),
      fork: origin?.copy(from?.snapshot),
    })
    return { name: opened.name, endsAt: wallClock() + ttlMs }
  }

  function startingWith({ fixture: other, seed, clock }: ResetRequest): StarterOptions {
    return {
      ...starting,
      ...(other !== undefined && { fixture: loadFixture(other) }),
      seed: seed ?? starting.seed,
      clock: clock ?? starting.clock,
    }
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
    starting?: StarterOptions
    fork?: WorldCopy | undefined
  }

  function open(name: string, opening: Opening = {}): HostedWorld {
    let opened: HostedWorld | undefined
    const kept = store?.kept.get(name)
    // A restart counts as a call.
    const { ttlMs } = kept ?? {}
    const again = ttlMs && { ttlMs, endsAt: wallClock() + ttlMs, owner: undefined }
    const privacy = opening.private ?? (again || undefined)
    if (privacy) sweeping ??= realTime.setInterval(sweep, SWEEP_EVERY_MS).unref()
    const sandbox: HostedWorld = openSandbox({
      ...starting,
      ...opening.starting,
      secret: token === undefined ? undefined : randomBytes(16).toString('hex'),
      name,
      private: privacy,
      fork: opening.fork,
      kept,
      onWorld(world, sync) {
        // A call that was under way when its world was deleted may still reset it.
        const isGone = opened !== undefined && alive.get(name) !== opened
        if (isGone) return
        store?.follow(name, world, { sync, ttlMs: privacy?.ttlMs })
      },
      whenStored: store?.written,
      rowsMax,
      memory,
      callControl: (request) => app.fetch(request, { ...own, services: sandbox }),
    })
    opened = sandbox
    alive.set(name, sandbox)
    options.onOpen?.(sandbox)
    return sandbox
  }

  function info(): WorldsInfo {
    main.timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings } = main.world
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
