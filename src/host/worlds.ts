import { Situations } from '../engine/situations.ts'
import { loadFixture } from '../fixture/load.ts'
import { respondOutside } from '../http/app.ts'
import { readCoverage } from '../http/control/coverage.ts'
import type {
  Bindings,
  CreateWorldRequest,
  HttpExchange,
  ProcessServices,
  Services,
} from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { realTime } from '../real-time.ts'
import type { Store } from '../store/store.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { setWebhooks, type WebhooksRequest } from '../world/integrators.ts'
import { formatSettings, parseSettings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { countRows } from '../world/state-export.ts'
import { describeSunset } from '../world/sunset.ts'
import {
  countLeftIn,
  createSiteFinder,
  HostCheck,
  pathOf,
  type ReachOptions,
  STATUS_PATH,
  toHosts,
  toWebhookRules,
  WORLD_PATH,
} from './arrival.ts'
import { LongResponses } from './long-responses.ts'
import { createMcp } from './mcp.ts'
import { createMemoryGuard, ROW_BYTES } from './memory.ts'
import {
  assertInstance,
  BAD_NAME,
  FORKS_MAX,
  makesWorld,
  type NewWorldCall,
  newPrivateName,
  TOO_MANY,
  TOO_MANY_FORKS,
  WORLDS_MAX,
} from './new-world.ts'
import { DIALECTS, mountOperations, OPERATIONS } from './operations.ts'
import { createPlays } from './plays.ts'
import { HostedWorld, type HostOptions, type OpeningState, type WorldCopy } from './sandbox.ts'
import { createStart, type StartOptions } from './start-state.ts'

const DEFAULT_WORLD = 'default'
/** Rows that one world may have; fewer where worlds are made for others. */
const WORLD_ROWS = 2_000_000
const SHARED_WORLD_ROWS = 100_000
const SWEEP_EVERY_MS = 1_000

export interface WorldsOptions extends ReachOptions {
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
    hasSecret: token !== undefined,
  }
  const app = mountOperations()
  const findSite = createSiteFinder(options)
  const fail = (path: string, error: HttpError) => respondOutside(path, error, DIALECTS)
  const memory = createMemoryGuard()
  const situations = new Situations()
  const long = new LongResponses()
  /** Every world that lives, by its name. */
  const alive = new Map<string, HostedWorld>()
  let sweeping: NodeJS.Timeout | undefined
  /** Keys of the worlds that calls make. */
  let keys: ReadonlySet<string> | undefined
  const shared: ProcessServices = {
    enabled: options.control ?? true,
    token,
    hosts: toHosts(options),
    ownHost: options.listens?.host,
    version: __VERSION__,
    frames: options.allowFrames ?? [],
    storage: () => store?.status ?? null,
    worlds: { list, create, delete: remove },
    plays: createPlays({ hasWorld: (name) => alive.has(name), deleteWorld: remove }),
    mcp: createMcp(fetch),
    situations,
    assertMemory: memory.assertRoom,
    holdLong: (bytes, under) => long.add(bytes, under),
    operations: OPERATIONS,
  }
  const hosts = new HostCheck(listens, shared)
  const host: HostOptions = {
    webhookRules,
    wallClock,
    rowsMax: options.worldRows ?? (token === undefined ? WORLD_ROWS : SHARED_WORLD_ROWS),
    memory,
    situations,
    whenStored: store && (() => store.written()),
  }
  const main = openKept(DEFAULT_WORLD) ?? open(DEFAULT_WORLD, { startState: createStart(starting) })
  for (const name of [...(store?.kept.keys() ?? [])]) openKept(name)
  const coverage = () => readCoverage(situations, OPERATIONS, main.world.settings)
  return { fetch, info, coverage, reload, close }

  /** `socket` is the connection that the request came by, if any. */
  function fetch(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const routed = route(request, socket)
    if (!store) return routed
    if (!STATUS_PATH.test(pathOf(request))) return keep(store, request, routed)
    store.written().catch(() => undefined) // A disk that failed may work again.
    return routed
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
    const foreign = hosts.find(socket, site)
    if (foreign) return fail(path.replace(WORLD_PATH, ''), foreign)
    if (!path.startsWith('/w/')) return inTurn(main, request, at)
    const [prefix, name = ''] = WORLD_PATH.exec(path) ?? []
    if (prefix === undefined) return fail(path.replace(/^\/w\/[^/?]*/, ''), BAD_NAME)
    const below = path.slice(prefix.length)
    try {
      const services = find(name) ?? openFor({ name, request, path: below })
      // Each call begins the time of a private world anew.
      if (services.private) services.private.endsAt = wallClock() + services.private.ttlMs
      return inTurn(services, request, {
        ...at,
        services,
        prefix,
        skipped: skipped + prefix.length,
      })
    } catch (error) {
      if (error instanceof HttpError) return fail(below, error)
      throw error
    }
  }

  /** Calls of a world wait for each other where it has long responses, and for no other world. */
  function inTurn({ turns }: HostedWorld, request: Request, at: Bindings) {
    if (!turns.isTaken) return app.fetch(request, at)
    // Nothing is rendered for a client that has left meanwhile.
    return turns
      .wait()
      .then(() => (at.socket?.outgoing.closed ? new Response() : app.fetch(request, at)))
  }

  /** The world of this name; a private one that was idle for too long ends here. */
  function find(name: string): HostedWorld | undefined {
    const found = alive.get(name)
    if (!found?.private || found.private.endsAt > wallClock()) return found
    void end(found)
    return undefined
  }

  function get(name: string): HostedWorld {
    const found = find(name)
    if (found) return found
    throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
  }

  function forksOf(owner: string): HostedWorld[] {
    return [...alive.values()].filter((world) => world.private?.owner === owner)
  }

  /** The world that a call makes, or `default` for a page that shows none. */
  function openFor(call: NewWorldCall): HostedWorld {
    if (!makesWorld(call, { control: shared, isKnownKey })) return main
    return openMore(call.name, { startState: createStart(starting) })
  }

  function isKnownKey(apiKey: string): boolean {
    keys ??= new Set(createStart(starting)().integrators.map((integrator) => integrator.apiKey))
    return keys.has(apiKey)
  }

  function create({ ttlMs, start, from, owner }: CreateWorldRequest) {
    const origin = from && get(from.world)
    // A fork of a fork belongs to the root as well.
    const root = owner && (alive.get(owner)?.private?.owner ?? owner)
    if (root !== undefined && forksOf(root).length >= FORKS_MAX) throw TOO_MANY_FORKS
    const endsAt = wallClock() + ttlMs
    const { name } = openMore(newPrivateName(instance), {
      private: { ttlMs, endsAt, owner: root },
      startState: origin?.startState ?? createStart(starting, start),
      copy: origin && (() => origin.copy(from?.snapshot)),
    })
    return { name, endsAt }
  }

  /** One world more than there were at the start, if there is room. */
  function openMore(name: string, opening: Opening & { copy?: Fork }): HostedWorld {
    if (alive.size >= WORLDS_MAX) throw TOO_MANY
    memory.assertRoom()
    const begins = opening.copy?.() ?? beginningOf(opening)
    memory.assertRoom(ROW_BYTES * countRows(begins.state))
    return open(name, opening, begins)
  }

  /** A world of the data file, if it has one of this name. */
  function openKept(name: string): HostedWorld | undefined {
    const kept = store?.kept.get(name)
    if (!kept) return undefined
    const { state, ttlMs, wallAt, life, owner } = kept
    // A running world went on while nobody looked; a frozen one did not.
    const lagMs = state.mode === 'running' ? Math.max(0, wallClock() - wallAt) : 0
    const opening = {
      startState: createStart(starting),
      // A restart counts as a call.
      private: ttlMs ? { ttlMs, endsAt: wallClock() + ttlMs, owner } : undefined,
    }
    const opened = open(name, opening, { state, queued: [], lagMs, life })
    const { world } = opened
    const [integrator] = world.integrators
    if (integrator && options.webhooks) setWebhooks(world, integrator, options.webhooks)
    return opened
  }

  function open(name: string, opening: Opening, begins = beginningOf(opening)): HostedWorld {
    const { startState, private: left } = opening
    if (left) sweeping ??= realTime.setInterval(sweep, SWEEP_EVERY_MS).unref()
    const sandbox: HostedWorld = new HostedWorld(
      {
        ...host,
        name,
        startState,
        private: left,
        onWorld: (world, followed) =>
          store?.follow(name, world, { ...followed, ttlMs: left?.ttlMs, owner: left?.owner }),
      },
      begins,
    )
    alive.set(name, sandbox)
    options.onOpen?.(sandbox)
    return sandbox
  }

  function info() {
    main.timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings, users, transactions } = main.world
    /** On which side of v1's sunset the world stands. */
    const v1 = describeSunset(main.world)
    const { apiKey = '', signingSecret = null } = integrators[0] ?? {}
    const counts = { users: users.length, transactions: transactions.length }
    const { preset } = settings
    const all = formatSettings(settings)
    return { apiKey, signingSecret, seed, fixture, now, mode, preset, v1, counts, settings: all }
  }

  /**
   * Lets worlds start from what the files of the start hold now. With a fixture `default` begins anew,
   * keeping webhooks and the clock; without one only its settings change.
   */
  function reload(changed: Pick<WorldsOptions, 'fixture' | 'settings'>): void {
    const settings = parseSettings(changed.settings ?? {})
    const fixture = changed.fixture === undefined ? starting.fixture : loadFixture(changed.fixture)
    const before = { fixture: starting.fixture, settings: starting.settings }
    Object.assign(starting, { fixture, settings })
    try {
      if (changed.fixture === undefined)
        main.world.changeSettings(toChanges(before.settings, settings))
      else main.reset({ keep: ['webhooks', 'clock'] })
      keys = undefined
    } catch (error) {
      Object.assign(starting, before)
      throw error
    }
  }

  function list() {
    return [...alive.values()].map(({ name, timekeeper, world, private: own }) => {
      timekeeper.sync()
      const { length: transactions } = world.transactions
      return { name, now: world.now, transactions, endsAt: own?.endsAt ?? null }
    })
  }

  async function remove(name: string) {
    if (name !== DEFAULT_WORLD) return await end(get(name))
    const message = 'The world default cannot be deleted; reset it.'
    throw new DomainError('conflict', message, { field: 'name' })
  }

  /** Ends a world, and everything that was forked from it by its URL. */
  async function end(world: HostedWorld) {
    const ended = [world, ...forksOf(world.name)]
    for (const { name } of ended) {
      alive.delete(name)
      store?.forget(name)
    }
    await Promise.all(ended.map((each) => each.close()))
    memory.lookAgain()
  }

  function sweep() {
    for (const name of [...alive.keys()]) find(name)
  }

  async function close() {
    realTime.clearInterval(sweeping)
    await Promise.all([...alive.values()].map((sandbox) => sandbox.close()))
    alive.clear()
    await store?.close()
  }
}

type Opening = Pick<HostedWorld, 'startState'> & Partial<Pick<HostedWorld, 'private'>>
type Fork = (() => WorldCopy) | undefined

const beginningOf = ({ startState }: Opening): OpeningState => ({ state: startState(), queued: [] })

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

/** Settings that differ; those that are gone go back to their default. */
function toChanges(
  before: StartOptions['settings'],
  after: StartOptions['settings'],
): Record<string, SettingValue | null> {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = ids.filter((id) => before[id] !== after[id])
  return Object.fromEntries(changed.map((id) => [id, after[id] ?? null]))
}
