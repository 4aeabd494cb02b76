import { type Evidence, REFUSE_EVERY, REFUSE_LATER, type RunChange } from '../engine/run-change.ts'
import { findFailure } from './failing-test.ts'
import { NotJudged, type RunOptions, type Subject, type Variation, type Verdict } from './loop.ts'

/** One run of a command, in a sandbox of its own. */
export interface SuiteRun {
  /** Exit code; null where it did not end in time, or was never started. */
  code: number | null
  /** Why it was never started. */
  problem: string | null
  output: string
  evidence: Evidence
  /** Settings of the sandbox at its start, as people write them. */
  settings: Readonly<Record<string, string | number>>
}

export interface SuiteVariation extends Variation {
  change: RunChange
  /** What is known of it: the question, and the place in the contract. */
  about: readonly string[]
  /** Error whose status changes: where it never occurs, the run says nothing. */
  error?: string | undefined
}

export interface SuiteOptions {
  run(change: RunChange, options: { signal: AbortSignal; isShown: boolean }): Promise<SuiteRun>
  /** Lists what fits the unchanged run; throws `NotJudged` where nothing does. */
  list(baseline: SuiteRun): readonly SuiteVariation[]
}

/** A command that is run again and again, each time with one thing changed about the provider. */
export class Suite implements Subject<SuiteVariation, SuiteRun> {
  readonly #options: SuiteOptions

  constructor(options: SuiteOptions) {
    this.#options = options
  }

  run(variation: SuiteVariation | undefined, { signal, baseline }: RunOptions<SuiteRun>) {
    return this.#options.run(variation?.change ?? {}, { signal, isShown: baseline === undefined })
  }

  judge(run: SuiteRun, variation: SuiteVariation | undefined): Verdict {
    const { code, problem, evidence } = run
    if (problem !== null) return { kind: 'unclear', why: `the sandbox did not start: ${problem}` }
    if (variation === undefined) {
      return code === 0
        ? { kind: 'held' }
        : toFailed(run, 'your suite fails even with nothing changed')
    }
    const isMet = hasMet(variation, evidence)
    if (code === 0) {
      return isMet ? { kind: 'held' } : { kind: 'not tried', why: 'it affected no call or webhook' }
    }
    if (evidence.calls === 0) return { kind: 'unclear', why: 'it ended before it made an API call' }
    if (!isMet) return { kind: 'unclear', why: 'it failed before the change took effect' }
    const { id, words } = variation
    const named = words.startsWith(id) ? words : `${words} (${id})`
    return toFailed(run, `With ${named}, your suite fails`, variation)
  }

  async list(baseline: SuiteRun, options: RunOptions<SuiteRun>) {
    const { code, problem, evidence } = baseline
    if (problem !== null) throw new NotJudged(`the sandbox did not start: ${problem}`)
    if (code !== 0)
      throw new NotJudged(`your suite fails even with nothing changed (${endOf(baseline)})`)
    if (evidence.calls === 0) throw new NotJudged('your suite made no API calls')
    const listed = this.#options.list(baseline)
    await this.#assertNotices(options)
    return listed
  }

  /** Throws for a suite that would pass whatever happens. */
  async #assertNotices({ signal }: RunOptions<SuiteRun>): Promise<void> {
    const refuse = (refused: string) => this.#options.run({ refused }, { signal, isShown: false })
    const { code, evidence } = await refuse(REFUSE_LATER)
    if (code !== 0) return
    const { calls, changes } = evidence
    // Where each sandbox gets one call, nearly none was refused.
    if (changes * 2 < calls && (await refuse(REFUSE_EVERY)).code !== 0) return
    throw new NotJudged(
      'your suite also passes when nearly every API call is refused (429), so it could not notice anything',
    )
  }
}

/** Returns true if a run has met what was changed in it. */
function hasMet({ error }: SuiteVariation, { changes, met }: Evidence): boolean {
  return changes > 0 && (error === undefined || met.some((id) => id.endsWith(`/${error}`)))
}

const endOf = ({ code }: SuiteRun) => (code === null ? 'it did not end in time' : `exit ${code}`)

function toFailed(run: SuiteRun, sentence: string, variation?: SuiteVariation): Verdict {
  const failure = findFailure(run.output).map((line) => `| ${line}`)
  const lines = [...(variation?.about ?? []), ...failure]
  return {
    kind: 'failed',
    failure: {
      sentence: `${sentence} (${endOf(run)}).`,
      lines,
      cause: variation?.id ?? 'unchanged',
    },
  }
}
