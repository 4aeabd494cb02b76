import { parseClock } from './clock.ts'
import { type Fixture, fixtureToState, loadFixture } from './fixture.ts'
import type { Doors, ResetRequest } from './http/doors.ts'
import { createRequestJournal } from './http/requests.ts'
import { createTokens, type Tokens } from './http/token.ts'
import { createTimekeeper } from './timekeeper.ts'
import { createOutbox, type Outbox } from './webhooks/outbox.ts'
import { v2 } from './webhooks/v2.ts'
import type { ClockMode, SettingValue, State } from './world/state.ts'
import { World } from './world/world.ts'

export const DEFAULT_SEED = 'ramp-sandbox'
export const DEFAULT_FIXTURE = 'default'

export interface SandboxOptions {
  name: string
  fixture: string | object
  seed: string | undefined
  clock: string | undefined
  settings: Record<string, SettingValue>
  webhookHosts: readonly string[]
  wallClock: () => number
}

/** One world and its doors. */
export interface Sandbox extends Doors {
  close(): Promise<void>
}

export function openSandbox(options: SandboxOptions): Sandbox {
  const { name, wallClock, webhookHosts } = options
  const startedAt = wallClock()
  let world = new World(startState({}))
  let tokens: Tokens = createTokens(name, () => world)
  let requests = createRequestJournal()
  let outbox = openOutbox()
  const timekeeper = createTimekeeper({ world: () => world, outbox: () => outbox, wallClock })
  return {
    name,
    timekeeper,
    webhookHosts,
    get outbox() {
      return outbox
    },
    get world() {
      return world
    },
    get tokens() {
      return tokens
    },
    get requests() {
      return requests
    },
    reset,
    async close() {
      timekeeper.close()
      await outbox.close()
    },
  }

  /** Everything is as after the start, save what is asked for or kept. */
  function reset(request: ResetRequest) {
    replace(new World(startState(request)))
  }

  function replace(next: World) {
    world = next
    tokens = createTokens(name, () => world)
    requests = createRequestJournal()
    void outbox.close()
    outbox = openOutbox()
    timekeeper.restart()
  }

  /** An outbox of the world that stands now. */
  function openOutbox(): Outbox {
    const followed = world
    const opened = createOutbox({
      world: () => followed,
      generations: [v2],
      wallClock,
      allowHosts: webhookHosts,
    })
    followed.listen({ onEvent: (event) => opened.enqueue(event) })
    return opened
  }

  function startState({ fixture, seed, clock, keep = [] }: ResetRequest): State {
    const loaded: Fixture = loadFixture(fixture ?? options.fixture)
    const keepsClock = keep.includes('clock')
    const start = parseClock(clock ?? options.clock ?? loaded.clock ?? 'running')
    const present = start.mode === 'running' || clock !== undefined ? wallClock() : startedAt
    const mode: ClockMode = keepsClock ? world.mode : start.mode
    const now = keepsClock ? world.now : (start.at ?? present)
    const state = fixtureToState(loaded, {
      seed: seed ?? options.seed ?? loaded.seed ?? DEFAULT_SEED,
      now,
      mode,
      settings: options.settings,
    })
    return keep.includes('webhooks') ? withWebhooks(state) : state
  }

  /** Integrators keep their destinations and secrets through a reset. */
  function withWebhooks(state: State): State {
    for (const integrator of state.integrators) {
      const before = world.integratorsByName.get(integrator.name)
      if (before === undefined) continue
      const { webhook, legacyWebhooks, signingSecret, previousSecret, secretCount } = before
      Object.assign(integrator, {
        webhook: webhook && { ...webhook },
        legacyWebhooks: legacyWebhooks && structuredClone(legacyWebhooks),
        signingSecret,
        previousSecret,
        secretCount,
      })
    }
    return state
  }
}
