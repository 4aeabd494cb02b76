import { SandboxError } from '../client/error.ts'
import type { SandboxEvent } from '../client/events.ts'
import { realTime } from '../real-time.ts'
import { CALL_MISHAPS, type CallMishap, type Disturbance } from '../scenario/disturbance.ts'
import { type Reference, type StoryEnd, StoryRun } from '../scenario/disturbed.ts'
import { Mismatch } from '../scenario/expect.ts'
import type { StoryReceiver, WorldAccess } from '../scenario/receiver-commands.ts'
import { Relay } from '../scenario/relay.ts'
import { SETTLE_MS } from '../scenario/settling.ts'
import { setUp } from '../scenario/stage.ts'
import type { Scenario } from '../scenario/types.ts'
import { listDisturbances, listPairs, type StoryDelivery } from './disturbances.ts'
import {
  describePlan,
  type Failure,
  failureOf,
  type ReceiverFinding,
  toFindings,
} from './findings.ts'
import { countHeld, type Held } from './held.ts'
import { assertQuiet, assertReset, assertSame, assertShown, assertTaken } from './preconditions.ts'
import { type Site, WorldFork } from './world-fork.ts'

/** A scenario in a world as it asks for, or a function that goes on where a world stands. */
export type StoryToPlay = { name: string; file: string; scenario: Scenario } | Scenario['play']

/** The world that is forked, the receiver, and how much is tried. */
export interface ExplorerOptions extends Site {
  /** Start of a story that is a function; as the world stands by default. */
  snapshot?: string | undefined
  receiver: StoryReceiver
  /** Fields of the state that differ from run to run. */
  ignore?: readonly string[] | undefined
  /** 1 tries each disturbance alone, 2 also every pair. */
  depth?: 1 | 2 | undefined
  /** Most runs. */
  max?: number | undefined
  /** Time for which a wrong state must last. */
  settleMs?: number | undefined
  /** Disturbs the calls that the integrator's own code makes, too. */
  calls?: boolean | undefined
  /** Port where the receiver finds the API; any free one by default. */
  port?: number | undefined
  onProgress?: ((progress: { done: number; of: number; failures: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What a story and its receiver did, undisturbed and disturbed. */
export interface Exploration {
  deliveries: string[]
  /** The receiver's state after the undisturbed story, and all else that runs are compared with. */
  expected: unknown
  reference: Reference
  held: Held[]
  findings: ReceiverFinding[]
  /** Disturbances after which the receiver was still changing when time was up. */
  unclear: string[]
  /** What was not looked at, and why. */
  notTried: string[]
  runs: number
  /** Runs beyond the limit, or after it was stopped. */
  leftOut: number
  ms: number
}

const RUNS_MAX = 2_000
const RUN_MAX_MS = 120_000

/** Plays a story with every disturbance of its webhooks, and compares where its receiver ends. */
export async function explore(story: StoryToPlay, options: ExplorerOptions): Promise<Exploration> {
  const relay = await Relay.open({ port: options.port ?? 0, send: options.fetch })
  try {
    const origin = await WorldFork.of(options, options.snapshot)
    try {
      return await new Explorer(story, options, relay, origin).explore()
    } finally {
      await options.receiver.process?.kill()
      await origin.delete()
    }
  } finally {
    await relay.close()
  }
}

type EndWithEvents = StoryEnd & { events: SandboxEvent[]; operations: string[] }

class Explorer {
  readonly #startedAt = performance.now()
  readonly #story: StoryToPlay
  readonly #options: ExplorerOptions
  readonly #relay: Relay
  readonly #origin: WorldFork
  readonly #failures: Failure[] = []
  readonly #notTried: string[] = []
  /** Runs after which the receiver did not come to rest. */
  readonly #unclear: (readonly Disturbance[])[] = []
  #credentials: Omit<WorldAccess, 'url'> = { apiKey: '', signingSecret: '' }
  #initial: unknown
  #reference: Reference | undefined
  #done = 0

  constructor(story: StoryToPlay, options: ExplorerOptions, relay: Relay, origin: WorldFork) {
    this.#story = story
    this.#options = options
    this.#relay = relay
    this.#origin = origin
  }

  async explore(): Promise<Exploration> {
    this.#credentials = await this.#openScene()
    const { first, reference } = await this.#playUndisturbed()
    const deliveries = toDeliveries(first)
    const refused = failureOf([], first, reference)
    // Where an event is refused undisturbed, nothing can be said of the disturbed story.
    if (refused) return this.#sum(first, deliveries, { findings: [refused], plans: [], of: 1 })
    const singles = this.#listSingles(first, deliveries)
    const plans = singles.map((one) => [one])
    await this.#tryAll(plans)
    const failed = new Set(this.#failures.flatMap(({ disturbances }) => disturbances))
    const isDeep = this.#options.depth === 2
    const pairs = isDeep ? listPairs(singles.filter((one) => !failed.has(one))) : []
    await this.#tryAll(pairs)
    const all = [...plans, ...pairs]
    return this.#sum(first, deliveries, { findings: this.#failures, plans: all, of: all.length })
  }

  /** Plays twice without a disturbance: what both agree on is what the others are compared with. */
  async #playUndisturbed(): Promise<{ first: EndWithEvents; reference: Reference }> {
    const { receiver, settleMs = SETTLE_MS } = this.#options
    const first = await this.#run([])
    assertTaken(first)
    assertQuiet(first, settleMs)
    assertShown(first)
    this.#initial = first.initial
    const { state: end, busyMs } = first
    this.#reference = { end, busyMs, steps: [], audit: first.audit }
    const second = await this.#run([])
    assertSame('Two undisturbed runs differ', second.state, end)
    if (receiver.reconcile !== undefined) {
      assertSame('Reconciling changes what nothing disturbed', second.reconciled, end)
    }
    this.#reference.steps = second.steps
    return { first, reference: this.#reference }
  }

  #listSingles(first: EndWithEvents, deliveries: readonly StoryDelivery[]): Disturbance[] {
    const { receiver, calls } = this.#options
    const canReconcile = receiver.reconcile !== undefined
    const canKill = receiver.process !== undefined
    const canRotate = receiver.secret !== undefined
    if (!canReconcile) this.#notTried.push('lost webhooks (no --reconcile)')
    if (!canKill) this.#notTried.push('a receiver that is killed (no --run)')
    if (!canRotate) this.#notTried.push('a rotated signing secret (no --secret)')
    if (!calls) this.#notTried.push('your own calls (no --calls)')
    const ofWebhooks = listDisturbances({ deliveries, canReconcile, canKill, canRotate })
    return calls ? [...ofWebhooks, ...listCallMishaps(first)] : ofWebhooks
  }

  async #tryAll(plans: readonly Disturbance[][]): Promise<void> {
    const { max = RUNS_MAX, onProgress, signal } = this.#options
    for (const plan of plans) {
      if (this.#done >= max || signal?.aborted) return
      onProgress?.({ done: this.#done, of: plans.length, failures: this.#failures.length })
      const failure = await this.#tryOne(plan)
      if (failure) this.#failures.push(failure)
      this.#done++
    }
  }

  async #tryOne(plan: readonly Disturbance[]): Promise<Failure | undefined> {
    const { settleMs = SETTLE_MS } = this.#options
    const reference = this.#reference
    if (reference === undefined) return undefined
    try {
      const end = await this.#run(plan)
      // What looks like the work of a copy may be that of a delivery before it.
      const judged = end.forged ? await this.#run(plan, settleMs) : end
      // Nothing can be said of a receiver that does not come to rest.
      if (judged.restless === undefined) return failureOf(plan, judged, reference)
      this.#unclear.push(plan)
      return undefined
    } catch (error) {
      // What the story itself expects may fail as well.
      if (!(error instanceof Mismatch)) throw error
      return {
        disturbances: plan,
        expected: ['The story passes.'],
        actual: [error.message, ...error.differences],
        isHealed: false,
        isForged: false,
        responses: [],
      }
    }
  }

  async #run(disturbances: readonly Disturbance[], pauseMs = 0): Promise<EndWithEvents> {
    const { receiver, ignore, settleMs } = this.#options
    const world = await WorldFork.of(this.#origin)
    this.#relay.lead(world.url)
    const { apiKey, signingSecret } = this.#credentials
    const webhooks = { url: this.#relay.webhookUrl, secret: signingSecret }
    const run = new StoryRun({
      stage: { send: world.send, apiKey, webhooks, step: () => undefined },
      play: this.#play,
      relay: this.#relay,
      receiver,
      place: { url: this.#relay.url, apiKey, signingSecret },
      disturbances,
      ignore,
      settleMs,
      pauseMs,
      reference: this.#reference,
    })
    try {
      const end = await Promise.race([run.play(), giveUp()])
      if (this.#reference !== undefined) assertReset(this.#initial, end)
      if (disturbances.length > 0) return { ...end, events: [], operations: [] }
      return {
        ...end,
        events: await world.listEvents(),
        operations: await findOperations(end, world),
      }
    } finally {
      await world.delete()
    }
  }

  get #play(): Scenario['play'] {
    const story = this.#story
    return typeof story === 'function' ? story : story.scenario.play.bind(story.scenario)
  }

  /** Prepares the world that all runs are forked from. */
  async #openScene(): Promise<Omit<WorldAccess, 'url'>> {
    const { send, control, levers, url } = this.#origin
    const story = this.#story
    if (typeof story !== 'function') {
      const request = { file: story.file, url, webhookUrl: this.#relay.webhookUrl }
      const set = await setUp(story.scenario, { send, unrecorded: control, request })
      return { apiKey: set.apiKey, signingSecret: set.webhooks.secret }
    }
    const { integrators } = await levers.info()
    const { signingSecret } = await levers.webhooks.set(this.#relay.webhookUrl)
    return { apiKey: integrators[0]?.apiKey ?? '', signingSecret: signingSecret ?? '' }
  }

  #sum(
    { operations }: EndWithEvents,
    deliveries: readonly StoryDelivery[],
    { findings, plans, of }: { findings: readonly Failure[]; plans: Disturbance[][]; of: number },
  ): Exploration {
    const reference = this.#reference ?? { end: undefined, steps: [], busyMs: 0 }
    return {
      deliveries: deliveries.map(({ label }) => label),
      expected: reference.end,
      reference,
      held: countHeld(
        plans.slice(0, this.#done).filter((plan) => !this.#unclear.includes(plan)),
        findings,
      ),
      findings: toFindings(findings, { deliveries, operations }),
      unclear: this.#unclear.map((plan) => describePlan(plan, { deliveries, operations })),
      notTried: this.#notTried,
      runs: this.#done + 2,
      leftOut: of - this.#done,
      ms: performance.now() - this.#startedAt,
    }
  }
}

/** The mishaps that each call of the integrator's own code can meet. */
function listCallMishaps({ calls }: StoryEnd): Disturbance[] {
  return calls.made.flatMap((call, at) => {
    const fits: Partial<Record<CallMishap, boolean>> = {
      'token expired': call.hasToken,
      'quote expired': call.method === 'POST' && /\/v2\/transactions$/.test(call.path),
      'unknown status': call.hasStatus,
      'additional field': call.hasData,
    }
    const mishaps = CALL_MISHAPS.filter((how) => fits[how] ?? true)
    return mishaps.map((how) => ({ kind: 'call' as const, at, how }))
  })
}

/** The operation of each call of the integrator's own code. */
async function findOperations({ calls }: StoryEnd, { levers }: WorldFork): Promise<string[]> {
  const operations = calls.made.map(async ({ journalId, method, path }) => {
    const row = journalId === undefined ? undefined : await levers.requests.get(journalId)
    return row?.operation ?? `${method} ${path}`
  })
  return await Promise.all(operations)
}

async function giveUp(): Promise<never> {
  await realTime.pause(RUN_MAX_MS, undefined, { ref: false })
  throw new SandboxError(`A run took longer than ${RUN_MAX_MS / 1_000} s.`, { code: 'timeout' })
}

const SHORT = / request money transfer$/
const ORDINALS = ['1st', '2nd', '3rd']

function toDeliveries({ arrivals, clockSteps, events }: EndWithEvents): StoryDelivery[] {
  const called = events.filter(({ cause }) => cause?.kind === 'call').map(({ id }) => id)
  const names = arrivals.map(({ status }) => status.replace(SHORT, ''))
  return arrivals.map((arrival, at): StoryDelivery => {
    const name = names[at] ?? ''
    const nth = names.slice(0, at).filter((each) => each === name).length
    const isOnly = names.filter((each) => each === name).length === 1
    return {
      label: isOnly ? name : `${ORDINALS[nth] ?? `${nth + 1}th`} ${name}`,
      hasCall: arrival.eventId !== null && called.includes(arrival.eventId),
      isBeforeStep: arrival.clockSteps < clockSteps,
      handledMs: arrival.handledMs,
    }
  })
}
