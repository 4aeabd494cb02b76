import type { Masker } from '../../src/agreement/mask.ts'
import { createMasker } from '../../src/agreement/mask.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { type RecordingEntry, readRecording } from '../../src/agreement/recording.ts'
import { readSession, type SeenSession } from '../../src/agreement/save/session.ts'
import type { ControlClient } from '../../src/client/control.ts'
import { pathOf } from '../../src/client/http.ts'
import type { Receiver } from '../../src/client/receiver.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { exportState } from '../../src/world/state-export.ts'
import { EVM_WALLET, SOLANA_WALLET } from '../helpers/story.ts'
import { act } from '../simulation/actions.ts'
import { type Life, openLife, type Scene, type Step } from '../simulation/life.ts'

/** What a provider lets happen by itself or outside; the rest are levers that only a sandbox has. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'advanceClock',
  'simulateKyc',
  'simulateFundsReceived',
  'simulateSettled',
  'simulateBankRefused',
  'simulateCancelled',
])

export interface LifeToRecord {
  seed: string
  life: number
  steps: number
  receiver: Receiver
  settings?: Record<string, SettingValue>
  masker?: Masker
}

const KEY = 'live-key-of-main'

const textsOf = (profile: object): string[] =>
  Object.values(profile).filter((value) => typeof value === 'string')

/** One user who can trade, as before the recording; the others are registered in it. */
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

export interface RecordedLife {
  /** The recording, as a file holds it. */
  text: string
  /** What must not be in it. */
  secrets: string[]
  /** The same, as its sandbox remembers it. */
  session: SeenSession
}

/** Lives a random life with webhooks, and records it. */
export async function recordLife(options: LifeToRecord): Promise<RecordedLife> {
  const { seed, life: number, steps, receiver, settings = {} } = options
  const lines: string[] = []
  let count = 0
  let taken = receiver.received.length
  const life = openLife({
    ...{ chance: `${seed} ${number}`, fixture: START, seed: `life ${number}`, settings },
    mayTake: isAllowed,
    onStep: write,
  })
  const { world } = life.services
  const masker = options.masker ?? createMasker({ now: () => world.now })
  const recorder = createRecorder({ masker, write: (line) => void lines.push(line) })
  const url = `${receiver.url}/${number}/main`
  const route = 'PUT /v2/webhook-configurations'
  await life.take({ action: 'putWebhookConfiguration', route, key: KEY, body: { url } })
  while (count < steps) await act(life)
  const session = await readSession(controlOf(life))
  const { users, transactions } = exportState(world)
  await life.app.close()
  const secrets = [
    ...[KEY, url, EVM_WALLET, SOLANA_WALLET],
    ...life.tokens.map((token) => token.text),
    ...users.flatMap(({ id, email, profile }) => [id, email, ...textsOf(profile)]),
    ...transactions.flatMap(({ id, rmtId, paymentId }) => [id, rmtId, paymentId ?? '']),
  ]
  return { text: lines.join(''), session, secrets: secrets.filter((secret) => secret.length > 3) }

  async function write({ step, response, before }: Scene) {
    count++
    if (!step.action.startsWith('simulate') && step.action !== 'advanceClock') {
      recorder.call(recorder.begin(), before.now, toCall(step, response))
    }
    await life.services.outbox.drain(10_000)
    for (const { body, headers } of receiver.received.slice(taken)) {
      const occurredAt = Date.parse(JSON.parse(body).occurredAt)
      const shown = Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, String(v)]))
      recorder.webhook(recorder.begin(), occurredAt, { headers: shown, body }, 204)
    }
    taken = receiver.received.length
  }
}

const isAllowed = ({ route, action }: Step): boolean =>
  !route.includes(' /_sandbox') || OUTSIDE.has(action)

function toCall({ route, key, token, body }: Step, { status, text }: Scene['response']) {
  const [method = '', target = ''] = route.split(' ')
  const headers = {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(token && { authorization: `Bearer ${token.text}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const response = { status, headers: { 'content-type': 'application/json' }, body: text }
  return { method, target, request: { headers, body: sent }, response, ms: 0 }
}

export const entriesOf = (text: string): RecordingEntry[] => readRecording(text)

const controlOf =
  ({ app }: Life): ControlClient['call'] =>
  async (method, path, { query } = {}) =>
    app.control(method, pathOf({ method, path, query }))
