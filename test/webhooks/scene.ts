import { loadFixture } from '../../src/fixture/load.ts'
import { fixtureToState } from '../../src/fixture/state.ts'
import type { Delivery } from '../../src/webhooks/delivery.ts'
import { Outbox, type OutboxOptions } from '../../src/webhooks/outbox.ts'
import { v2 } from '../../src/webhooks/v2.ts'
import { Entries } from '../../src/world/entries.ts'
import { parseSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import type { Integrator, User } from '../../src/world/state.ts'
import { changeUserStatus, newUser } from '../../src/world/users.ts'
import type { UserStatus } from '../../src/world/words.ts'
import { World } from '../../src/world/world.ts'

export const SECRET = 'whsec_test'
export const NOW = Date.parse('2026-07-01T00:00:00.000Z')
/** Longer than any test waits for what it expects. */
export const LONG_MS = 10_000

/** A world with an outbox, in which things happen. */
export interface Scene extends AsyncDisposable {
  readonly world: World
  readonly outbox: Outbox
  /** The first of them. */
  readonly integrator: Integrator
  /** The user's status changes so many times, each time to the other of two. */
  happen(times?: number, integrator?: string): void
  /** One thing happens: what became of its delivery. */
  deliver(): Promise<Delivery>
  /** What became of everything, once nothing is on its way any more. */
  settled(): Promise<Delivery[]>
}

export interface SceneOptions extends Partial<Omit<OutboxOptions, 'world'>> {
  /** Webhook URLs by the name of the integrator. */
  urls?: Record<string, string | null>
  secret?: string | null
  settings?: Record<string, SettingValue>
  email?: string
}

export function openScene({
  urls = { alpha: null },
  secret = SECRET,
  settings = {},
  email = 'alice@example.com',
  ...options
}: SceneOptions = {}): Scene {
  const world = openWorld(settings)
  const users = new Map<string, User>()
  for (const [name, url] of Object.entries(urls)) {
    world.insert('integrators', newIntegrator(name, url, secret))
    const person = { email: `${name}-${email}`, status: 'initial', profile: {} } as const
    users.set(name, newUser(world, { ...person, integrators: [name] }))
  }
  const outbox = new Outbox({
    world,
    dialects: [v2],
    webhookRules: { allowHosts: [] },
    deliveries: new Entries<Delivery>({ max: 20_000 }),
    ...options,
  })
  world.listen(([list, row]) => list === 'events' && outbox.enqueue(row))
  const [integrator] = world.integrators
  if (!integrator) throw new Error('an integrator is needed')
  const scene: Scene = {
    world,
    outbox,
    integrator,
    happen(times = 1, integrator = 'alpha') {
      const user = users.get(integrator)
      if (!user) throw new Error(`no integrator ${integrator}`)
      for (let i = 0; i < times; i++) {
        const status: UserStatus = user.status === 'verified' ? 'in-review' : 'verified'
        changeUserStatus(world, user, { status, reasons: [] })
      }
    },
    async deliver() {
      scene.happen()
      const delivery = (await scene.settled()).at(-1)
      if (!delivery) throw new Error('nothing was journalled')
      return delivery
    },
    async settled() {
      const pending = await outbox.drain(LONG_MS)
      if (pending > 0) throw new Error(`${pending} deliveries are still pending`)
      return outbox.deliveries.after(0)
    },
    [Symbol.asyncDispose]: () => outbox.close(),
  }
  return scene
}

function openWorld(given: Record<string, SettingValue>): World {
  const settings = parseSettings(given)
  const start = { seed: 'webhooks', now: NOW, mode: 'frozen', settings } as const
  return new World({ ...fixtureToState(loadFixture({ users: [] }), start), integrators: [] })
}

function newIntegrator(name: string, url: string | null, secret: string | null): Integrator {
  return {
    name,
    apiKey: `key-${name}`,
    actsWithoutToken: false,
    signingSecret: secret,
    secretCount: 1,
    previousSecret: null,
    webhook: url === null ? null : { url, createdAt: NOW, updatedAt: NOW },
    legacyWebhooks: null,
  }
}
