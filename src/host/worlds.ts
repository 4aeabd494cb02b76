import { nanoid } from 'nanoid'
import type { Coverage } from '../control-api/wire.ts'
import { Situations } from '../engine/situations.ts'
import { respondOutside } from '../http/app.ts'
import { presentCoverage } from '../http/control/coverage.ts'
import type {
  Bindings,
  CreatedWorld,
  CreateWorldRequest,
  HttpExchange,
  ProcessServices,
  WorldSummary,
} from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { Store } from '../store/store.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { setWebhooks } from '../world/integrators.ts'
import { formatSettings } from '../world/settings/index.ts'
import { describeSunset } from '../world/sunset.ts'
import { toVisible } from '../world/word-list.ts'
import { type Address, assertHost, makesWorld, readAddress } from './access.ts'
import { createMcp } from './mcp.ts'
import { DIALECTS, OPERATIONS, openApp } from './operations.ts'
import { type ProcessOptions, readOptions, type WorldsOptions } from './options.ts'
import { isForPerson, respondWithNotice } from './pages.ts'
import { HostedPlays } from './plays.ts'
import { HostedWorld, type OpeningState } from './world.ts'
import { DEFAULT_WORLD, type WorldDefaults, WorldStart } from './world-start.ts'

export type { WorldsOptions } from './options.ts'

const WORLDS_MAX = 2_000
/** A restart goes on far behind: calls that only read are counted in the journal, but not saved. */
const RESTART_GAP = 1_000_000

/** Private worlds at once. A new one ends the one that has been idle longest. */
const PRIVATE_WORLDS_MAX = 200
/** Wall time that a private world may be idle before a new one ends it. */
const PRIVATE_IDLE_MAX_MS = 3_600_000

type Opening = Pick<HostedWorld, 'start'> & Partial<Pick<HostedWorld, 'isPrivate'>>

/** Worlds of a process behind one `fetch`: those found in the folder of `--data`, and new ones. */
export class Worlds {
  readonly situations: Situations
  readonly #options: ProcessOptions
  readonly #alive = new Map<string, HostedWorld>()
  readonly #main: HostedWorld
  readonly #services: ProcessServices
  readonly #app = openApp()
  /** API keys of the worlds that calls make. */
  #apiKeys: ReadonlySet<string> | undefined
  #usableHost: string | undefined

  constructor(given: WorldsOptions = {}) {
    const options = readOptions(given)
    const { start, store, control } = options
    this.#options = options
    this.situations = new Situations(start.change.settings)
    this.#main =
      this.#openKept(DEFAULT_WORLD) ?? this.#open(DEFAULT_WORLD, { start: new WorldStart(start) })
    for (const name of [...(store?.kept.keys() ?? [])]) this.#openKept(name)
    this.#services = {
      ...control,
      version: __VERSION__,
      storage: () => store?.status ?? null,
      worlds: this,
      plays: new HostedPlays(this, this.fetch),
      mcp: createMcp(this.fetch),
      situations: this.situations,
      operations: OPERATIONS,
    }
  }

  /**
   * Responds to a call; `socket` is its connection, if any. A field, so that servers can take it.
   */
  readonly fetch = (request: Request, socket?: HttpExchange): Response | Promise<Response> => {
    const address = readAddress(request, this.#options.site)
    try {
      this.#assertHost(socket?.incoming.headers.host)
      return this.#respond(request, address, this.#findFor(request, address), socket)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      return isForPerson(request, address.path)
        ? respondWithNotice(error, this.#options.site?.path)
        : respondOutside(address.path, error, DIALECTS)
    }
  }

  /** Nearly all calls have the host of the call before. */
  #assertHost(host: string | undefined): void {
    if (host === this.#usableHost) return
    assertHost(host, this.#options)
    this.#usableHost = host
  }

  info() {
    const { world, timekeeper } = this.#main
    timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings } = world
    const [first] = integrators
    return {
      apiKey: first?.apiKey ?? '',
      signingSecret: first?.signingSecret ?? null,
      seed,
      fixture,
      now,
      mode,
      v1: describeSunset(world),
      settings: formatSettings(settings),
    }
  }

  /** Situations that have not occurred but can, under the settings of the main world. */
  coverageOf(evidence: Parameters<typeof presentCoverage>[0]): Coverage {
    return presentCoverage(evidence, OPERATIONS, this.#main.world.settings)
  }

  has(name: string): boolean {
    return this.#alive.has(name)
  }

  list(): WorldSummary[] {
    return [...this.#alive.values()].map(({ name, timekeeper, world, calledAt }) => {
      timekeeper.sync()
      const { now, mode, fixture, transactions } = world
      return { name, now, mode, fixture, transactions: transactions.length, calledAt }
    })
  }

  /** Makes a private world; those that nobody uses any more make room for it. */
  create({ start: own, from }: CreateWorldRequest): CreatedWorld {
    const origin = from && this.#get(from.world)
    const start =
      origin?.start.fork(own?.seed) ?? new WorldStart(this.#options.start, { isPrivate: true, own })
    const opening = { start, isPrivate: true }
    const state =
      origin?.copy({ snapshot: from?.snapshot, seed: own?.seed && start.seed }) ??
      openingStateOf(opening)
    this.#endIdle(origin)
    const { name, world } = this.#openMore(`p-${nanoid()}`, opening, state)
    return { name, seed: world.seed }
  }

  async delete(name: string): Promise<void> {
    if (name !== DEFAULT_WORLD) return await this.#end(this.#get(name))
    const message = 'The world default cannot be deleted; reset it instead.'
    throw new DomainError('conflict', message, { field: 'name' })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#alive.values()].map((world) => world.close()))
    this.#alive.clear()
    await this.#options.store?.close()
  }

  /** Finds or makes the world that a call asks for; pages that show no world get `default`. */
  #findFor(request: Request, address: Address): HostedWorld {
    const { name } = address
    const found = this.#alive.get(name)
    if (found) return found
    const { control, start } = this.#options
    const isKnownKey = (apiKey: string) => this.#isKnownKey(apiKey)
    if (!makesWorld(request, address, { control, isKnownKey })) return this.#main
    return this.#openMore(name, { start: new WorldStart(start, { name }) })
  }

  #respond(
    request: Request,
    { path, prefix, skipped }: Address,
    services: HostedWorld,
    socket: HttpExchange | undefined,
  ): Response | Promise<Response> {
    const { store, site } = this.#options
    const at: Bindings = { services, prefix, site, skipped, control: this.#services, socket }
    if (services.isPrivate) return services.run(() => this.#app.fetch(request, at))
    const response = this.#app.fetch(request, at)
    return store ? whenStored(store, { response, path, name: services.name }) : response
  }

  #get(name: string): HostedWorld {
    const found = this.#alive.get(name)
    if (found) return found
    throw new DomainError('not-found', `There is no world ${toVisible(name)}.`, { field: 'name' })
  }

  #isKnownKey(apiKey: string): boolean {
    this.#apiKeys ??= readApiKeys(this.#options.start)
    return this.#apiKeys.has(apiKey)
  }

  #openMore(name: string, opening: Opening, state?: OpeningState): HostedWorld {
    if (this.#alive.size >= WORLDS_MAX) throw TOO_MANY_WORLDS
    return this.#open(name, opening, state)
  }

  /** Opens a world that was kept, if there is one of this name. */
  #openKept(name: string): HostedWorld | undefined {
    const { store, start, wallClock } = this.#options
    const kept = store?.kept.get(name)
    if (!kept) return undefined
    const { state, savedAt } = kept
    // A running clock went on while the process was down; a frozen one did not.
    const lagMs = state.mode === 'running' ? Math.max(0, wallClock() - savedAt) : 0
    const opening = { start: new WorldStart(start, { name }) }
    const position = state.position + RESTART_GAP
    const opened = this.#open(name, opening, { state: { ...state, position }, queued: [], lagMs })
    const [integrator] = opened.world.integrators
    const { webhookUrl: url } = start
    if (integrator && url !== undefined) setWebhooks(opened.world, integrator, { url })
    return opened
  }

  #open(name: string, opening: Opening, state = openingStateOf(opening)): HostedWorld {
    const { webhookRules, wallClock, onOpen } = this.#options
    const { start, isPrivate = false } = opening
    const store = isPrivate ? undefined : this.#options.store
    const world = new HostedWorld(
      {
        name,
        start,
        isPrivate,
        webhookRules,
        wallClock,
        situations: this.situations,
        disk: store && { written: () => store.written(name), saved: () => store.saved(name) },
        onWorld: (source) => store?.follow(name, source),
      },
      state,
    )
    this.#alive.set(name, world)
    onOpen?.(world)
    return world
  }

  /** Ends private worlds that were idle for long, and the one idle longest if there are many. */
  #endIdle(origin: HostedWorld | undefined): void {
    const all = [...this.#alive.values()].filter(({ isPrivate }) => isPrivate)
    const idle = all.filter((world) => world !== origin && !world.isInUse)
    idle.sort((one, other) => one.usedAt - other.usedAt)
    const longIdle = this.#options.wallClock() - PRIVATE_IDLE_MAX_MS
    const oldCount = idle.filter(({ usedAt }) => usedAt <= longIdle).length
    const count = Math.max(oldCount, all.length + 1 - PRIVATE_WORLDS_MAX)
    for (const world of idle.slice(0, count)) void this.#end(world)
  }

  async #end(world: HostedWorld): Promise<void> {
    this.#alive.delete(world.name)
    if (!world.isPrivate) this.#options.store?.forget(world.name)
    await world.close()
  }
}

const openingStateOf = ({ start }: Opening): OpeningState => ({
  state: start.createState(),
  queued: [],
})

function readApiKeys(start: WorldDefaults): ReadonlySet<string> {
  const { integrators } = new WorldStart(start).createState()
  return new Set(integrators.map(({ apiKey }) => apiKey))
}

interface Unstored {
  response: Response | Promise<Response>
  /** Path and query below the world. */
  path: string
  name: string
}

/**
 * Paths of health and the inspector. They work even when the disk fails, because they report the
 * failure.
 */
const STATUS_PATH = /^\/_sandbox(\/(health|ui\/[^?]*|assets\/[^?]*|events\/stream)?)?(\?|$)/

/** Sends a response only once the changes that it reports are on disk. */
async function whenStored(store: Store, { response, path, name }: Unstored): Promise<Response> {
  const sent = await response
  const written = store.written(name)
  try {
    if (STATUS_PATH.test(path)) written.catch(() => undefined)
    else await written
    return sent
  } catch (error) {
    return respondOutside(path, notStored(error), DIALECTS)
  }
}

function notStored(error: unknown): HttpError {
  const message =
    `This call was applied, but what it read or changed is not yet on disk: ${messageOf(error)}. ` +
    'The next call tries to write it again, so do not repeat this one.'
  return new HttpError(507, 'data', message, {
    code: 'data-file',
    hint: 'The change is lost if the process ends before that.',
  })
}

const TOO_MANY_WORLDS = new HttpError(
  409,
  'world',
  `At most ${WORLDS_MAX} worlds may exist at once; DELETE /_sandbox/worlds/{name} ends one.`,
  { code: 'too-many-worlds' },
)
