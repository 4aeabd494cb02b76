import { nanoid } from 'nanoid'
import { type ClockStart, parseClock } from '../engine/clock.ts'
import type { RunChange } from '../engine/run-change.ts'
import type { Fixture } from '../fixture/format.ts'
import { loadFixture } from '../fixture/load.ts'
import { fixtureToState } from '../fixture/state.ts'
import type { ResetRequest } from '../http/services.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { State } from '../world/state.ts'
import { copyState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { drawSeed, readSeed, type Seed } from './seed.ts'

export const DEFAULT_WORLD = 'default'

/** Calls name no files of the sandbox; the command line and the library read those. */
const SEND = 'send its document'

export interface WorldDefaults {
  /** Read at the start, so that a reset does not see later changes of the file. */
  readonly fixture: Fixture
  readonly settings: Record<string, SettingValue>
  /** Change of a run of `exec`, with parsed settings. */
  readonly change: RunChange
  /** Seed of the process, which the signing secrets of all worlds derive from. */
  readonly seed: Seed
  readonly clock: string | undefined
  readonly webhookRules: WebhookRules
  /** URL for webhooks from the start on, also in worlds that were kept. */
  readonly webhookUrl: string | undefined
  readonly wallClock: () => number
  /** Mixes a secret into the links and tokens of worlds that were not given a seed. */
  readonly hasSecret: boolean
}

interface Origin extends Pick<WorldDefaults, 'fixture' | 'settings'>, Pick<State, 'now' | 'mode'> {
  seed: Seed
}

interface WorldStartRequest {
  name?: string
  /** True if nobody chose the name, so that ids do not derive from it. */
  isPrivate?: boolean
  /** Options of the world's creator, which win over those of the process. */
  own?: ResetRequest | undefined
}

/** Start of one world: the options of the process, overridden by those of its creator. */
export class WorldStart {
  readonly #options: WorldDefaults
  readonly #own: ResetRequest
  readonly #seed: Seed
  readonly #ownFixture: Fixture | undefined
  readonly #secret: string | undefined
  readonly #startedAt: number
  /** State of a frozen world, kept by its first reset: copying is faster than building. */
  #kept: (Origin & { state: State }) | undefined

  constructor(options: WorldDefaults, request: WorldStartRequest = {}) {
    const { name = DEFAULT_WORLD, isPrivate = false, own = {} } = request
    this.#options = options
    this.#own = own
    this.#ownFixture = own.fixture === undefined ? undefined : loadFixture(own.fixture, SEND)
    this.#seed =
      readSeed(own.seed ?? this.#ownFixture?.seed) ??
      (isPrivate ? drawSeed() : seedOfWorld(name, options.seed))
    this.#secret = options.hasSecret ? nanoid() : undefined
    this.#startedAt = options.wallClock()
  }

  get seed(): string {
    return this.#seed.text
  }

  get change(): RunChange {
    return this.#options.change
  }

  get signingSeed(): string {
    return this.#options.seed.text
  }

  /** The start of a fork: this one, or the same with another seed. */
  fork(seed: string | undefined): WorldStart {
    if (seed === undefined) return this
    return new WorldStart(this.#options, { own: { ...this.#own, seed } })
  }

  /** Creates the state that the world starts from and resets to. It is the same every time. */
  createState(request: ResetRequest = {}, before?: World): State {
    const origin = this.#originOf(request, before)
    const isKept = before !== undefined && request.fixture === undefined && origin.mode === 'frozen'
    const state = isKept ? this.#recall(origin) : this.#make(origin)
    if (before && request.keep?.includes('webhooks')) keepWebhooks(state, before)
    return state
  }

  #originOf(request: ResetRequest, before: World | undefined): Origin {
    const { settings } = this.#options
    const fixture =
      request.fixture === undefined
        ? (this.#ownFixture ?? this.#options.fixture)
        : loadFixture(request.fixture, SEND)
    const clock = this.#readClock(request, fixture)
    const { mode, now } = (request.keep?.includes('clock') && before) || clock
    const asked = request.seed ?? (request.fixture && fixture.seed)
    const seed = readSeed(asked) ?? this.#seed
    return { fixture, settings, seed, mode, now }
  }

  #readClock(request: ResetRequest, fixture: Fixture): Pick<State, 'now' | 'mode'> {
    const asked = request.clock ?? (request.fixture && fixture.clock)
    const own = this.#own.clock ?? this.#ownFixture?.clock
    const clock = asked ?? own ?? this.#options.clock ?? fixture.clock ?? 'running'
    const { mode, at }: ClockStart = parseClock(clock)
    const isFresh = mode === 'running' || asked !== undefined
    return { mode, now: at ?? (isFresh ? this.#options.wallClock() : this.#startedAt) }
  }

  #recall(origin: Origin): State {
    if (!this.#kept || !isSame(this.#kept, origin)) {
      this.#kept = { ...origin, state: this.#make(origin) }
    }
    return copyState(this.#kept.state)
  }

  #make({ fixture, seed, now, mode, settings }: Origin): State {
    const { webhookRules, webhookUrl, change } = this.#options
    return fixtureToState(fixture, {
      seed: seed.text,
      signingSeed: this.signingSeed,
      secret: seed.isGiven ? undefined : this.#secret,
      now,
      mode,
      settings,
      change,
      webhookRules,
      webhooks: webhookUrl === undefined ? undefined : { url: webhookUrl },
    })
  }
}

/** Adds the name, so that no id of one world occurs in another. */
const seedOfWorld = (name: string, seed: Seed): Seed =>
  name === DEFAULT_WORLD ? seed : { ...seed, text: `${seed.text}/${name}` }

const isSame = (one: Origin, other: Origin): boolean =>
  one.now === other.now &&
  one.seed.text === other.seed.text &&
  one.seed.isGiven === other.seed.isGiven &&
  one.fixture === other.fixture &&
  one.settings === other.settings

/** Integrators keep their destinations and secrets through a reset. */
function keepWebhooks(state: State, before: World): void {
  for (const integrator of state.integrators) {
    const kept = before.integratorsByName.get(integrator.name)
    if (kept === undefined) continue
    const { webhook, legacyWebhooks, signingSecret, previousSecret, secretCount } = kept
    const webhooks = structuredClone({ webhook, legacyWebhooks })
    Object.assign(integrator, { ...webhooks, signingSecret, previousSecret, secretCount })
  }
}
