import type { StoryEnd } from '../scenario/disturbed.ts'
import { compareStates } from '../scenario/expect.ts'
import type { Disturbance } from '../scenario/relay.ts'
import { inversionsOf, type StoryDelivery } from './disturbances.ts'

/** A run after which the receiver was not as it should be. */
export interface Failure {
  disturbances: readonly Disturbance[]
  /** The states that differ: of an undisturbed run and of this one, or before a forgery and after it. */
  expected: unknown
  actual: unknown
  isHealed: boolean
  isForged: boolean
  /** Status codes of the receiver's responses, by delivery; 0 for none. */
  responses: number[]
}

/** Failures with one cause: the smallest of them, and how many others there are. */
export interface ReceiverFinding extends Failure {
  sentence: string
  /** Disturbances that have the same consequence. */
  also: string[]
}

/** The failure of a run, if it is one. */
export function failureOf(
  disturbances: readonly Disturbance[],
  { state, forged, isHealed, arrivals }: StoryEnd,
  expected: unknown,
): Failure | undefined {
  const responses = arrivals.map(({ response }) => response)
  const rest = { disturbances, responses, isForged: forged !== undefined }
  if (forged) return { ...rest, expected: forged.before, actual: forged.after, isHealed: false }
  if (compareStates(state, expected).length === 0) return undefined
  return { ...rest, expected, actual: state, isHealed }
}

/** One finding for each cause, smallest first. */
export function toFindings(
  failures: readonly Failure[],
  deliveries: readonly StoryDelivery[],
): ReceiverFinding[] {
  const causes = new Map<string, Failure[]>()
  for (const failure of failures.filter((each) => isMinimal(each, failures))) {
    const cause = causeOf(failure)
    causes.set(cause, [...(causes.get(cause) ?? []), failure])
  }
  return [...causes.values()].map((same) => {
    const [smallest, ...others] = [...same].sort((a, b) => rankOf(a) - rankOf(b))
    const failure = smallest as Failure
    const also = others.map((each) => capitalise(describeAll(each.disturbances, deliveries)))
    return { ...failure, sentence: toSentence(failure, deliveries), also: [...new Set(also)] }
  })
}

/** An order that turns round all that a failing one does, and more, has the same cause. */
function isMinimal({ disturbances }: Failure, failures: readonly Failure[]): boolean {
  const [one, ...rest] = disturbances
  if (one?.kind !== 'order') return true
  const own = new Set(inversionsOf(one.order).map(String))
  return !failures.some(({ disturbances: [other, ...others] }) => {
    if (other?.kind !== 'order' || other === one) return false
    if (JSON.stringify(others) !== JSON.stringify(rest)) return false
    const theirs = inversionsOf(other.order).map(String)
    return theirs.length < own.size && theirs.every((pair) => own.has(pair))
  })
}

/** Failures of one kind have one cause: a receiver that checks no signature takes every forged copy. */
function causeOf({ disturbances }: Failure): string {
  return disturbances
    .map((each) => (each.kind === 'killed' ? `killed ${each.when}` : each.kind))
    .join(' and ')
}

/** A changed body says more than a signature that nobody looked at; then fewer turns, then earlier. */
function rankOf({ disturbances, actual, expected }: Failure): number {
  const forgeries = ['body', 'signature', 'timestamp']
  const ranks = disturbances.map((each) => {
    if (each.kind === 'order') return inversionsOf(each.order).length
    return each.kind === 'forged' ? forgeries.indexOf(each.how) : 0
  })
  const [first] = disturbances
  // The last delivery is the one that people look at: its consequence is what stays.
  const place = first === undefined || first.kind === 'order' ? 0 : -first.at / 1_000
  return Math.max(...ranks) + place + compareStates(actual, expected).length / 1_000_000
}

function describeAll(
  disturbances: readonly Disturbance[],
  deliveries: readonly StoryDelivery[],
): string {
  return disturbances.map((each) => describeOne(each, deliveries)).join(' and ')
}

/** By kind and what else says how; `#` is the delivery. */
const SAID: Readonly<Record<string, string>> = {
  'doubled at once': '# comes twice',
  'doubled at the end': '# comes again at the end',
  lost: '# is lost',
  early: '# comes before the response of the call that causes it',
  late: '# comes only after the next step of the clock',
  'forged signature': 'a copy of # with a bad signature comes',
  'forged timestamp': 'a copy of # with an old timestamp comes',
  'forged body': 'a copy of # with a changed body comes',
  'killed before its response': 'the receiver is killed while it handles #',
  'killed after its response': 'the receiver is killed right after its response to #',
}

function describeOne(disturbance: Disturbance, deliveries: readonly StoryDelivery[]): string {
  const nameOf = (at: number) => `\`${deliveries[at]?.label}\``
  if (disturbance.kind === 'order') return describeOrder(disturbance.order, nameOf)
  const { kind, at, ...how } = disturbance
  return (SAID[[kind, ...Object.values(how)].join(' ')] ?? kind).replace('#', nameOf(at))
}

/** Names the deliveries that come too early; where that is not one, the whole order. */
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

function toSentence(failure: Failure, deliveries: readonly StoryDelivery[]): string {
  const { disturbances, expected, actual, isForged, isHealed } = failure
  const when = describeAll(disturbances, deliveries)
  const [first, ...others] = compareStates(actual, expected)
  const more =
    others.length === 0
      ? ''
      : ` (and ${others.length} more ${others.length === 1 ? 'difference' : 'differences'})`
  const what = first?.path ? `\`${first.path}\`` : 'the state'
  const [is, was] = [show(first?.actual), show(first?.expected)]
  const verb = isForged ? `changes from ${was} to ${is}` : `ends as ${is} instead of ${was}`
  return `When ${when}, ${what} ${verb}${more}${isHealed ? ', until the receiver reconciles' : ''}.`
}

const SHOWN_MAX = 120

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
