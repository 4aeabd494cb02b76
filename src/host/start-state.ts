import { randomBytes } from 'node:crypto'
import { parseClock } from '../engine/clock.ts'
import { type Fixture, fixtureToState, loadFixture } from '../fixture/load.ts'
import type { ResetRequest } from '../http/services.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import type { WebhooksRequest } from '../world/integrators.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'

const DEFAULT_SEED = 'ramp-sandbox'

/** Options that the process was given. */
export interface StartOptions {
  /** Read already: its file may differ by the time of a reset, unless that change is loaded, too. */
  fixture: Fixture
  seed?: string | undefined
  clock?: string | undefined
  settings: Record<string, SettingValue>
  webhookRules: WebhookRules
  /** URL for webhooks from the start on, also in the worlds of a data file. */
  webhooks?: WebhooksRequest | undefined
  wallClock: () => number
  /** Whether worlds that nobody gave a seed mix a secret into links and tokens. */
  hasSecret?: boolean | undefined
}

export type StartState = ReturnType<typeof createStart>

/**
 * Makes the state a world starts from, and goes back to: the same one each time. Where the maker of
 * the world has no wish, it is as the process was told.
 */
export function createStart(options: StartOptions, wish: ResetRequest = {}) {
  const { wallClock, webhookRules, webhooks } = options
  const wished = wish.fixture === undefined ? undefined : loadFixture(wish.fixture)
  const secret = options.hasSecret ? randomBytes(16).toString('hex') : undefined
  const startedAt = wallClock()
  /** The state of a frozen world as JSON, kept by its first reset: a copy is made sooner than rows. */
  let kept: Kept | undefined
  return function startState(request: ResetRequest = {}, before?: World): State {
    const { keep = [] } = request
    const { settings } = options
    const fixture = wished ?? options.fixture
    const loaded = request.fixture === undefined ? fixture : loadFixture(request.fixture)
    const clock = request.clock ?? wish.clock ?? options.clock ?? loaded.clock ?? 'running'
    const start = parseClock(clock)
    const isFresh = start.mode === 'running' || request.clock !== undefined
    const { mode, now } = (keep.includes('clock') && before) || {
      mode: start.mode,
      now: start.at ?? (isFresh ? wallClock() : startedAt),
    }
    const seed = request.seed ?? wish.seed ?? options.seed ?? loaded.seed
    const isKept = before !== undefined && request.fixture === undefined && mode === 'frozen'
    const origin = { now, seed, fixture, settings }
    const isSame = isKept && kept !== undefined && isOf(kept, origin)
    const state: State = isSame ? JSON.parse(kept?.text ?? '') : make()
    if (isKept && !isSame) kept = { ...origin, text: JSON.stringify(state) }
    if (before && keep.includes('webhooks')) keepWebhooks(state, before)
    return state

    function make() {
      return fixtureToState(loaded, {
        ...(seed === undefined ? { seed: DEFAULT_SEED, secret } : { seed }),
        ...{ now, mode, settings, webhookRules, webhooks },
      })
    }
  }
}

/** What a kept state was made of. */
interface Origin extends Pick<StartOptions, 'fixture' | 'settings'> {
  now: number
  seed: string | undefined
}
type Kept = Origin & { text: string }

const isOf = (kept: Kept, { now, seed, fixture, settings }: Origin): boolean =>
  kept.now === now && kept.seed === seed && kept.fixture === fixture && kept.settings === settings

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
