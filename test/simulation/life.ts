import { createHash, type Hash } from 'node:crypto'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { type App, isOffered, openApp } from './app.ts'
import { findViolations } from './checks.ts'
import { chooseStep } from './choose.ts'
import { type Dice, rollDice } from './dice.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { type Memory, remember, settingsOf, startMemory } from './memory.ts'
import { type Recording, record } from './recording.ts'
import type { Scene, Step, StepResponse } from './scene.ts'
import type { Make, View } from './view.ts'

export interface LifeOptions {
  seed: string
  life: number
  steps: number
  /** Sees each scene after it was checked. */
  watch?: ((scene: Scene) => void) | undefined
}

export interface Life {
  /** Each step with its response, as text. */
  log: string[]
  /** What was found wrong after the last step of the log. */
  violations: string[]
  /** How often each outcome occurred. */
  counts: Map<string, number>
  /** A digest of all responses, byte by byte. */
  transcript: string
}

/** Steps between the checks that read everything: a reloaded world, and whole journals. */
const COSTLY_EVERY = 40
/** Characters of a body that the log shows; only an imported state is longer. */
const SHOWN_MAX = 400

/** Where lives begin: two integrators, and one user for each kind of access. */
const CAST = {
  integrators: [
    { name: 'one', apiKey: 'key-one' },
    { name: 'two', apiKey: 'key-two', actsWithoutToken: true },
  ],
  users: [
    { email: 'alice@example.com', status: 'verified', integrators: ['one', 'two'] },
    {
      email: 'bob@example.com',
      status: 'verified',
      integrators: ['two'],
      accessibleBy: ['jwt', 'apiKey'],
    },
    { email: 'carol@example.com', status: 'in-review', integrators: ['one'] },
  ],
}

interface Running extends Omit<Life, 'transcript'> {
  dice: Dice
  app: App
  /** Set in lives that are kept as a data file would keep them. */
  keeper: Keeper | undefined
  responses: Hash
  plans: Make[]
  recording: Recording
  memory: Memory
}

/** Lives one random life, up to the first thing that is wrong. */
export async function liveLife(options: LifeOptions): Promise<Life> {
  const { steps, watch } = options
  const running = begin(options)
  const { log, counts, responses, app } = running
  while (log.length < steps && running.violations.length === 0) {
    const isCostly = log.length % COSTLY_EVERY === 0 || log.length === steps - 1
    const scene = await takeStep(running, isCostly)
    watch?.(scene)
  }
  await app.sandbox.close()
  return { log, counts, violations: running.violations, transcript: responses.digest('hex') }
}

function begin({ seed, life }: LifeOptions): Running {
  const dice = rollDice(`${seed} ${life}`)
  const keeper = life % 10 === 4 ? createKeeper() : undefined
  const visibility = life % 2 === 0 ? 'platform' : 'integrator'
  const settings = { ...someSettings(dice), 'users.visibility': visibility }
  const app = openApp({ fixture: CAST, seed: `life ${life}`, settings, keeper })
  const recording = record(app.sandbox.world)
  return {
    log: [],
    violations: [],
    counts: new Map(),
    responses: createHash('sha256'),
    dice,
    app,
    keeper,
    plans: [],
    recording,
    memory: startMemory(recording.state),
  }
}

async function takeStep(running: Running, isCostly: boolean): Promise<Scene> {
  const { app, log, counts, recording, keeper } = running
  const { sandbox } = app
  const { state: before } = recording
  const settings = settingsOf(before)
  const step = nextStep(running)
  const response = await app.call(step)
  running.recording = record(sandbox.world, recording)
  const { state: after, texts } = running.recording
  const happening = { step, response, before, after, settings }
  running.memory = remember(running.memory, happening)
  const scene: Scene = {
    ...happening,
    texts: { before: recording.texts, after: texts },
    world: sandbox.world,
    memory: running.memory,
    kept: keeper?.read(),
  }
  log.push(toLine(step, response))
  running.responses.update(response.text)
  count(counts, step, response)
  running.violations = findViolations(scene, { isCostly })
  return scene
}

function nextStep({ dice, recording: { state }, memory, plans }: Running): Step {
  const soon: Make[] = []
  const settings = settingsOf(state)
  const plan = (make: Make) => void soon.push(make)
  const view: View = { dice, state, settings, memory, plan }
  const planned = plans.shift()?.(view)
  const step = planned && isOffered(planned) ? planned : chooseStep(view, isOffered)
  plans.unshift(...soon)
  return step
}

function toLine({ method, path, key, token, body }: Step, { status }: StepResponse): string {
  const who = `${key ?? 'no key'}${token ? ` for ${token.userId}` : ''}`
  const sent = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return `${method} ${path} ${sent.slice(0, SHOWN_MAX)} (${who}) -> ${status}`
}

function count(
  counts: Map<string, number>,
  { action }: Step,
  { status, code, data }: StepResponse,
) {
  const outcome = (status >= 400 && action === 'createTransaction' && code) || status
  const fired = Array.isArray(data.fired) ? data.fired : []
  const kinds = fired.map(({ kind }: { kind: string }) => `fired ${kind}`)
  for (const what of [`${action} ${outcome}`, ...kinds]) {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
}

/** Most lives follow the defaults; the others try the assumptions that change what follows. */
function someSettings(dice: Dice): Record<string, SettingValue> {
  const settings: Record<string, SettingValue> = {}
  for (const [id, value] of OTHER_WAYS) if (dice.chance(0.12)) settings[id] = value
  return settings
}

const OTHER_WAYS: readonly [string, SettingValue][] = [
  ['transactions.settlement', 'auto'],
  ['transactions.cancellable', 'active'],
  ['transactions.bankRefused', 'cancelled'],
  ['transactions.expiryLag', '30s'],
  ['status.quote-amount', 400],
  ['transactions.cancelledStatus', 'canceled'],
  ['transactions.fundsAfter', '1h'],
  ['status.too-many-decimals', 400],
  ['quotes.bareLabels', 'BASE'],
  ['status.quote-expired', 410],
  ['status.quote-spent', 400],
  ['limits.cancelled', 5],
  ['login.eligible', 'registered'],
  ['login.code.attempts', 1],
  ['status.unknown-user', 200],
  ['tokens.afterStatusChange', 'revoke'],
  ['users.create.event', 'sent'],
  ['status.verified-field', 400],
]
