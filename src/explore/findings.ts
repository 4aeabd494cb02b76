import type { OwnCall } from '../scenario/calls.ts'
import { findContradictions } from '../scenario/contradictions.ts'
import type { CallMishap, Disturbance, Forgery } from '../scenario/disturbance.ts'
import { findRefusals, type Reference, type Refusal, type StoryEnd } from '../scenario/disturbed.ts'
import { compareStates, formatValue, type Mismatch } from '../scenario/expect.ts'
import { inversionsOf, type StoryDelivery } from './disturbances.ts'

/** A run after which the receiver was not as it should be. */
export interface Failure {
  /** Empty where the undisturbed story fails already. */
  disturbances: readonly Disturbance[]
  /** The two states that differ: undisturbed and in this run, or before and after a forged copy. */
  expected: unknown
  actual: unknown
  isHealed: boolean
  isForged: boolean
  /** What is wrong with the copy that was taken. */
  flaw?: string | undefined
  /** Status codes of the receiver's responses, by delivery; 0 for none. */
  responses: number[]
  /** The step after which the states differ, where their ends are the same. */
  step?: string | undefined
  /** A response that was not 2xx, to a webhook whose loss the state does not show. */
  refused?: Refusal | undefined
  /** Why the receiver could not be asked any more. */
  error?: string | undefined
  /** Consequences of a disturbed call, in words. */
  contradictions?: readonly string[] | undefined
}

/** Failures with one cause: the smallest of them, and how many others there are. */
export interface ReceiverFinding extends Failure {
  sentence: string
  /** Disturbances that have the same consequence. */
  also: string[]
}

/** A call of the integrator's own code, with the number of its step. */
export type NamedCall = Pick<OwnCall, 'step' | 'status'> & { operation: string }

/** Names of what is disturbed, by place. */
export interface StoryNames {
  deliveries: readonly StoryDelivery[]
  /** The integrator's own calls. */
  calls: readonly NamedCall[]
}

/** The failure of a run, if it is one. */
export function failureOf(
  disturbances: readonly Disturbance[],
  end: StoryEnd,
  reference: Reference,
): Failure | undefined {
  const { state, forged, isHealed, arrivals, wrongStep } = end
  const responses = arrivals.map(({ response }) => response)
  const failure = {
    disturbances,
    responses,
    expected: reference.end,
    actual: state,
    isForged: forged !== undefined,
    isHealed: false,
  }
  if (disturbances.some(({ kind }) => kind === 'call')) {
    const contradictions = contradictionsOf(disturbances, end, reference)
    return contradictions.length > 0 ? { ...failure, contradictions } : undefined
  }
  if (forged) {
    const { flaw, before, after } = forged
    return { ...failure, flaw, expected: before, actual: after }
  }
  if (compareStates(state, reference.end).length > 0) return { ...failure, isHealed }
  if (wrongStep) {
    const { title: step, expected, state: actual } = wrongStep
    return { ...failure, step, expected, actual }
  }
  const [refused] = findRefusals(end, disturbances)
  return refused && { ...failure, refused }
}

function contradictionsOf(
  disturbances: readonly Disturbance[],
  { audit, state, calls, reconcileError }: StoryEnd,
  { audit: usual, end }: Reference,
): string[] {
  if (audit === undefined || usual === undefined) return []
  const run = { audit, state, calls: calls.made, disturbances }
  const found = findContradictions(run, { audit: usual, state: end })
  if (found.length === 0 || reconcileError === undefined) return found
  return [...found, `reconciling fails: ${reconcileError}`]
}

/** A run in which the receiver could not be asked any more. */
export const toBroken = (disturbances: readonly Disturbance[], error: string): Failure => ({
  disturbances,
  expected: 'The receiver responds.',
  actual: error,
  isHealed: false,
  isForged: false,
  responses: [],
  error,
})

/** An undisturbed run after which reconciling changes the state. */
export const toReconciledWrongly = (expected: unknown, actual: unknown): Failure => ({
  disturbances: [],
  expected,
  actual,
  isHealed: false,
  isForged: false,
  responses: [],
})

/** A run in which the story itself failed. */
export const toStoryFailure = (
  disturbances: readonly Disturbance[],
  { message, differences }: Mismatch,
): Failure => ({
  disturbances,
  expected: ['The story passes.'],
  actual: [message, ...differences],
  isHealed: false,
  isForged: false,
  responses: [],
})

/** One finding for each cause, smallest first. */
export function toFindings(failures: readonly Failure[], names: StoryNames): ReceiverFinding[] {
  const causes = new Map<string, Failure[]>()
  for (const failure of failures.filter((each) => isMinimal(each, failures))) {
    const cause = causeOf(failure)
    causes.set(cause, [...(causes.get(cause) ?? []), failure])
  }
  return [...causes.values()].map((same) => {
    const [smallest, ...others] = [...same].sort((a, b) => rankOf(a) - rankOf(b))
    const failure = smallest as Failure
    const said = describeFailure(failure, names)
    const also = new Set(others.map((each) => describeFailure(each, names)))
    // Two webhooks come at the same time in two ways, which have the same words.
    also.delete(said)
    return { ...failure, sentence: toSentence(failure, names), also: [...also].map(capitalise) }
  })
}

/** Recognises a failure that no smaller one explains. */
function isMinimal({ disturbances }: Failure, failures: readonly Failure[]): boolean {
  const [one, ...rest] = disturbances
  if (one?.kind === 'together') {
    const swap = String([one.at + 1, one.at])
    return !failures.some(({ disturbances: [other, ...others] }) => {
      if (other?.kind !== 'order' || others.length > 0) return false
      return inversionsOf(other.order).map(String).join(' ') === swap
    })
  }
  if (one?.kind !== 'order') return true
  const own = new Set(inversionsOf(one.order).map(String))
  return !failures.some(({ disturbances: [other, ...others] }) => {
    if (other?.kind !== 'order' || other === one) return false
    if (JSON.stringify(others) !== JSON.stringify(rest)) return false
    const theirs = inversionsOf(other.order).map(String)
    return theirs.length < own.size && theirs.every((pair) => own.has(pair))
  })
}

/** Key of a failure's cause; all forged copies share one, a missing signature check. */
function causeOf({ disturbances, contradictions = [] }: Failure): string {
  const [what = ''] = contradictions.map((each) => each.replace(/[\d.]+|[0-9a-f-]{36}.*/g, ''))
  return `${disturbances.map(kindOf).join(' and ')} ${what}`
}

function kindOf(each: Disturbance): string {
  if (each.kind === 'killed') return `killed ${each.when}`
  if (each.kind === 'unknown') return `unknown ${each.what}`
  return each.kind
}

/** Ranks failures with one cause; the lowest makes the best example. */
function rankOf({ disturbances, actual, expected }: Failure): number {
  const forgeries = ['body', 'signature', 'timestamp']
  const ranks = disturbances.map((each) => {
    if (each.kind === 'order') return inversionsOf(each.order).length
    return each.kind === 'forged' ? forgeries.indexOf(each.how) : 0
  })
  const [first] = disturbances
  // A mishap of the last delivery is the easiest to understand.
  const place = first !== undefined && 'at' in first ? -first.at / 1_000 : 0
  return Math.max(0, ...ranks) + place + compareStates(actual, expected).length / 1_000_000
}

/** The disturbances of a run, in words. */
export function describePlan(disturbances: readonly Disturbance[], names: StoryNames): string {
  return disturbances.map((each) => describeOne(each, names)).join(' and ')
}

/** The disturbances of a failure; of several forged copies, the one that was taken. */
function describeFailure({ disturbances, flaw }: Failure, names: StoryNames): string {
  return disturbances.map((each) => describeOne(each, names, flaw)).join(' and ')
}

/** Words for each kind of disturbance; `#` stands for the delivery. */
const SAID: Readonly<Record<string, string>> = {
  'doubled at once': '# comes twice',
  'doubled at the end': '# comes again at the end',
  lost: '# is lost',
  early: '# comes before the response of the call that causes it',
  late: '# comes only after the next step of the clock',
  'reworded wording': '# is written with other spaces and escapes',
  'reworded field': '# has an additional field',
  'unknown type': 'an event of an unknown type comes before #',
  'unknown status': 'an event with an unknown status comes before #',
  'killed before its response': 'the receiver is killed while it handles #',
  'killed after its response': 'the receiver is killed right after its response to #',
}

/** What is wrong with each kind of copy. */
const FLAWS: Readonly<Record<Forgery, string>> = {
  signature: 'with a bad signature',
  timestamp: 'with a wrong timestamp',
  body: 'with a changed body',
}

const CALLS_SAID: Readonly<Record<CallMishap, string>> = {
  'response lost': 'the response of # is lost',
  slow: 'the response of # takes longer than your client waits',
  '503 once': '# responds with 503 once',
  '503 for good': '# and all that follows responds with 503',
  '429': '# responds with 429 once',
  'token expired': 'the access token has expired at #',
  'quote expired': 'the quote has expired at #',
  'clock jumped': 'an hour passes before #',
  'unknown status': 'the response of # has an unknown status',
  'additional field': 'the response of # has an additional field',
}

function describeOne(
  disturbance: Disturbance,
  { deliveries, calls }: StoryNames,
  flaw?: string,
): string {
  const nameOf = (at: number) => `\`${deliveries[at]?.label}\``
  if (disturbance.kind === 'order') return describeOrder(disturbance.order, nameOf)
  if (disturbance.kind === 'renamed') return 'every event has `eventId` in place of `id`'
  if (disturbance.kind === 'forged') {
    return `a copy of ${nameOf(disturbance.at)} ${flaw ?? FLAWS[disturbance.how]} comes`
  }
  const { kind, at, moment: _, ...how } = { moment: undefined, ...disturbance }
  if (kind === 'together') return `${nameOf(at)} and ${nameOf(at + 1)} come at the same time`
  if (disturbance.kind === 'call') {
    return CALLS_SAID[disturbance.how].replace('#', nameCall(at, calls))
  }
  return (SAID[[kind, ...Object.values(how)].join(' ')] ?? kind).replace('#', nameOf(at))
}

/** Names a call by its step, unless that step has several calls of the operation. */
function nameCall(at: number, calls: readonly NamedCall[]): string {
  const { operation, step } = calls[at] ?? { operation: '', step: 0 }
  const alike = calls.filter((call) => call.operation === operation && call.step === step)
  const place = step > 0 && alike.length === 1 ? `step ${step}` : `call ${at + 1}`
  return `\`${operation}\` (${place})`
}

/** Names the one delivery that moved, or else the whole order. */
function describeOrder(order: readonly number[], nameOf: (at: number) => string): string {
  const inversions = inversionsOf(order)
  const firsts = [...new Set(inversions.map(([first]) => first))]
  const seconds = [...new Set(inversions.map(([, second]) => second))].sort((a, b) => a - b)
  if (firsts.length === 1)
    return `${nameOf(firsts[0] ?? 0)} comes before ${join(seconds.map(nameOf))}`
  if (seconds.length === 1) {
    return `${nameOf(seconds[0] ?? 0)} comes after ${join(firsts.sort((a, b) => a - b).map(nameOf))}`
  }
  return `the order is ${order.map(nameOf).join(', ')}`
}

const join = (names: string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function toSentence(failure: Failure, names: StoryNames): string {
  const { disturbances, refused, contradictions } = failure
  if (disturbances.length === 0 && refused?.at !== undefined) {
    const name = names.deliveries[refused.at]?.label
    return `Undisturbed, the receiver responds to \`${name}\` with ${refused.status}: that event never comes again.`
  }
  if (disturbances.length === 0) {
    const change = describeDifference({ ...failure, isForged: true })
    return `When the receiver reconciles though nothing was lost, ${change}.`
  }
  const when = `When ${describeFailure(failure, names)}`
  if (failure.error) return `${when}, the receiver fails: ${failure.error}`
  if (refused) {
    const response = refused.status === 0 ? 'does not respond' : `responds with ${refused.status}`
    return `${when}, the receiver ${response}.`
  }
  if (contradictions) return `${when}, ${contradictions.join('; ')}.`
  return `${when}, ${describeDifference(failure)}.`
}

function describeDifference({ expected, actual, isForged, isHealed, step }: Failure): string {
  const [first, ...others] = compareStates(actual, expected)
  const noun = others.length === 1 ? 'difference' : 'differences'
  const more = others.length === 0 ? '' : ` (and ${others.length} more ${noun})`
  const what = first?.path ? `\`${first.path}\`` : 'the state'
  const [is, was] = [formatValue(first?.actual), formatValue(first?.expected)]
  if (isForged) return `${what} changes from ${was} to ${is}${more}`
  if (step)
    return `${what} is ${is} instead of ${was} after the step “${step}”${more}, though it ends right`
  return `${what} ends as ${is} instead of ${was}${more}${isHealed ? ', until the receiver reconciles' : ''}`
}
