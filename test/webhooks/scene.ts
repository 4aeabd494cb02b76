import type { Delivery } from '../../src/webhooks/delivery.ts'
import { createOutbox, type Outbox, type OutboxOptions } from '../../src/webhooks/outbox.ts'
import { v2 } from '../../src/webhooks/v2.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import type { Integrator, User, UserStatus } from '../../src/world/state.ts'
import { changeUserStatus, newUser } from '../../src/world/users.ts'
import { World } from '../../src/world/world.ts'

export const SECRET = 'whsec_test'
export const NOW = Date.parse('2026-07-01T00:00:00.000Z')
/** Longer than any test waits for what it expects. */
export const LONG_MS = 10_000

/** A world with an outbox, in which things happen. */
export interface Scene extends AsyncDisposable {
  readonly world: World
  readonly outbox: Outbox
  /** The user's status changes so many times, each time to the other of two. */
  happen(times?: number, integrator?: string): void
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
  const outbox = createOutbox({
    world,
    generations: [v2],
    webhookRules: { allowHosts: [] },
    ...options,
  })
  world.listen({ onEvent: outbox.enqueue })
  return {
    world,
    outbox,
    happen(times = 1, integrator = 'alpha') {
      const user = users.get(integrator)
      if (!user) throw new Error(`no integrator ${integrator}`)
      for (let i = 0; i < times; i++) {
        const status: UserStatus = user.status === 'verified' ? 'in-review' : 'verified'
        changeUserStatus(world, user, { status, reasons: [] })
      }
    },
    async settled() {
      const pending = await outbox.drain(LONG_MS)
      if (pending > 0) throw new Error(`${pending} deliveries are still pending`)
      return outbox.journal.after(0)
    },
    [Symbol.asyncDispose]: () => outbox.close(),
  }
}

function openWorld(settings: Record<string, SettingValue>): World {
  return new World({
    formatVersion: 1,
    seed: 'webhooks',
    fixture: 'none',
    now: NOW,
    mode: 'frozen',
    settings,
    rates: { USDC: { cad: 1.4015 }, CADC: { cad: 1 } },
    nextQuoteId: 100_000,
    eventCount: 0,
    messageCount: 0,
    taskCount: 0,
    integrators: [],
    users: [],
    loginCodes: [],
    sessions: [],
    kycLinks: [],
    quotes: [],
    transactions: [],
    kybSubmissions: [],
    events: [],
    messages: [],
    tasks: [],
  })
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
