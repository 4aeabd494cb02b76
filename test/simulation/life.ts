import type { Services } from '../../src/http/services.ts'
import { randomFor } from '../../src/world/random.ts'
import { type Settings, toSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import type { State } from '../../src/world/state.ts'
import { exportState } from '../../src/world/state-export.ts'
import type { World } from '../../src/world/world.ts'
import { NOON, openApp, sendTo, type TestApp } from '../helpers/app.ts'

/** One call of a life. `action` is the id of its operation. */
export interface Step {
  action: string
  /** Such as `GET /v2/users?email=x`. */
  route: string
  key?: string | undefined
  token?: Token | undefined
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown
  /** What was broken on purpose, so that the call must be refused. */
  broken?: string | undefined
  /** Who or what it is about: a user, a transaction or a snapshot. */
  ref?: string | undefined
}

/** An access token and what the sandbox promised with it. */
export interface Token {
  text: string
  userId: string
  integrator: string
  expiresAt: number
}

export interface StepResponse {
  status: number
  text: string
  /** What the call is about, out of its envelope. */
  data: Record<string, unknown>
  /** The error of the contract that refused it. */
  code: string | null
}

/** One step with the world before and after it; both states are one object when nothing changed. */
export interface Scene {
  step: Step
  response: StepResponse
  before: State
  after: State
  /** As it was when the call was made. */
  settings: Settings
  world: World
}

/** A world in which things happen, and what its outside knows of it. */
export interface Life {
  readonly app: TestApp
  readonly services: Services
  readonly dice: Dice
  readonly state: State
  readonly settings: Settings
  /** Those that the world issued, until it was replaced by another. */
  readonly tokens: Token[]
  /** Those of before, by which the world can be tempted. */
  readonly strangeTokens: Token[]
  readonly snapshots: Set<string>
  /** Makes a call, unless such a life has none like it. */
  take(step: Step): Promise<void>
}

export interface LifeOptions {
  /** What all chance in it derives from. */
  chance: string
  fixture: object
  seed: string
  settings: Record<string, SettingValue>
  mayTake?: ((step: Step) => boolean) | undefined
  onStep(scene: Scene): void | Promise<void>
}

/** Steps that put another world in place of the one before. */
export const REPLACING: ReadonlySet<string> = new Set(['reset', 'restoreSnapshot'])

export function openLife({ chance, mayTake, onStep, ...start }: LifeOptions): Life {
  const opened: Services[] = []
  const wallClock = () => Date.parse(NOON)
  const app = openApp({ ...start, wallClock, onOpen: (services) => void opened.push(services) })
  const [services] = opened as [Services]
  let recording = record(services.world)
  const life = {
    app,
    services,
    dice: rollDice(chance),
    state: recording.state,
    settings: settingsOf(recording.state),
    tokens: [] as Token[],
    strangeTokens: [] as Token[],
    snapshots: new Set<string>(),
    take,
  }
  return life

  async function take(step: Step) {
    if (mayTake?.(step) === false) return
    const { state: before, settings } = life
    const response = await send(app, step)
    recording = record(services.world, recording)
    life.state = recording.state
    life.settings = settingsOf(life.state)
    const scene = { step, response, before, after: life.state, settings, world: services.world }
    if (response.status < 400) learn(scene)
    await onStep(scene)
  }

  function learn({ step, response, after, settings }: Scene) {
    if (step.action === 'takeSnapshot') life.snapshots.add(step.ref ?? '')
    if (REPLACING.has(step.action)) life.strangeTokens.push(...life.tokens.splice(0))
    if (step.action !== 'verifyLoginCode') return
    life.tokens.push({
      text: String(response.data.accessToken),
      userId: after.users.find(({ email }) => email === step.ref)?.id ?? '',
      integrator: after.integrators.find(({ apiKey }) => apiKey === step.key)?.name ?? '',
      expiresAt: after.now + settings['login.token.ttl'],
    })
  }
}

async function send(app: TestApp, { route, key, token, body }: Step): Promise<StepResponse> {
  const content = typeof body === 'string' ? { text: body } : { body }
  const call = { key: key ?? null, ...content, ...(token && { token: token.text }) }
  const { status, headers, text } = await sendTo(app, route, call)
  const json = text === '' ? {} : JSON.parse(text)
  return { status, text, data: json.data ?? json, code: headers.get('x-sandbox-error') }
}

interface Recording {
  state: State
  texts: Record<string, string>
}

/** A state as it stands; parts that are the same as before are shared, and so is the whole. */
function record(world: World, before?: Recording): Recording {
  const texts = Object.fromEntries(
    Object.entries(exportState(world)).map(([part, value]) => [part, JSON.stringify(value)]),
  )
  const changed = Object.keys(texts).filter((part) => texts[part] !== before?.texts[part])
  // The position of the journal counts every call, those that only read included.
  if (before && changed.every((part) => part === 'position')) return before
  const parts = changed.map((part) => [part, JSON.parse(texts[part] ?? '')])
  return { state: { ...before?.state, ...Object.fromEntries(parts) } as State, texts }
}

const known = new WeakMap<State['settings'], Settings>()

/** Worked out once for each change of the settings. */
function settingsOf({ settings: changed }: State): Settings {
  const settings = known.get(changed) ?? toSettings(changed)
  known.set(changed, settings)
  return settings
}

export type Dice = ReturnType<typeof rollDice>

/** Chance that a seed decides, so that a life can be lived again. */
function rollDice(seed: string) {
  const draw = randomFor(`simulation ${seed}`)
  const below = (limit: number) => draw() % limit
  return {
    /** A whole number from 0 to `limit` - 1. */
    below,
    chance: (share: number) => draw() / 2 ** 32 < share,
    pick: <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0],
    /** One of a list that may be empty. */
    find: <T>(list: readonly T[]): T | undefined =>
      list.length > 0 ? list[below(list.length)] : undefined,
  }
}
