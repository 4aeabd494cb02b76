import { isDeepStrictEqual } from 'node:util'
import { type ControlClient, createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { realTime } from '../real-time.ts'
import { type Audit, auditStory, auditWorld, type StoryAudit } from './audit.ts'
import { type Disturbance, isLoss, isSmallPrint, keepsSteps, type Missed } from './disturbance.ts'
import type { StoryReceiver, WorldAccess } from './receiver-commands.ts'
import type { Relay } from './relay.ts'
import type { Arrival, Forged, RelayedStory } from './relayed-story.ts'
import { type Settled, Settling } from './settling.ts'
import { createStage, type StageOptions } from './stage.ts'
import { type Scenario, SETTING_UP, type Stage } from './types.ts'

/** A step of a story, with the state of the receiver when it ended. */
export interface StepState {
  title: string
  state: unknown
}

/** The undisturbed run, against which others are compared. */
export interface Reference {
  /** State after the reset, where it is known. */
  initial?: unknown
  end: unknown
  steps: readonly StepState[]
  busyMs: number
  /** Handling time of each delivery. */
  handledMs?: readonly number[] | undefined
  /** Audit of the world, where the integrator's calls are disturbed. */
  audit?: StoryAudit | undefined
}

export interface StoryRunOptions {
  stage: StageOptions
  play: Scenario['play']
  relay: Relay
  receiver: StoryReceiver
  place: WorldAccess
  disturbances: readonly Disturbance[]
  ignore?: readonly string[] | undefined
  /** Time that a wrong state must last before it counts. */
  settleMs?: number | undefined
  /** Pause before a forged copy is sent. */
  pauseMs?: number | undefined
  /** Share of the usual time after which a receiver is killed. */
  killShare?: number | undefined
  /** Undefined in the first run. */
  reference?: Reference | undefined
}

export interface StoryEnd extends Settled {
  initial: unknown
  /** Time for which the receiver works after its response, where that was measured. */
  busyMs: number
  steps: StepState[]
  /** First step after which the state was wrong. */
  wrongStep: (StepState & { expected: unknown }) | undefined
  arrivals: Arrival[]
  /** Response time of the receiver, if it responded before it could be killed. */
  missedKillMs: number | undefined
  /** Why a disturbance did not happen. */
  missed: Missed | undefined
  forged: Forged | undefined
  refusals: number[]
  clockSteps: number
  reconciled: unknown
  /** True if only a reconciliation made the state right, although nothing was lost. */
  isHealed: boolean
  calls: RelayedStory['calls']
  audit: StoryAudit | undefined
  /** Why the receiver could not reconcile after a call that was disturbed. */
  reconcileError: string | undefined
}

/** Time in which the integrator's own code stores the response of a call that causes a webhook. */
const OWN_WORK_MS = 100
const RESETS_MAX = 3
/** Time limit for work that is left over from the run before. */
const QUIET_MAX_MS = 10_000

/** Plays a story once, in the world of its stage, whose webhooks go to the relay. */
export class StoryRun {
  readonly #options: StoryRunOptions
  readonly #settling: Settling
  readonly #relayed: RelayedStory
  readonly #control: ControlClient
  readonly #isClient: boolean
  readonly #steps: StepState[] = []
  #wrongStep: StoryEnd['wrongStep']
  #auditBefore: Audit | undefined
  /** Resolves when the next call of the story may go. */
  #gate: Promise<void> = Promise.resolve()
  /** Titles of the steps that have begun. */
  readonly #titles = [SETTING_UP]
  /** A step that has ended, after which the state has not been read. */
  #unread: string | undefined

  constructor(options: StoryRunOptions) {
    this.#options = options
    const { receiver, place, disturbances, reference, ignore, settleMs } = options
    const readState = async () => toComparable(await receiver.state(place), ignore)
    this.#settling = new Settling(readState, { settleMs, busyMs: reference?.busyMs })
    this.#relayed = options.relay.begin({
      receiver,
      place,
      disturbances,
      readState,
      readQuietState: () => this.#settling.read(reference ? options.pauseMs : OWN_WORK_MS),
      isWatched: reference === undefined,
      onResponse: () => (reference ? this.#settling.expectWork() : this.#settling.measure()),
      handledMs: reference?.handledMs,
      killShare: options.killShare,
    })
    this.#control = createControl({ url: '', send: options.stage.send })
    this.#isClient = disturbances.some(({ kind }) => kind === 'call')
  }

  async play(): Promise<StoryEnd> {
    const { disturbances } = this.#options
    this.#relayed.isPlaying = false
    const initial = await this.#begin()
    await this.#addFaults()
    if (this.#isAudited) this.#auditBefore = await auditWorld(this.#control)
    this.#relayed.isPlaying = true
    await this.#playStory()
    await this.#control.call('POST', '/webhooks/drain')
    await this.#relayed.finish()
    // The receiver may answer what was held until now with calls that cause more.
    await this.#control.call('POST', '/webhooks/drain')
    const isLossy = disturbances.some(isLoss)
    const reconcileError = isLossy ? await this.#reconcile() : undefined
    const settled = await this.#settle()
    const healing = await this.#heal(settled, isLossy)
    const { arrivals, missedKillMs, forged, refusals, clockSteps, calls } = this.#relayed
    return {
      ...settled,
      ...healing,
      initial,
      busyMs: this.#settling.busyMs,
      missedKillMs,
      missed: this.#relayed.missed,
      steps: this.#steps,
      wrongStep: this.#wrongStep,
      arrivals,
      forged,
      refusals,
      clockSteps,
      calls,
      audit: await this.#audit(),
      reconcileError,
    }
  }

  /** True for runs of disturbed calls, and for the first run, with which they are compared. */
  get #isAudited(): boolean {
    return this.#isClient || this.#options.reference === undefined
  }

  async #audit(): Promise<StoryAudit | undefined> {
    const { made, steps } = this.#relayed.calls
    if (this.#auditBefore === undefined || made.length === 0) return undefined
    const titles = this.#titles.slice(0, -1)
    return await auditStory(this.#control, { before: this.#auditBefore, titles, steps })
  }

  /** Lets a quiet receiver reconcile, which may fail if a call was disturbed. */
  async #reconcile(): Promise<string | undefined> {
    const { receiver, place } = this.#options
    await this.#settling.read()
    try {
      await receiver.reconcile?.(place)
      return undefined
    } catch (error) {
      if (!this.#isClient) throw error
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Resets the receiver, and again if leftover work from the last run changes it. */
  async #begin(): Promise<unknown> {
    const { receiver, place, reference } = this.#options
    await receiver.reset(place)
    if (reference?.initial === undefined) return await this.#settling.read()
    const known = { expected: reference.initial }
    const until = realTime.elapsed() + QUIET_MAX_MS
    for (let resets = 1; ; ) {
      const { state, restless } = await this.#settling.settle(known, 0)
      if (isDeepStrictEqual(state, known.expected)) return state
      if (restless === undefined) resets++
      if (resets > RESETS_MAX || realTime.elapsed() > until) return state
      await receiver.reset(place)
    }
  }

  async #addFaults(): Promise<void> {
    for (const each of this.#options.disturbances) {
      if (each.kind !== 'early') continue
      const then = { beforeResponse: true }
      await this.#control.call('POST', '/faults', { body: { on: 'webhook', then, skip: each.at } })
    }
  }

  /** Plays the story; a client may give up where its calls fail. */
  async #playStory(): Promise<void> {
    try {
      await this.#options.play(this.#createStage())
      await this.#endStep()
    } catch (error) {
      if (!this.#isClient || error instanceof SandboxError) throw error
    }
  }

  async #settle(): Promise<Settled> {
    const { reference } = this.#options
    return await this.#settling.settle(reference && { expected: reference.end })
  }

  async #heal({ state, restless }: Settled, isLossy: boolean) {
    const { receiver, place, reference, disturbances } = this.#options
    const isRight = reference === undefined || isDeepStrictEqual(state, reference.end)
    // Only the undisturbed run shows that reconciling changes nothing.
    const needsNone = isLossy || restless !== undefined || (isRight && disturbances.length > 0)
    if (receiver.reconcile === undefined || needsNone) {
      return { isHealed: false, reconciled: state }
    }
    await receiver.reconcile(place)
    const reconciled = await this.#settling.read()
    return { isHealed: !isRight && isDeepStrictEqual(reconciled, reference?.end), reconciled }
  }

  /** Creates a stage that has the relay as its receiver and compares the steps. */
  #createStage(): Stage {
    const { stage: options, relay } = this.#options
    const stage = createStage({
      ...options,
      webhooks: { ...options.webhooks, url: relay.webhookUrl },
      send: async (request) => {
        const { calls } = this.#relayed
        const { step } = calls
        await this.#endStep()
        const response = await options.send(request)
        calls.note(response.headers, step)
        return response
      },
      step: (title) => {
        options.step(title)
        this.#unread = this.#titles.at(-1)
        this.#titles.push(title)
        this.#relayed.calls.step++
      },
    })
    const { control } = stage
    const post: typeof control.post = async (path, body) => {
      // With a frozen clock, all events would have the same time, and no receiver could order them.
      if (path.startsWith('/simulate/')) await control.post('/clock/advance', { by: 1 })
      const response = await control.post(path, body)
      if (path === '/clock/advance') await this.#relayed.moveClock()
      return response
    }
    return { ...stage, control: { ...control, post } }
  }

  /**
   * Compares the receiver's state after a step that has ended. This happens at the story's next call
   * of the sandbox, which can wait; calls of the integrator's own code cannot.
   */
  #endStep(): Promise<void> {
    const title = this.#unread
    this.#unread = undefined
    if (title !== undefined) this.#gate = this.#gate.then(() => this.#checkStep(title))
    return this.#gate
  }

  async #checkStep(title: string): Promise<void> {
    const { reference, disturbances } = this.#options
    // A receiver that works after its response may be anywhere between two steps.
    const isUnclear = reference === undefined || this.#settling.busyMs > 0
    const isCompared = !isUnclear && disturbances.every(keepsSteps)
    if (!isCompared && !this.#isAudited) return
    await this.#control.call('POST', '/webhooks/drain')
    this.#relayed.calls.noteQuiet()
    if (!isCompared || this.#relayed.arrivals.length === 0) return
    const known = reference.steps.slice(this.#steps.length).find((each) => each.title === title)
    if (disturbances.length === 0 || known === undefined) {
      this.#steps.push({ title, state: await this.#settling.read() })
      return
    }
    // The end of the story is judged with more patience.
    const { state, restless } = await this.#settling.settle({ expected: known.state }, 0)
    this.#steps.push({ title, state })
    if (restless !== undefined || isDeepStrictEqual(state, known.state)) return
    this.#wrongStep ??= { title, state, expected: known.state }
  }
}

/** A response that was not 2xx; `at` is the delivery, missing for unknown events. */
export interface Refusal {
  status: number
  at?: number
}

/** Finds responses other than 2xx to genuine events while the receiver was not killed. */
export function findRefusals(
  { refusals, arrivals }: Pick<StoryEnd, 'refusals' | 'arrivals'>,
  disturbances: readonly Disturbance[],
): Refusal[] {
  const others = refusals.map((status) => ({ status }))
  if (!disturbances.every(isSmallPrint)) return others
  const refused = arrivals.filter(({ response }) => response < 200 || response >= 300)
  return [...others, ...refused.map(({ response, at }) => ({ status: response, at }))]
}

/**
 * Sorts the fields of a state and removes the ignored ones: a plain name anywhere in the state, or a
 * dotted path from the root, in which `*` matches any name or list index.
 */
function toComparable(state: unknown, ignore: readonly string[] = []): unknown {
  const names = ignore.filter((path) => !path.includes('.'))
  const paths = ignore.filter((path) => path.includes('.')).map((path) => path.split('.'))
  return strip(state, [])

  function strip(value: unknown, at: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry, i) => strip(entry, [...at, String(i)]))
    if (value === null || typeof value !== 'object') return value
    const kept = Object.entries(value)
      .filter(([name]) => !isIgnored(name, [...at, name]))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(kept.map(([name, part]) => [name, strip(part, [...at, name])]))
  }

  function isIgnored(name: string, at: readonly string[]): boolean {
    const fits = (path: string[]) =>
      path.length === at.length && path.every((part, i) => part === '*' || part === at[i])
    return names.includes(name) || paths.some(fits)
  }
}
