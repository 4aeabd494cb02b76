import { realTime } from '../real-time.ts'

/** One thing that is changed about a run. */
export interface Variation {
  /** Name by which it is chosen, accepted and reported. */
  id: string
  /** What is changed, as words after "when". */
  words: string
  /** Variations of one kind are counted together. */
  kind: string
}

/** What differs from the baseline, in words. */
export interface Failure {
  sentence: string
  /** Evidence: a failed assertion, the two states, the responses. */
  lines: readonly string[]
  /** Failures with one cause are one finding. */
  cause: string
}

/** What a run says of its variation. */
export type Verdict =
  | { kind: 'held'; note?: string | undefined }
  | { kind: 'failed'; failure: Failure }
  /** It should have been judged, and could not be. */
  | { kind: 'unclear'; why: string }
  /** It does not concern what was run. */
  | { kind: 'not tried'; why: string }

export interface Result<V extends Variation> {
  variation: V
  verdict: Verdict
}

export interface RunOptions<Run> {
  /** Aborted when the user stops it, or when the run takes far longer than the baseline. */
  signal: AbortSignal
  /** The first unchanged run; undefined in that run. */
  baseline: Run | undefined
}

/** What is run again and again: a story with its receiver, or a command. */
export interface Subject<V extends Variation, Run> {
  /** Runs once, with nothing changed where there is no variation. */
  run(variation: V | undefined, options: RunOptions<Run>): Promise<Run>
  /** Compares a run with the baseline; also another unchanged run, which must hold. */
  judge(run: Run, variation: V | undefined, baseline: Run): Verdict
  /** Lists what fits the baseline; throws `NotJudged` where no difference would show. */
  list(baseline: Run, options: RunOptions<Run>): readonly V[] | Promise<readonly V[]>
}

export interface LoopOptions<V extends Variation> {
  /** Aborting it ends the loop, which returns what is known. */
  signal?: AbortSignal | undefined
  /** Variations that are run at once; 1 by default. */
  jobs?: number | undefined
  /** Further runs of a variation that failed, one of which must fail as well; 1 by default. */
  repeatsMax?: number | undefined
  onResult?: ((result: Result<V>, progress: Progress) => void) | undefined
}

export interface Progress {
  done: number
  of: number
  failed: number
}

export interface Outcome<V extends Variation, Run> {
  results: readonly Result<V>[]
  /** The first unchanged run; undefined where it was stopped in that run. */
  baseline: Run | undefined
  /** Why nothing follows from the results; null where they can be trusted. */
  problem: string | null
  isStopped: boolean
  /** Variations that were not run because it was stopped. */
  leftOut: number
  runs: number
  ms: number
}

/** Says why nothing can be concluded from the runs, or from any further one. */
export class NotJudged extends Error {}

/** Time limit of a varied run: a minute, or five times the baseline if that is longer. */
const RUN_MAX_MS = 60_000
const RUN_MAX_FACTOR = 5

/** Runs a subject twice unchanged, then once for each variation; a failure must repeat. */
export async function runVariations<V extends Variation, Run>(
  subject: Subject<V, Run>,
  options: LoopOptions<V> = {},
): Promise<Outcome<V, Run>> {
  return await new Loop(subject, options).run()
}

class Loop<V extends Variation, Run> {
  readonly #subject: Subject<V, Run>
  readonly #options: LoopOptions<V>
  readonly #ending = new AbortController()
  readonly #stop: AbortSignal
  readonly #startedAt = realTime.elapsed()
  readonly #results = new Map<V, Result<V>>()
  #baseline: Run | undefined
  #runMaxMs = 0
  #listed: readonly V[] = []
  #runs = 0

  constructor(subject: Subject<V, Run>, options: LoopOptions<V>) {
    this.#subject = subject
    this.#options = options
    const given = options.signal === undefined ? [] : [options.signal]
    this.#stop = AbortSignal.any([this.#ending.signal, ...given])
  }

  async run(): Promise<Outcome<V, Run>> {
    let problem: string | null = null
    try {
      await this.#tryAll()
    } catch (error) {
      // A run that is stopped half-way may fail in any way.
      if (!this.#isStopped) {
        if (!(error instanceof NotJudged)) throw error
        problem = error.message
      }
    }
    return {
      // In the order of the list, whichever of several at once ended first.
      results: this.#listed.flatMap((variation) => this.#results.get(variation) ?? []),
      baseline: this.#baseline,
      problem,
      isStopped: this.#isStopped,
      leftOut: this.#listed.length - this.#results.size,
      runs: this.#runs,
      ms: realTime.elapsed() - this.#startedAt,
    }
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }

  async #tryAll(): Promise<void> {
    const baseline = await this.#runOnce(undefined)
    if (this.#isStopped) return
    this.#baseline = baseline
    const usualMs = Math.ceil(realTime.elapsed() - this.#startedAt)
    this.#runMaxMs = Math.max(RUN_MAX_MS, RUN_MAX_FACTOR * usualMs)
    const variations = await this.#subject.list(baseline, { signal: this.#stop, baseline })
    await this.#confirm(baseline, 'Two unchanged runs differ')
    this.#listed = variations
    const waiting = [...variations]
    const work = async () => {
      for (let next = waiting.shift(); next && !this.#stop.aborted; next = waiting.shift()) {
        await this.#try(next, baseline)
      }
    }
    const jobs = Math.min(this.#options.jobs ?? 1, variations.length)
    // A worker that finds out that nothing can be judged ends the others, too.
    const workers = Array.from({ length: jobs }, () =>
      work().catch((error) => {
        this.#ending.abort()
        throw error
      }),
    )
    const ended = await Promise.allSettled(workers)
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }

  async #try(variation: V, baseline: Run): Promise<void> {
    const verdict = await this.#judge(variation, baseline)
    // What was stopped together with the loop says nothing.
    if (this.#stop.aborted) return
    const result = { variation, verdict }
    this.#results.set(variation, result)
    const failed = [...this.#results.values()].filter(
      (each) => each.verdict.kind === 'failed',
    ).length
    const progress = { done: this.#results.size, of: this.#listed.length, failed }
    this.#options.onResult?.(result, progress)
  }

  async #judge(variation: V, baseline: Run): Promise<Verdict> {
    const judgeOnce = async () =>
      this.#subject.judge(await this.#runOnce(variation), variation, baseline)
    const first = await judgeOnce()
    if (first.kind !== 'failed') return first
    const { repeatsMax = 1 } = this.#options
    for (let repeats = 0; repeats < repeatsMax && !this.#stop.aborted; repeats++) {
      const again = await judgeOnce()
      if (again.kind !== 'failed') continue
      // A failure is due to the variation only while an unchanged run still ends as it did.
      await this.#confirm(baseline, 'An unchanged run no longer ends as the first one did')
      return again
    }
    return { kind: 'unclear', why: 'it failed once, but not when run again' }
  }

  async #confirm(baseline: Run, what: string): Promise<void> {
    if (this.#stop.aborted) return
    const verdict = this.#subject.judge(await this.#runOnce(undefined), undefined, baseline)
    if (verdict.kind === 'held' || this.#stop.aborted) return
    const why = verdict.kind === 'failed' ? verdict.failure.sentence : verdict.why
    throw new NotJudged(`${what}: ${why}`)
  }

  async #runOnce(variation: V | undefined): Promise<Run> {
    this.#runs++
    const baseline = this.#baseline
    const limit = baseline === undefined ? [] : [AbortSignal.timeout(this.#runMaxMs)]
    const signal = AbortSignal.any([this.#stop, ...limit])
    return await this.#subject.run(variation, { signal, baseline })
  }
}
