import { findError } from '../world/settings/errors.ts'
import type { Evidence } from './evidence.ts'
import type { Reading } from './readings.ts'

/** One run of a suite under one reading. */
export interface Attempt {
  /** Exit code; null where it did not end in time, or was never started. */
  code: number | null
  /** Why it was never started. */
  problem: string | null
  /** The last lines of its output. */
  output: readonly string[]
  evidence: readonly Evidence[]
  ms: number
}

/**
 * `unreached`: something failed before the calls of the suite, so the run says nothing about it.
 * `untried`: the tests gave the setting themselves.
 */
export type ReadingVerdict = 'failed' | 'unsteady' | 'unreached' | 'untried' | 'passed'

export interface ReadingResult {
  reading: Reading
  id: string
  verdict: ReadingVerdict
  /** How it ended, in words; empty for a pass. */
  how: string
  output: readonly string[]
  /** Why a project accepts this failure; null if it does not. */
  accepted: string | null
  ms: number
}

type Judged = Pick<ReadingResult, 'verdict' | 'how'>

/** Verdict on the runs under one reading: the first one, and a second where that failed. */
export function judgeReading(
  reading: Reading,
  attempts: readonly Attempt[],
  undisturbed: readonly Evidence[],
): Judged {
  const last = attempts.at(-1)
  if (last === undefined) return { verdict: 'untried', how: 'it was not run' }
  const first = attempts[0] ?? last
  if (last.code === 0 && first.code !== 0) {
    return { verdict: 'unsteady', how: `${howItEnded(first)}, and 0 when it was run again` }
  }
  const called = calledUnder(reading, last.evidence)
  if (last.code === 0) {
    const how = findUntried(reading, last.evidence, called)
    return how === undefined ? { verdict: 'passed', how: '' } : { verdict: 'untried', how }
  }
  const hindrance = findHindrance(last, undisturbed, called)
  if (hindrance !== undefined) return { verdict: 'unreached', how: hindrance }
  return { verdict: 'failed', how: howItEnded(last) }
}

const howItEnded = ({ code }: Attempt) => (code === null ? 'did not end in time' : `exit ${code}`)

/** Operations that were called where the setting had the value of the reading. */
const calledUnder = ({ setting, value }: Reading, evidence: readonly Evidence[]) =>
  new Set(
    evidence
      .flatMap(({ under }) => under)
      .filter(({ values }) => values[setting] === value)
      .flatMap(({ called }) => called),
  )

/** Finds why a run that passed says nothing about the reading. */
function findUntried(
  reading: Reading,
  evidence: readonly Evidence[],
  called: ReadonlySet<string>,
): string | undefined {
  if (!isReached(reading, called)) return 'no call was made under it: your tests give the setting'
  const code = reading.setting.replace(/^status\./, '')
  // Another status of an error shows only where the error occurs; a new error, wherever it could.
  const isOfError =
    findError(code) !== undefined && Number(reading.usual) >= 400 && Number(reading.value) >= 400
  const hasMet = evidence.some(({ situations }) =>
    situations.some(({ id, met }) => met && id.endsWith(`/${code}`)),
  )
  return isOfError && !hasMet ? `this run did not meet the error ${code}` : undefined
}

/** Any call can cause a webhook, but an operation must itself have been called. */
function isReached({ operations }: Reading, called: ReadonlySet<string>): boolean {
  const own = operations.filter((id) => !/^on[A-Z]/.test(id))
  return own.length === 0 ? called.size > 0 : own.some((id) => called.has(id))
}

/** Finds the reason why a failed run says nothing about the suite. */
function findHindrance(
  { problem, evidence }: Attempt,
  undisturbed: readonly Evidence[],
  called: ReadonlySet<string>,
): string | undefined {
  if (problem !== null) return `the sandbox does not start: ${problem}`
  const usual = new Set(undisturbed.flatMap(({ failedControlCalls }) => failedControlCalls))
  const refused = evidence
    .flatMap(({ failedControlCalls }) => failedControlCalls)
    .find((operation) => !usual.has(operation) && isOfContract(operation))
  if (refused !== undefined)
    return `the control operation ${refused.replace('/', ' was refused: ')}`
  return called.size === 0 ? 'it ended before it made a call under it' : undefined
}

/** Recognises a control operation that was rejected with an error of the contract, not for its input. */
const isOfContract = (operation: string) => findError(operation.split('/')[1] ?? '') !== undefined

/**
 * Finds operations that a suite, which passed while nearly every call was rejected, can do without.
 * A call that was rejected and succeeded later may have been made again, if more calls were made.
 */
export function findUnnoticed(
  succeeded: readonly string[],
  met: ReadonlySet<string>,
  { isRetried }: { isRetried: boolean },
): readonly string[] {
  const isRejected = (id: string) => met.has(`${id}/${REJECTED}`)
  return succeeded.filter((id) => !met.has(id) || (!isRetried && isRejected(id)))
}

export const isAnyRejected = (met: ReadonlySet<string>): boolean =>
  [...met].some((id) => id.endsWith(`/${REJECTED}`))

const REJECTED = 'too-many-requests'

const ORDER: readonly ReadingVerdict[] = ['failed', 'unsteady', 'unreached', 'untried', 'passed']

/** Results, the worst first; what is accepted comes after what is not. */
export const sortResults = (results: readonly ReadingResult[]): ReadingResult[] =>
  [...results].sort((a, b) => weightOf(a) - weightOf(b))

const weightOf = ({ verdict, accepted }: ReadingResult) =>
  ORDER.indexOf(verdict) + (accepted === null ? 0 : ORDER.length)

export const isFailure = ({ verdict }: ReadingResult): boolean =>
  verdict === 'failed' || verdict === 'unsteady'

/** Recognises a result that keeps a project from being green. */
export const isProblem = (result: ReadingResult): boolean =>
  result.accepted === null && isFailure(result)
