import { SandboxError } from '../client/error.ts'
import { showsTransactions } from '../scenario/contradictions.ts'
import { type Disturbance, describeMissed, type KillMoment } from '../scenario/disturbance.ts'
import type { Reference, StoryEnd } from '../scenario/disturbed.ts'
import { compareStates, Mismatch } from '../scenario/expect.ts'
import type { StoryReceiver } from '../scenario/receiver-commands.ts'
import { Relay } from '../scenario/relay.ts'
import { QUICK_MS } from '../scenario/relayed-story.ts'
import { SETTLE_MS } from '../scenario/settling.ts'
import {
  listCallMishaps,
  listDisturbances,
  listPairs,
  listRepeatedCalls,
  needsEffect,
  type StoryDelivery,
  toDeliveries,
} from './disturbances.ts'
import {
  describePlan,
  type Failure,
  failureOf,
  type ReceiverFinding,
  type StoryNames,
  toBroken,
  toFindings,
  toReconciledWrongly,
  toStoryFailure,
} from './findings.ts'
import { countHeld, type Held } from './held.ts'
import {
  assertQuiet,
  assertSame,
  assertShown,
  assertTaken,
  assertWebhooksShown,
} from './preconditions.ts'
import { Runner, type RunOptions, type StoryToPlay, type UndisturbedEnd } from './runner.ts'
import { type Site, WorldFork } from './world-fork.ts'

/** The world that is forked, the receiver, and how much is tried. */
export interface ExplorerOptions extends Site {
  /** Snapshot from which a story starts. Default: the present state of the world. */
  snapshot?: string | undefined
  receiver: StoryReceiver
  /** Fields of the state that differ from run to run. */
  ignore?: readonly string[] | undefined
  /** Depth 1 tries each disturbance alone, depth 2 every pair as well. */
  depth?: 1 | 2 | undefined
  /** Most runs. */
  max?: number | undefined
  /** Time that a wrong state must last before it counts. */
  settleMs?: number | undefined
  /** Disturbs the calls that the integrator's own code makes, too. */
  calls?: boolean | undefined
  /** Port where the receiver finds the API; any free one by default. */
  port?: number | undefined
  onProgress?: ((progress: { done: number; of: number; failures: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Result of all runs of a story. */
export interface Exploration {
  deliveries: string[]
  /** State of the receiver after the undisturbed story. */
  expected: unknown
  reference: Reference
  held: Held[]
  findings: ReceiverFinding[]
  /** Disturbances without a verdict, each with the reason. */
  unclear: string[]
  /** Kinds of disturbances that were left out, each with the reason. */
  notTried: string[]
  runs: number
  /** Runs beyond the limit, or after it was stopped. */
  leftOut: number
  ms: number
}

type Plan = readonly Disturbance[]

type Verdict =
  | { kind: 'held' | 'outwaited' | 'unseen' | 'impossible: depends' | 'impossible: clock' }
  | { kind: 'missed'; afterMs: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'unclear'; why: string; isAbsent?: boolean }

const RUNS_MAX = 2_000
/** Runs after a failure, one of which must fail as well. */
const REPEATS_MAX = 3
/** On a busy machine, a kill may miss its moment. */
const REPEATED_KILLS_MAX = 10
/** Fractions of the usual time at which a receiver is killed; tried until one is early enough. */
const KILL_SHARES: Readonly<Record<KillMoment, readonly number[]>> = {
  'first change': [0, 0, 0],
  'half-way': [0.5, 0.25, 0, 0, 0],
  receipt: [0],
}

/** Plays a story with every disturbance of its webhooks, and compares where its receiver ends. */
export async function explore(story: StoryToPlay, options: ExplorerOptions): Promise<Exploration> {
  const { receiver, ignore, settleMs } = options
  const relay = await Relay.open({ port: options.port ?? 0, send: options.fetch })
  try {
    const origin = await WorldFork.of(options, options.snapshot)
    try {
      const runner = await Runner.of({ story, relay, origin, receiver, ignore, settleMs })
      return await new Explorer(runner, options).explore()
    } finally {
      await receiver.process?.kill()
      await origin.delete()
    }
  } finally {
    await relay.close()
  }
}

class Explorer {
  readonly #startedAt = performance.now()
  readonly #runner: Runner
  readonly #options: ExplorerOptions
  readonly #verdicts = new Map<Plan, Verdict>()
  readonly #notTried: string[] = []
  #names: StoryNames = { deliveries: [], calls: [] }
  #reference: Reference = { end: undefined, steps: [], busyMs: 0 }

  constructor(runner: Runner, options: ExplorerOptions) {
    this.#runner = runner
    this.#options = options
  }

  async explore(): Promise<Exploration> {
    const { first, second } = await this.#playUndisturbed()
    const deliveries = toDeliveries(first)
    this.#names = { deliveries, calls: first.namedCalls }
    const failure =
      failureOf([], first, this.#reference) ?? (await this.#findWrongReconciling(second))
    // If the undisturbed story already fails, disturbed runs prove nothing.
    if (failure) return this.#sum([], [failure])
    const ofWebhooks = this.#listOfWebhooks(deliveries)
    const ofCalls = this.#listOfCalls(first, second)
    if (ofCalls.length === 0) assertWebhooksShown(first)
    const singles = [...ofWebhooks, ...ofCalls]
    const plans: Plan[] = singles.map((one) => [one])
    await this.#tryAll(plans)
    const pairs = this.#options.depth === 2 ? listPairs(this.#withoutFailed(singles)) : []
    await this.#tryAll(pairs)
    return this.#sum([...plans, ...pairs])
  }

  /** Plays the story twice as it is; all other runs are compared with these two. */
  async #playUndisturbed(): Promise<{ first: UndisturbedEnd; second: StoryEnd }> {
    const { settleMs = SETTLE_MS } = this.#options
    const first = await this.#runner.runUndisturbed()
    assertTaken(first)
    assertQuiet(first, settleMs)
    assertShown(first)
    const { initial, state: end, busyMs, audit } = first
    this.#reference = { initial, end, busyMs, steps: [], audit }
    const second = await this.#runner.run([], { reference: this.#reference })
    assertSame('Two undisturbed runs differ', second.state, end)
    this.#reference.steps = second.steps
    this.#reference.handledMs = first.arrivals.map(({ handledMs }, at) =>
      Math.min(handledMs, second.arrivals[at]?.handledMs ?? handledMs),
    )
    return { first, second }
  }

  /** Reconciling must change nothing where nothing was lost. */
  async #findWrongReconciling({ reconciled }: StoryEnd): Promise<Failure | undefined> {
    const { end } = this.#reference
    if (compareStates(reconciled, end).length === 0) return undefined
    const again = await this.#runner.run([], { reference: this.#reference })
    assertSame('Reconciling twice ends differently', again.reconciled, reconciled)
    return toReconciledWrongly(end, reconciled)
  }

  #listOfWebhooks(deliveries: readonly StoryDelivery[]): Disturbance[] {
    const { receiver } = this.#options
    const canReconcile = receiver.reconcile !== undefined
    const canKill = receiver.process !== undefined
    if (!canReconcile) this.#notTried.push('lost webhooks (no --reconcile)')
    if (!canKill) this.#notTried.push('a receiver that is killed (no --run)')
    if (canKill && !canReconcile) {
      this.#notTried.push('a receiver that is killed while it handles a webhook (no --reconcile)')
    }
    for (const { label, isShown } of deliveries) {
      if (!isShown) {
        const what = `what \`${label}\` changes (the state is the same before and after it)`
        this.#notTried.push(what)
      }
    }
    return listDisturbances({ deliveries, canReconcile, canKill })
  }

  /** Lists the mishaps of calls that both undisturbed runs made; a client that polls makes others. */
  #listOfCalls(first: StoryEnd, second: StoryEnd): Disturbance[] {
    if (!this.#options.calls) {
      this.#notTried.push('your own calls (no --calls)')
      return []
    }
    this.#noteBlindness(first)
    const made = listRepeatedCalls(first.calls.made, second.calls.made)
    const words = { what: 'call', why: 'not made in both undisturbed runs' }
    this.#notTried.push(...countNotTried(first.calls.made.length - made.length, words))
    return listCallMishaps(made)
  }

  /** Notes what cannot be judged because the state does not show it. */
  #noteBlindness({ audit, state }: StoryEnd): void {
    if (audit === undefined)
      this.#notTried.push('your own calls (none came to the address of the API)')
    else if (audit.end.transactions.length > 0 && !showsTransactions({ audit, state })) {
      this.#notTried.push(
        'orders that your backend does not know (its state shows no transaction ids)',
      )
    }
  }

  #withoutFailed(singles: readonly Disturbance[]): Disturbance[] {
    const failed = [...this.#verdicts].flatMap(([plan, { kind }]) =>
      kind === 'failed' ? plan : [],
    )
    return singles.filter((one) => !failed.includes(one))
  }

  async #tryAll(plans: readonly Plan[]): Promise<void> {
    const { max = RUNS_MAX, onProgress, signal } = this.#options
    for (const plan of plans) {
      if (this.#verdicts.size >= max || signal?.aborted) return
      const failures = this.#failures.length
      onProgress?.({ done: this.#verdicts.size, of: plans.length, failures })
      this.#verdicts.set(plan, await this.#try(plan))
    }
  }

  /** Tries a plan; a kill is tried at two moments, and one of them must be in time. */
  async #try(plan: Plan): Promise<Verdict> {
    if (!plan.some(isKilledEarly)) return await this.#tryOnce(plan)
    const atChange = await this.#tryAt(plan, 'first change')
    if (atChange.kind === 'failed' || atChange.kind === 'unclear') return atChange
    const halfWay = await this.#tryAt(plan, 'half-way')
    if (halfWay.kind !== 'missed') return halfWay
    if (atChange.kind !== 'missed') return atChange
    const isQuick = Math.min(halfWay.afterMs, atChange.afterMs) < QUICK_MS
    if (isQuick) return await this.#tryAt(plan, 'receipt')
    return { kind: 'unclear', why: 'the receiver responded before it could be killed' }
  }

  async #tryAt(given: Plan, moment: KillMoment): Promise<Verdict> {
    const plan = given.map((each) => (isKilledEarly(each) ? { ...each, moment } : each))
    let afterMs = Number.POSITIVE_INFINITY
    for (const killShare of KILL_SHARES[moment]) {
      const verdict = await this.#tryOnce(plan, { killShare })
      if (verdict.kind !== 'missed') return verdict
      afterMs = Math.min(afterMs, verdict.afterMs)
      // One that is quick is killed with the webhook in its hands.
      if (afterMs < QUICK_MS) break
    }
    return { kind: 'missed', afterMs }
  }

  async #tryOnce(plan: Plan, how: RunOptions = {}): Promise<Verdict> {
    let verdict = await this.#judge(plan, how)
    for (let repeats = 0; isAbsent(verdict) && repeats < REPEATS_MAX; repeats++) {
      verdict = await this.#judge(plan, how)
    }
    return verdict.kind === 'failed' ? await this.#repeat(plan, verdict) : verdict
  }

  /** Repeats a run that failed, because a single failure may be chance. */
  async #repeat(plan: Plan, first: Verdict): Promise<Verdict> {
    const { settleMs: pauseMs = SETTLE_MS } = this.#options
    const repeatsMax = plan.some(isKilledEarly) ? REPEATED_KILLS_MAX : REPEATS_MAX
    for (let repeats = 0; repeats < repeatsMax; repeats++) {
      const again = await this.#judge(plan, { pauseMs })
      if (again.kind === 'unclear' && !isAbsent(again)) return again
      if (again.kind === first.kind) return await this.#confirm(again)
    }
    return { kind: 'unclear', why: 'it failed once, and not when it was tried again' }
  }

  /** A failure is the disturbance's only while the undisturbed story still ends as it did. */
  async #confirm(failed: Verdict): Promise<Verdict> {
    const { state } = await this.#runner.run([], { reference: this.#reference })
    assertSame('An undisturbed run no longer ends as the first one', state, this.#reference.end)
    return failed
  }

  async #judge(plan: Plan, how: RunOptions): Promise<Verdict> {
    const { settleMs = SETTLE_MS } = this.#options
    try {
      const end = await this.#runner.run(plan, { ...how, reference: this.#reference })
      // A receiver whose state keeps changing cannot be judged.
      if (end.restless !== undefined) {
        return { kind: 'unclear', why: `still changing after ${settleMs} ms: --settle` }
      }
      const { why } = end.missed ?? {}
      if (why === 'depends' || why === 'clock') return { kind: `impossible: ${why}` }
      const missed = this.#describeMissed(end, plan)
      if (missed) return { kind: 'unclear', why: missed, isAbsent: true }
      if (end.missedKillMs !== undefined) return { kind: 'missed', afterMs: end.missedKillMs }
      const failure = failureOf(plan, end, this.#reference)
      if (failure) return { kind: 'failed', failure }
      if (end.calls.outwaited) return { kind: 'outwaited' }
      return { kind: plan.every((each) => this.#isSeen(each)) ? 'held' : 'unseen' }
    } catch (error) {
      // The story may have expectations of its own.
      if (error instanceof Mismatch) {
        return { kind: 'failed', failure: toStoryFailure(plan, error) }
      }
      return await this.#judgeError(plan, error)
    }
  }

  /** A receiver that can be started again has failed this run; without one, no other run can follow. */
  async #judgeError(plan: Plan, error: unknown): Promise<Verdict> {
    if (error instanceof SandboxError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const { process } = this.#options.receiver
    if (process === undefined) {
      throw new Error(`When ${describePlan(plan, this.#names)}: ${message}`, { cause: error })
    }
    await process.kill()
    return { kind: 'failed', failure: toBroken(plan, message) }
  }

  /** Says why a run proves nothing: what should have been disturbed was not there. */
  #describeMissed({ missed, calls }: StoryEnd, [one]: Plan): string | undefined {
    const nameOf = (at: number) => `\`${this.#names.deliveries[at]?.label}\``
    if (missed) return describeMissed(missed, nameOf)
    if (one?.kind !== 'call' || calls.changed === undefined) return undefined
    const { status: usual = 0 } = this.#names.calls[one.at] ?? {}
    if (calls.changed.status === usual) return undefined
    return `it was ${calls.changed.status} before that, and ${usual} undisturbed`
  }

  /** True where the state would show that the receiver did not withstand a disturbance. */
  #isSeen(each: Disturbance): boolean {
    if (each.kind === 'call') return true
    const { deliveries } = this.#names
    if (!deliveries.some(({ isShown }) => isShown)) return false
    return !needsEffect(each) || deliveries[each.at]?.isShown === true
  }

  get #failures(): Failure[] {
    return [...this.#verdicts.values()].flatMap((verdict) =>
      verdict.kind === 'failed' ? [verdict.failure] : [],
    )
  }

  #sum(plans: readonly Plan[], failures = this.#failures): Exploration {
    const tried = [...this.#verdicts]
    const names = this.#names
    const done = tried.flatMap(([plan, { kind }]) =>
      kind === 'held' || kind === 'failed' ? [plan] : [],
    )
    const count = (what: Verdict['kind']) => tried.filter(([, { kind }]) => kind === what).length
    const untried = UNTRIED.flatMap(([kind, words]) => countNotTried(count(kind), words))
    return {
      deliveries: names.deliveries.map(({ label }) => label),
      expected: this.#reference.end,
      reference: this.#reference,
      held: countHeld(done, failures),
      findings: toFindings(failures, names),
      unclear: tried.flatMap(([plan, verdict]) =>
        verdict.kind === 'unclear' ? [`${describePlan(plan, names)} (${verdict.why})`] : [],
      ),
      notTried: [...this.#notTried, ...untried],
      runs: tried.length + 2,
      leftOut: plans.length - tried.length,
      ms: performance.now() - this.#startedAt,
    }
  }
}

/** Recognises a run without the webhook or call to be disturbed, which another run may have. */
const isAbsent = (verdict: Verdict): boolean =>
  verdict.kind === 'unclear' && verdict.isAbsent === true

/** What a story or a client does not allow, by its verdict. */
const UNTRIED: readonly (readonly [Verdict['kind'], NotTried])[] = [
  ['outwaited', { what: 'slow response', why: 'your client waits longer than 2 s' }],
  ['impossible: depends', { what: 'order', why: 'one webhook comes only because of another' }],
  ['impossible: clock', { what: 'clock jump', why: 'the story was moving the clock itself' }],
]

interface NotTried {
  what: string
  why: string
}

const countNotTried = (count: number, { what, why }: NotTried): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'} (${why})`]

type KilledEarly = Extract<Disturbance, { when: 'before its response' }>

const isKilledEarly = (each: Disturbance): each is KilledEarly =>
  each.kind === 'killed' && each.when === 'before its response'
