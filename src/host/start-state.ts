import { parseClock } from '../engine/clock.ts'
import { type Fixture, fixtureToState, loadFixture } from '../fixture/load.ts'
import type { ResetRequest } from '../http/services.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import type { WebhooksRequest } from '../world/integrators.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { ClockMode, State } from '../world/state.ts'
import type { World } from '../world/world.ts'

const DEFAULT_SEED = 'ramp-sandbox'

export interface StartOptions {
  /** Read already: its file may be another by the time of a reset, which goes back to the start. */
  fixture: Fixture
  seed?: string | undefined
  clock?: string | undefined
  settings: Record<string, SettingValue>
  webhookRules: WebhookRules
  /** URL for webhooks from the start on, also in the worlds of a data file. */
  webhooks?: WebhooksRequest | undefined
  wallClock: () => number
  /** Mixed into links and tokens of worlds that nobody gave a seed; empty for none. */
  secret?: string | undefined
}

export type StartState = ReturnType<typeof createStart>

/** Makes the state a world starts from, and goes back to: the same one each time. */
export function createStart(options: StartOptions) {
  const { wallClock, settings, webhookRules, webhooks } = options
  const startedAt = wallClock()
  /** The state of a frozen world as JSON, kept by its first reset: a copy is made sooner than rows. */
  let kept: { now: number; seed: string | undefined; text: string } | undefined
  return function startState(request: ResetRequest = {}, before?: World): State {
    const { fixture, seed, clock, keep = [] } = request
    const loaded = fixture === undefined ? options.fixture : loadFixture(fixture)
    const start = parseClock(clock ?? options.clock ?? loaded.clock ?? 'running')
    const isFresh = start.mode === 'running' || clock !== undefined
    const present = isFresh ? wallClock() : startedAt
    const clockOf = keep.includes('clock') ? before : undefined
    const mode: ClockMode = clockOf?.mode ?? start.mode
    const ownSeed = seed ?? options.seed ?? loaded.seed
    const now = clockOf?.now ?? start.at ?? present
    const isKept = before !== undefined && fixture === undefined && mode === 'frozen'
    const isSame = isKept && kept?.now === now && kept.seed === ownSeed
    const state: State = isSame ? JSON.parse(kept?.text ?? '') : make()
    if (isKept && !isSame) kept = { now, seed: ownSeed, text: JSON.stringify(state) }
    if (before && keep.includes('webhooks')) keepWebhooks(state, before)
    return state

    function make() {
      return fixtureToState(loaded, {
        seed: ownSeed ?? DEFAULT_SEED,
        secret: ownSeed === undefined ? options.secret : undefined,
        ...{ now, mode, settings, webhookRules, webhooks },
      })
    }
  }
}

/** Integrators keep their destinations and secrets through a reset. */
function keepWebhooks(state: State, before: World) {
  for (const integrator of state.integrators) {
    const kept = before.integratorsByName.get(integrator.name)
    if (kept === undefined) continue
    const { webhook, legacyWebhooks, signingSecret, previousSecret, secretCount } = kept
    const webhooks = structuredClone({ webhook, legacyWebhooks })
    Object.assign(integrator, { ...webhooks, signingSecret, previousSecret, secretCount })
  }
}
