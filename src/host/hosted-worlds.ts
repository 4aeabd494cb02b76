import { Situations } from '../engine/situations.ts'
import type { CreatedWorld, CreateWorldRequest, WorldSummary } from '../http/services.ts'
import { listSituations } from '../http/situations.ts'
import { DomainError } from '../world/domain-error.ts'
import { setWebhooks } from '../world/integrators.ts'
import { isSettingId } from '../world/settings/index.ts'
import { HostedWorld, type OpeningState } from './hosted-world.ts'
import {
  makesWorld,
  type NewWorldCall,
  newPrivateName,
  PRIVATE_IDLE_MAX_MS,
  PRIVATE_WORLDS_MAX,
  TOO_MANY_WORLDS,
  WORLDS_MAX,
} from './new-world.ts'
import { OPERATIONS } from './operations.ts'
import type { ProcessOptions } from './options.ts'
import { DEFAULT_WORLD, type StartOptions, WorldStart } from './world-start.ts'

type Opening = Pick<HostedWorld, 'start'> & Partial<Pick<HostedWorld, 'isPrivate'>>

/** All live worlds of a process: those found in the folder of `--data`, and those created since. */
export class HostedWorlds {
  readonly main: HostedWorld
  readonly situations: Situations
  readonly #options: ProcessOptions
  readonly #alive = new Map<string, HostedWorld>()
  /** API keys of the worlds that calls make. */
  #apiKeys: ReadonlySet<string> | undefined

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

  /** Finds or makes the world that a call asks for; pages that show no world get `default`. */
  openFor(call: NewWorldCall): HostedWorld {
    const found = this.#alive.get(call.name)
    if (found) return found
    const { control, start } = this.#options
    const isKnownKey = (apiKey: string) => this.#isKnownKey(apiKey)
    if (!makesWorld(call, { control, isKnownKey })) return this.main
    const { name } = call
    return this.#openMore(name, { start: new WorldStart(start, { name }) })
  }

  list(): WorldSummary[] {
    return [...this.#alive.values()].map(({ name, timekeeper, world, calledAt }) => {
      timekeeper.sync()
      const { now, mode, fixture, transactions } = world
      return {
        name,
        now,
        mode,
        fixture,
        transactions: transactions.length,
        calledAt,
      }
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
    const { name, world } = this.#openMore(newPrivateName(), opening, state)
    return { name, seed: world.seed }
  }

  async delete(name: string): Promise<void> {
    if (name !== DEFAULT_WORLD) return await this.#end(this.#get(name))
    const message = 'The world default cannot be deleted; reset it.'
    throw new DomainError('conflict', message, { field: 'name' })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#alive.values()].map((world) => world.close()))
    this.#alive.clear()
    await this.#options.store?.close()
  }

  #get(name: string): HostedWorld {
    const found = this.#alive.get(name)
    if (found) return found
    throw new DomainError('not-found', `There is no world ${name}.`, { field: 'name' })
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
    const opened = this.#open(name, opening, { state, queued: [], lagMs })
    const [integrator] = opened.world.integrators
    if (integrator && start.webhooks) setWebhooks(opened.world, integrator, start.webhooks)
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

function readApiKeys(start: StartOptions): ReadonlySet<string> {
  const { integrators } = new WorldStart(start).createState()
  return new Set(integrators.map(({ apiKey }) => apiKey))
}
