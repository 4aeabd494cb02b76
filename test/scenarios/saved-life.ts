import type { ControlClient } from '../../src/client/control.ts'
import { pathOf } from '../../src/client/http.ts'
import type { Receiver } from '../../src/client/receiver.ts'
import { readSession, type SeenSession } from '../../src/scenario/session.ts'
import { act } from '../simulation/actions.ts'
import { type Life, openLife, type Step } from '../simulation/life.ts'

/** What a provider lets happen by itself or outside; the rest are levers that only a sandbox has. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'advanceClock',
  'simulateKyc',
  'simulateFundsReceived',
  'simulateSettled',
  'simulateBankRefused',
  'simulateCancelled',
])

const KEY = 'live-key-of-main'

/** One user who can trade; the others are registered on the way. */
const START = {
  integrators: [{ name: 'main', apiKey: KEY }],
  users: [
    {
      email: 'alice@example.com',
      status: 'verified',
      profile: {
        firstName: 'Alice',
        lastName: 'Tremblay',
        dob: '1990-04-12',
        phone: '6135550177',
        addressLine1: '100 Example Street',
        city: 'Kingston',
        province: 'ON',
        postalCode: 'K7L 3N6',
        occupation: 'Beekeeper',
        purpose: 'Paying rent',
        pep: false,
        tpd: false,
      },
    },
  ],
}

interface LifeToSave {
  seed: string
  life: number
  steps: number
  receiver: Receiver
}

interface SavedLife {
  session: SeenSession
  /** Keys and tokens, which must not be in what is saved. */
  secrets: string[]
}

/** Lives a random life with webhooks, and reads it as its sandbox remembers it. */
export async function liveAndRead(options: LifeToSave): Promise<SavedLife> {
  const { seed, life: number, steps, receiver } = options
  let count = 0
  const life = openLife({
    chance: `${seed} ${number}`,
    fixture: START,
    seed: `life ${number}`,
    settings: {},
    mayTake: isAllowed,
    async onStep() {
      count++
      await life.services.outbox.drain(10_000)
    },
  })
  const url = `${receiver.url}/${number}/main`
  const route = 'PUT /v2/webhook-configurations'
  await life.take({ action: 'putWebhookConfiguration', route, key: KEY, body: { url } })
  while (count < steps) await act(life)
  const session = await readSession(controlOf(life))
  await life.app.close()
  return { session, secrets: [KEY, ...life.tokens.map(({ text }) => text)] }
}

const isAllowed = ({ route, action }: Step): boolean =>
  !route.includes(' /_sandbox') || OUTSIDE.has(action)

const controlOf =
  ({ app }: Life): ControlClient['call'] =>
  async (method, path, { query } = {}) =>
    app.control(method, pathOf({ method, path, query }))
