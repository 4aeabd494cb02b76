import { createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { createEvents, type SandboxEvent } from '../client/events.ts'
import { createHttpClient } from '../client/http.ts'
import { createLevers } from '../client/levers.ts'
import { realTime } from '../real-time.ts'
import { playDisturbed, SETTLE_MS, type StoryEnd } from '../scenario/disturbed.ts'
import { compareStates, Mismatch } from '../scenario/expect.ts'
import type { StoryReceiver } from '../scenario/receiver-commands.ts'
import type { Disturbance } from '../scenario/relay.ts'
import { openRelay } from '../scenario/relay.ts'
import { createStage, setUp } from '../scenario/stage.ts'
import type { Scenario } from '../scenario/types.ts'
import { listDisturbances, listPairs, type StoryDelivery } from './disturbances.ts'
import { type Failure, failureOf, type ReceiverFinding, toFindings } from './findings.ts'

/** A scenario in a world as it asks for, or a function that goes on where a world stands. */
export type StoryToPlay = { name: string; file: string; scenario: Scenario } | Scenario['play']

export interface ExplorerOptions {
  /** The world that is forked: its base URL, and how it is reached. */
  url: string
  fetch(request: Request): Response | Promise<Response>
  controlToken?: string | undefined
  /** Start of a story that is a function; as the world stands by default. */
  snapshot?: string | undefined
  receiver: StoryReceiver
  /** Fields of the state that differ from run to run. */
  ignore?: readonly string[] | undefined
  /** 1 tries each disturbance alone, 2 also every pair. */
  depth?: 1 | 2 | undefined
  /** Runs, at most. */
  max?: number | undefined
  /** How long the state may still change after a story. */
  settleMs?: number | undefined
  /** Port where the receiver finds the API; any free one by default. */
  port?: number | undefined
  onProgress?: ((progress: { done: number; of: number; failures: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

/** How many disturbances of a kind the receiver withstood. */
export interface Held {
  name: string
  held: number
  of: number
}

export interface Exploration {
  deliveries: string[]
  expected: unknown
  held: Held[]
  findings: ReceiverFinding[]
  runs: number
  /** Runs beyond the limit, or after it was stopped. */
  leftOut: number
  killAfterMs: number
  ms: number
}

const RUNS_MAX = 2_000
const RUN_MAX_MS = 120_000

/** Plays a story with every disturbance of its webhooks, and compares where its receiver ends. */
export async function explore(story: StoryToPlay, options: ExplorerOptions): Promise<Exploration> {
  const startedAt = performance.now()
  const { receiver, ignore, depth = 1, max = RUNS_MAX, onProgress, signal } = options
  const { settleMs = SETTLE_MS } = options
  const play = typeof story === 'function' ? story : story.scenario.play.bind(story.scenario)
  const relay = await openRelay({ port: options.port ?? 0, send: options.fetch })
  try {
    const origin = await forkOf(options, options.snapshot)
    try {
      return await exploreFrom(origin)
    } finally {
      await receiver.process?.kill()
      await origin.delete()
    }
  } finally {
    await relay.close()
  }

  async function exploreFrom(origin: Fork): Promise<Exploration> {
    const credentials = await openScene(origin)
    const { apiKey, signingSecret: secret } = credentials
    const place = { url: relay.url, ...credentials }
    let killAfterMs = 1
    const first = await run([], undefined)
    assertTaken(first)
    const expected = first.state
    // Twice the same is the least that a receiver can promise, also when it has nothing to find.
    const second = await run([], expected)
    assertSame('Two undisturbed runs differ', second.state, expected)
    if (receiver.reconcile !== undefined) {
      assertSame('Reconciling changes what nothing disturbed', second.reconciled, expected)
    }
    killAfterMs = toKillAfter(first)
    const deliveries = toDeliveries(first)
    const singles = listDisturbances({
      deliveries,
      canReconcile: receiver.reconcile !== undefined,
      canKill: receiver.process !== undefined,
    })
    const plans = singles.map((one) => [one])
    const failures: Failure[] = []
    let done = 0
    await tryAll(plans)
    const failed = new Set(failures.flatMap(({ disturbances }) => disturbances))
    const pairs = depth === 2 ? listPairs(singles.filter((one) => !failed.has(one))) : []
    await tryAll(pairs)
    const all = [...plans, ...pairs]
    return {
      deliveries: deliveries.map(({ label }) => label),
      expected,
      held: countHeld(all.slice(0, done), failures),
      findings: toFindings(failures, deliveries),
      runs: done + 2,
      leftOut: all.length - done,
      killAfterMs,
      ms: performance.now() - startedAt,
    }

    async function tryAll(some: readonly Disturbance[][]) {
      for (const disturbances of some) {
        if (done >= max || signal?.aborted) return
        onProgress?.({ done, of: some.length, failures: failures.length })
        const failure = await tryOne(disturbances)
        if (failure) failures.push(failure)
        done++
      }
    }

    async function tryOne(disturbances: Disturbance[]): Promise<Failure | undefined> {
      try {
        const end = await run(disturbances, expected)
        // What looks like the work of a copy may be that of a delivery before it.
        const judged = end.forged ? await run(disturbances, expected, settleMs) : end
        return failureOf(disturbances, judged, expected)
      } catch (error) {
        // What the story itself expects may fail as well.
        if (!(error instanceof Mismatch)) throw error
        const actual = [error.message, ...error.differences]
        const rest = { isHealed: false, isForged: false, responses: [] }
        return { disturbances, expected: ['The story passes.'], actual, ...rest }
      }
    }

    async function run(disturbances: readonly Disturbance[], shouldBe: unknown, pauseMs = 0) {
      const world = await forkOf({ ...options, url: origin.url })
      relay.lead(world.url)
      const webhooks = { url: relay.webhookUrl, secret }
      const { send } = world
      const stage = createStage({ send, apiKey, webhooks, step: () => undefined })
      const playing = playDisturbed({
        ...{ stage, play, relay, receiver, place, disturbances, killAfterMs, ignore },
        ...{ pauseMs, settleMs, expected: shouldBe },
      })
      try {
        const end = await Promise.race([playing, giveUp()])
        const events = disturbances.length === 0 ? await createEvents(world.control).list() : []
        return { ...end, events }
      } finally {
        await world.delete()
      }
    }
  }

  /** Makes the world that all runs are forked from. */
  async function openScene({ url, send, control, levers }: Fork) {
    if (typeof story !== 'function') {
      const request = { file: story.file, url, webhookUrl: relay.webhookUrl }
      const set = await setUp(story.scenario, { send, unrecorded: control, request })
      return { apiKey: set.apiKey, signingSecret: set.webhooks.secret }
    }
    const { integrators } = await levers.info()
    const { signingSecret } = await levers.webhooks.set(relay.webhookUrl)
    return { apiKey: integrators[0]?.apiKey ?? '', signingSecret: signingSecret ?? '' }
  }
}

type Fork = Awaited<ReturnType<typeof forkOf>>

/** A world that begins as another one stands, or stood at a snapshot. */
async function forkOf(
  from: Pick<ExplorerOptions, 'url' | 'fetch' | 'controlToken'>,
  snapshot?: string,
) {
  const made = await reach(from.url).levers.worlds.create({ ttl: '10m', from: { snapshot } })
  const world = reach(made.baseUrl)
  return {
    ...world,
    delete: () => world.levers.worlds.delete(made.name).catch(() => undefined),
  }

  function reach(url: string) {
    const fetch = (target: string, init: RequestInit) => from.fetch(new Request(target, init))
    const { send } = createHttpClient({ url, controlToken: from.controlToken, fetch })
    const control = createControl({ url, send })
    return { url, send, control, levers: createLevers(control) }
  }
}

async function giveUp(): Promise<never> {
  await realTime.pause(RUN_MAX_MS, undefined, { ref: false })
  throw new SandboxError(`A run took longer than ${RUN_MAX_MS / 1_000} s.`, { code: 'timeout' })
}

/** A receiver that takes nothing ends alike whatever is done to its webhooks. */
function assertTaken({ arrivals }: StoryEnd): void {
  if (arrivals.length === 0 || arrivals.some(({ response }) => response < 300)) return
  const statuses = [...new Set(arrivals.map(({ response }) => response))].join(', ')
  const message =
    `The receiver responded with ${statuses} to every webhook, so nothing can be found out. Is --webhook-url ` +
    'its path, and does it verify with the secret that --run gives it as RAMP_SANDBOX_SIGNING_SECRET ' +
    'and that --reset posts as signingSecret?'
  throw new SandboxError(message, { code: 'not-taken' })
}

function assertSame(what: string, state: unknown, shouldBe: unknown): void {
  const [difference] = compareStates(state, shouldBe)
  if (difference === undefined) return
  const { path, expected, actual } = difference
  const message =
    `${what}, so the receiver or its state is not deterministic: \`${path || 'state'}\` is ` +
    `${JSON.stringify(expected)}, then ${JSON.stringify(actual)}. Leave out what must differ, such ` +
    'as times, with --ignore.'
  throw new SandboxError(message, { code: 'not-deterministic' })
}

/** Half of the time that the receiver usually takes, coarsely, so that it is the same in most runs. */
function toKillAfter({ arrivals }: StoryEnd): number {
  const times = arrivals.map(({ handledMs }) => handledMs).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)] ?? 0
  return Math.max(1, 2 ** Math.floor(Math.log2(Math.max(1, median / 2))))
}

const SHORT = / request money transfer$/
const ORDINALS = ['1st', '2nd', '3rd']

function toDeliveries({ arrivals, clockSteps, events }: StoryEnd & { events: SandboxEvent[] }) {
  if (arrivals.length === 0) {
    const message = 'The story sends no webhook, so there is nothing to disturb.'
    throw new SandboxError(message, { code: 'no-deliveries' })
  }
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

const ROWS: readonly [kind: Disturbance['kind'], name: string][] = [
  ['order', 'orders'],
  ['doubled', 'doubled'],
  ['lost', 'lost'],
  ['early', 'before the response'],
  ['late', 'after the clock'],
  ['forged', 'forged'],
  ['killed', 'killed'],
]

function countHeld(tried: readonly Disturbance[][], failures: readonly Failure[]): Held[] {
  const count = (name: string, fits: (plan: readonly Disturbance[]) => boolean, more = 0) => {
    const of = tried.filter(fits).length + more
    const failed = failures.filter(({ disturbances }) => fits(disturbances)).length
    return { name, held: of - failed, of }
  }
  const singles = ROWS.map(([kind, name]) =>
    // The order of the undisturbed story is one, too.
    count(name, (plan) => plan.length === 1 && plan[0]?.kind === kind, kind === 'order' ? 1 : 0),
  )
  return [...singles, count('pairs', ({ length }) => length === 2)].filter(({ of }) => of > 0)
}
