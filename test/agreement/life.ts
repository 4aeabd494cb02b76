import type { Masker } from '../../src/agreement/mask.ts'
import { createMasker } from '../../src/agreement/mask.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { type RecordingEntry, readRecording } from '../../src/agreement/recording.ts'
import { readSession, type SeenSession } from '../../src/agreement/save/session.ts'
import type { ControlClient } from '../../src/client/control.ts'
import { pathOf } from '../../src/client/http.ts'
import type { Receiver } from '../../src/client/receiver.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { copyState, exportState } from '../../src/world/state-export.ts'
import { type App, isOffered, openApp } from '../simulation/app.ts'
import { chooseStep } from '../simulation/choose.ts'
import { rollDice } from '../simulation/dice.ts'
import { remember, settingsOf, startMemory } from '../simulation/memory.ts'
import type { Step } from '../simulation/scene.ts'
import { WALLETS } from '../simulation/steps-trading.ts'
import type { Make, View } from '../simulation/view.ts'

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
  const { seed, life, steps, receiver, settings = {} } = options
  const dice = rollDice(`${seed} ${life}`)
  const app = openApp({ fixture: START, seed: `life ${life}`, settings })
  const { world } = app.sandbox
  const masker = options.masker ?? createMasker({ now: () => world.now })
  const lines: string[] = []
  const recorder = createRecorder({ masker, write: (line) => void lines.push(line) })
  let memory = startMemory(copyState(exportState(world)))
  const plans: Make[] = []
  const url = `${receiver.url}/${life}/main`
  let taken = receiver.received.length
  await take({
    action: 'putWebhookConfiguration',
    method: 'PUT',
    path: '/v2/webhook-configurations',
    key: KEY,
    body: { url },
  })
  for (let i = 1; i < steps; i++) await take(next())
  const session = await readSession(controlOf(app))
  const { users, transactions } = exportState(world)
  await app.sandbox.close()
  const secrets = [
    KEY,
    url,
    ...Object.values(WALLETS),
    ...memory.tokens.map((token) => token.text),
    ...users.flatMap(({ id, email, profile }) => [id, email, ...textsOf(profile)]),
    ...transactions.flatMap(({ id, rmtId, paymentId }) => [id, rmtId, paymentId ?? '']),
  ]
  return { text: lines.join(''), session, secrets: secrets.filter((secret) => secret.length > 3) }

  function next(): Step {
    const state = copyState(exportState(world))
    const soon: Make[] = []
    const plan = (make: Make) => void soon.push(make)
    const view: View = {
      dice,
      state,
      settings: settingsOf(state),
      memory,
      plan,
    }
    const planned = plans.shift()?.(view)
    const step = planned && isAllowed(planned) ? planned : chooseStep(view, isAllowed)
    plans.unshift(...soon)
    return step
  }

  async function take(step: Step) {
    const before = copyState(exportState(world))
    const at = world.now
    const isContract = !step.path.startsWith('/_sandbox')
    const n = isContract ? recorder.begin() : 0
    const response = await app.call(step)
    if (isContract) recorder.call(n, at, toCall(step, response))
    await app.sandbox.outbox.drain(10_000)
    for (const { body, headers } of receiver.received.slice(taken)) {
      const occurredAt = Date.parse(JSON.parse(body).occurredAt)
      const shown = Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, String(v)]))
      recorder.webhook(recorder.begin(), occurredAt, { headers: shown, body }, 204)
    }
    taken = receiver.received.length
    const after = copyState(exportState(world))
    memory = remember(memory, { step, response, before, after, settings: settingsOf(before) })
  }
}

const isAllowed = (step: Step): boolean =>
  isOffered(step) && (!step.path.startsWith('/_sandbox') || OUTSIDE.has(step.action))

function toCall(
  { method, path, key, token, body }: Step,
  { status, text }: { status: number; text: string },
) {
  const headers = {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(token && { authorization: `Bearer ${token.text}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const response = {
    status,
    headers: { 'content-type': 'application/json' },
    body: text,
  }
  return { method, target: path, request: { headers, body: sent }, response, ms: 0 }
}

export const entriesOf = (text: string): RecordingEntry[] => readRecording(text)

const controlOf =
  (app: App): ControlClient['call'] =>
  async (method, path, { query } = {}) => {
    const target = pathOf({ method, path: `/_sandbox${path}`, query })
    const response = await app.call({ action: 'read', method, path: target })
    return JSON.parse(response.text)
  }
