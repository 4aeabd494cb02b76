import { Situations } from '../engine/situations.ts'
import type { CreatedWorld, CreateWorldRequest, WorldSummary } from '../http/services.ts'
import { listSituations } from '../http/situations.ts'
import { realTime } from '../real-time.ts'
import { DomainError } from '../world/domain-error.ts'
import { setWebhooks } from '../world/integrators.ts'
import { isSettingId } from '../world/settings/index.ts'
import { HostedWorld, type OpeningState, type WorldCopy } from './hosted-world.ts'
import {
  FORKS_MAX,
  makesWorld,
  type NewWorldCall,
  newPrivateName,
  TOO_MANY_FORKS,
  TOO_MANY_WORLDS,
  WORLDS_MAX,
} from './new-world.ts'
import { OPERATIONS } from './operations.ts'
import type { ProcessOptions } from './options.ts'
import { DEFAULT_WORLD, type StartOptions, WorldStart } from './world-start.ts'

const SWEEP_EVERY_MS = 1_000

type Opening = Pick<HostedWorld, 'start'> & Partial<Pick<HostedWorld, 'private'>>

/** All live worlds of a process: those of the data file, and those created since. */
export class HostedWorlds {
  readonly main: HostedWorld
  readonly situations: Situations
  readonly #options: ProcessOptions
  readonly #alive = new Map<string, HostedWorld>()
  /** API keys of the worlds that calls make. */
  #apiKeys: ReadonlySet<string> | undefined
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: ProcessOptions) {
    this.#options = options
    this.situations = new Situations({
      list: (settings) => listSituations(OPERATIONS, settings),
      watched: Object.keys(options.start.reading).filter(isSettingId),
    })
    this.main =
      this.#openKept(DEFAULT_WORLD) ??
      this.#open(DEFAULT_WORLD, { start: new WorldStart(options.start) })
    for (const name of [...(options.store?.kept.keys() ?? [])]) this.#openKept(name)
  }

  has(name: string): boolean {
    return this.#alive.has(name)
  }

  /** Finds a world by name, and ends a private one that has been idle for too long. */
  find(name: string): HostedWorld | undefined {
    const found = this.#alive.get(name)
    if (!found?.private || found.private.endsAt > this.#options.wallClock()) return found
    void this.#end(found)
    return undefined
  }

  /** Opens the world that a call asks for; pages that show no world get `default`. */
  openFor(call: NewWorldCall): HostedWorld {
    const { control, start } = this.#options
    const isKnownKey = (apiKey: string) => this.#isKnownKey(apiKey)
    if (!makesWorld(call, { control, isKnownKey })) return this.main
    const { name } = call
    return this.#openMore(name, { start: new WorldStart(start, { name }) })
  }

  list(): WorldSummary[] {
    return [...this.#alive.values()].map(({ name, timekeeper, world, calledAt, private: own }) => {
      timekeeper.sync()
      const { now, mode, fixture, transactions } = world
      return {
        name,
        now,
        mode,
        fixture,
        transactions: transactions.length,
        calledAt,
        endsAt: own?.endsAt ?? null,
      }
    })
  }

  create({ ttlMs, start, from, owner }: CreateWorldRequest): CreatedWorld {
    const origin = from && this.#get(from.world)
    const root = owner && this.#rootOf(owner)
    if (root !== undefined && this.#forksOf(root).length >= FORKS_MAX) throw TOO_MANY_FORKS
    const endsAt = this.#options.wallClock() + ttlMs
    const opening = {
      start:
        origin?.start.fork(start?.seed) ??
        new WorldStart(this.#options.start, { isPrivate: true, own: start }),
      private: { ttlMs, endsAt, owner: root },
    }
    const copy =
      origin &&
      (() => origin.copy({ snapshot: from?.snapshot, seed: start?.seed && opening.start.seed }))
    const { name, world } = this.#openMore(newPrivateName(), opening, copy)
    return { name, endsAt, seed: world.seed }
  }

  async delete(name: string): Promise<void> {
    if (name !== DEFAULT_WORLD) return await this.#end(this.#get(name))
    const message = 'The world default cannot be deleted; reset it.'
    throw new DomainError('conflict', message, { field: 'name' })
  }

  async close(): Promise<void> {
    realTime.clearInterval(this.#sweeping)
    await Promise.all([...this.#alive.values()].map((world) => world.close()))
    this.#alive.clear()
    await this.#options.store?.close()
  }

  #get(name: string): HostedWorld {
    const found = this.find(name)
    if (found) return found
    throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
  }

  /** Returns the private world that a fork made through `owner` counts towards. */
  #rootOf(owner: string): string {
    return this.#alive.get(owner)?.private?.owner ?? owner
  }

  #forksOf(owner: string): HostedWorld[] {
    return [...this.#alive.values()].filter((world) => world.private?.owner === owner)
  }

  #isKnownKey(apiKey: string): boolean {
    this.#apiKeys ??= readApiKeys(this.#options.start)
    return this.#apiKeys.has(apiKey)
  }

  #openMore(name: string, opening: Opening, copy?: () => WorldCopy): HostedWorld {
    if (this.#alive.size >= WORLDS_MAX) throw TOO_MANY_WORLDS
    return this.#open(name, opening, copy?.() ?? openingStateOf(opening))
  }

  /** Opens a world of the data file, if it has one of this name. */
  #openKept(name: string): HostedWorld | undefined {
    const { store, start, wallClock } = this.#options
    const kept = store?.kept.get(name)
    if (!kept) return undefined
    const { state, ttlMs, wallAt, life, owner } = kept
    // A running clock went on while the process was down; a frozen one did not.
    const lagMs = state.mode === 'running' ? Math.max(0, wallClock() - wallAt) : 0
    const opening = {
      start: new WorldStart(start, { name, isPrivate: ttlMs !== undefined }),
      // A restart counts as a call.
      private: ttlMs ? { ttlMs, endsAt: wallClock() + ttlMs, owner } : undefined,
    }
    const opened = this.#open(name, opening, { state, queued: [], lagMs, life })
    const [integrator] = opened.world.integrators
    if (integrator && start.webhooks) setWebhooks(opened.world, integrator, start.webhooks)
    return opened
  }

  #open(name: string, opening: Opening, state = openingStateOf(opening)): HostedWorld {
    const { webhookRules, wallClock, store, onOpen } = this.#options
    const { start, private: own } = opening
    if (own) this.#sweeping ??= realTime.setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref()
    const world = new HostedWorld(
      {
        name,
        start,
        private: own,
        webhookRules,
        wallClock,
        situations: this.situations,
        whenStored: store && (() => store.written()),
        onWorld: (begun, followed) =>
          store?.follow(name, begun, { ...followed, ttlMs: own?.ttlMs, owner: own?.owner }),
      },
      state,
    )
    this.#alive.set(name, world)
    onOpen?.(world)
    return world
  }

  /** Ends a world, and everything that was forked from it by its URL. */
  async #end(world: HostedWorld): Promise<void> {
    const ended = [world, ...this.#forksOf(world.name)]
    for (const { name } of ended) {
      this.#alive.delete(name)
      this.#options.store?.forget(name)
    }
    await Promise.all(ended.map((each) => each.close()))
  }

  #sweep(): void {
    for (const name of [...this.#alive.keys()]) this.find(name)
  }
}

const openingStateOf = ({ start }: Opening): OpeningState => ({
  state: start.createState(),
  queued: [],
})

function readApiKeys(start: StartOptions): ReadonlySet<string> {
  const { integrators } = new WorldStart(start).createState()
  return new Set(integrators.map(({ apiKey }) => apiKey))
}
