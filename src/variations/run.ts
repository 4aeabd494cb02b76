import { isDeepStrictEqual } from 'node:util'
import { SandboxError } from '../client/error.ts'
import { createEvents } from '../client/events.ts'
import { Mismatch } from '../scenario/expect.ts'
import { createStage } from '../scenario/stage.ts'
import type { Stage } from '../scenario/types.ts'
import { auditWorld, nameCalls, OwnCalls } from './calls.ts'
import { isRefused, type ReceiverRun } from './judge.ts'
import { NotJudged } from './loop.ts'
import type { WorldAccess } from './options.ts'
import { ReceiverFailed, type StoryReceiver } from './receiver.ts'
import type { ReceiverVariation } from './receiver-variation.ts'
import type { Relay } from './relay.ts'
import { type ReadState, Restless, settle, toComparable } from './states.ts'
import { Story } from './story.ts'
import type { WorldFork } from './world-fork.ts'

/** Time for which a wrong state, and in the baseline any state, must not change. */
const QUIET_MS = 500
/** Least time for which a right state must last. */
const HOLD_MS = 60
/** Time in which the work on a whole story must begin to show. */
const LATE_MS = 5_000
const RESETS_MAX = 3
/** World time between two events of a story, which some receivers keep in seconds. */
export const STEP_MS = 1_000

/** One step of a story, which can be played once more. */
export type StoryStep = (stage: Stage) => Promise<void>

interface RunRequest {
  steps: readonly StoryStep[]
  receiver: StoryReceiver
  ignore: readonly string[] | undefined
  /** Counts what the integrator's own code makes of the story. */
  isAudited: boolean
  relay: Relay
  access: WorldAccess
  world: WorldFork
  variation: ReceiverVariation | undefined
  baseline: ReceiverRun | undefined
}

/** The step of a story that failed. */
interface StepFailure {
  at: number
  error: unknown
}

/** One run of a story in a world of its own. */
export class Run {
  readonly #request: RunRequest
  readonly #read: ReadState
  readonly #holdMs: number
  readonly #story: Story
  readonly #calls: OwnCalls
  readonly #stage: Stage

  constructor(request: RunRequest) {
    this.#request = request
    const { receiver, access, world, variation, baseline, relay } = request
    this.#read = async () => toComparable(await guard(() => receiver.state(access)), request.ignore)
    this.#holdMs = Math.max(HOLD_MS, (baseline?.busyMs ?? 0) * 2.5)
    this.#story = new Story({
      receiver,
      place: access,
      read: this.#read,
      actions: variation?.actions,
      usual: baseline?.story.responses,
      quietMs: baseline === undefined ? QUIET_MS : this.#holdMs,
    })
    this.#calls = new OwnCalls(variation?.call, world.control)
    this.#stage = createStoryStage(request)
    relay.served = { base: world.url, story: this.#story, calls: this.#calls, isPlaying: false }
  }

  async play(): Promise<ReceiverRun> {
    const { world, baseline, relay } = this.#request
    const initial = await this.#reset()
    await this.#prepareWorld()
    if (relay.served) relay.served.isPlaying = true
    const end = await this.#end(await this.#playSteps())
    const events = baseline === undefined ? await createEvents(world.control).list() : []
    const caused = events.filter(({ cause }) => cause?.kind === 'call').map(({ id }) => id)
    const { arrivals } = this.#story
    const called = arrivals.flatMap(({ eventId }, at) =>
      eventId !== null && caused.includes(eventId) ? [at] : [],
    )
    return {
      state: baseline?.initial,
      busyMs: 0,
      isDone: true,
      missed: this.#calls.missed,
      ...end,
      initial,
      story: this.#story,
      names: toNames(arrivals.map(({ status }) => status)),
      called: new Set(called),
      named: await nameCalls(this.#calls, world.control),
    }
  }

  async #prepareWorld(): Promise<void> {
    const { world, variation } = this.#request
    if (variation?.early !== undefined) {
      const then = { beforeResponse: true } as const
      await world.controlApi.faults.add({ on: 'webhook', then, skip: variation.early })
    }
    if (variation?.isCompact) {
      await world.control.call('PATCH', '/settings', { body: { 'webhooks.body': 'compact' } })
    }
  }

  /** Resets the receiver, and again where work that is left over from the last run changes it. */
  async #reset(): Promise<unknown> {
    const { receiver, access, baseline } = this.#request
    for (let resets = 1; ; resets++) {
      await guard(() => receiver.reset(access))
      if (baseline === undefined) return (await settle(this.#read, { quietMs: HOLD_MS })).state
      const wanted = { state: baseline.initial, holdMs: 0 }
      const { state } = await settle(this.#read, { quietMs: this.#holdMs, wanted })
      if (isDeepStrictEqual(state, baseline.initial)) return state
      if (resets === RESETS_MAX) {
        throw new NotJudged(
          'The receiver was not reset: it does not start in the same state as the first run. Make --reset clear its ' +
            'store too; with --run alone, a receiver must keep nothing on disk.',
        )
      }
    }
  }

  /** Plays the steps until one fails. */
  async #playSteps(): Promise<StepFailure | undefined> {
    for (const [at, step] of this.#request.steps.entries()) {
      try {
        await step(this.#stage)
      } catch (error) {
        return { at, error }
      }
    }
    return undefined
  }

  /** Ends the run; a receiver that fails, or never rests, ends it too. */
  async #end(failure: StepFailure | undefined): Promise<Partial<ReceiverRun>> {
    try {
      await this.#drain()
      const isDone = await this.#story.finish()
      await this.#drain()
      return { isDone, ...(await this.#judgeable(failure)) }
    } catch (error) {
      if (error instanceof Restless) return { restless: error.message }
      if (!(error instanceof ReceiverFailed)) throw error
      // Killed, it is started again by the next reset.
      await this.#request.receiver.process?.kill()
      return { problem: `the receiver failed: ${error.message}` }
    }
  }

  /** Gathers what the run is judged by, once the story is over. */
  async #judgeable(failure: StepFailure | undefined): Promise<Partial<ReceiverRun>> {
    const { world, variation, isAudited } = this.#request
    const audit = isAudited ? await auditWorld(world.control) : undefined
    if (variation?.call !== undefined) return { audit, replay: await this.#replay(failure?.at) }
    if (failure !== undefined)
      return { problem: `the scenario failed: ${messageOf(failure.error)}` }
    const others = variation?.hasOthers ? await this.#orderAsOthers() : []
    if (typeof others === 'string') return { missed: others }
    const reconciles = variation?.reconciles ? 2 : variation?.isLoss ? 1 : 0
    for (let left = reconciles; left > 0; left--) await this.#reconcile()
    return { audit, others, ...(await this.#settle()) }
  }

  async #reconcile(): Promise<void> {
    const { receiver, access } = this.#request
    await settle(this.#read, { quietMs: this.#holdMs })
    await guard(async () => receiver.reconcile?.(access))
  }

  /** Reads the state at the end; in the baseline, measures how long the receiver works on it. */
  async #settle() {
    const { baseline } = this.#request
    if (baseline !== undefined) {
      const holdMs = Math.max(HOLD_MS, baseline.busyMs * (this.#story.responses.length + 1))
      const wanted = { state: baseline.state, holdMs }
      const { state } = await settle(this.#read, { quietMs: Math.max(QUIET_MS, holdMs), wanted })
      return { state, busyMs: 0 }
    }
    const { arrivals, responses } = this.#story
    const isChanged = arrivals.some(({ isShown }) => isShown)
    const isLate = !isChanged && responses.some((each) => !isRefused(each))
    const quietMs = isLate ? LATE_MS : QUIET_MS
    const { state, changedMs } = await settle(this.#read, { quietMs })
    return { state, busyMs: Math.max(this.#story.busyMs, changedMs) }
  }

  /** Plays the step in which the code gave up once more, with nothing changed; returns why it fails again. */
  async #replay(at: number | undefined): Promise<string | undefined> {
    const step = at === undefined ? undefined : this.#request.steps[at]
    this.#calls.isOver = true
    try {
      await step?.(this.#stage)
      return undefined
    } catch (error) {
      // What a story expects of a fresh world says nothing about the code.
      return error instanceof Mismatch ? undefined : messageOf(error)
    }
  }

  /** Orders as another client of the integrator; returns what names it all, or why it cannot. */
  async #orderAsOthers(): Promise<string[] | string> {
    const { api, control, login } = this.#stage
    this.#story.isOfOthers = true
    try {
      const { data: user } = await api.post('/v2/users', { email: OTHER })
      await control.post(`/simulate/users/${user.id}/kyc`, { status: 'verified' })
      const other = await login(OTHER)
      const { data: order } = await other.buy({ cad: 120 })
      await control.post(`/simulate/transactions/${order.id}/funds-received`)
      await this.#drain()
      return [OTHER, user.id, order.id]
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      return [error.message, ...error.differences].join(' ')
    }
  }

  #drain = () => this.#request.world.control.call('POST', '/webhooks/drain')
}

const OTHER = 'somebody.else@example.org'

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

async function guard<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof SandboxError ? error : new ReceiverFailed(messageOf(error), error)
  }
}

function createStoryStage({ world, access, relay }: RunRequest): Stage {
  const stage = createStage({
    send: world.send,
    apiKey: access.apiKey,
    webhooks: { url: relay.webhookUrl, secret: access.signingSecret },
    step: () => undefined,
  })
  const { control } = stage
  const post: typeof control.post = async (path, body) => {
    // With a frozen clock, all events would have the same time, and no receiver could order them.
    if (path.startsWith('/simulate/')) await control.post('/clock/advance', { by: STEP_MS })
    return await control.post(path, body)
  }
  return { ...stage, control: { ...control, post } }
}

/** Names webhooks by their statuses, numbered where several have the same one. */
function toNames(statuses: readonly string[]): string[] {
  const short = statuses.map((status) => status.replace(/ request money transfer$/, ''))
  return short.map((name, at) => {
    const nth = short.slice(0, at + 1).filter((each) => each === name).length
    return nth > 1 ? `${name} (${nth})` : name
  })
}
