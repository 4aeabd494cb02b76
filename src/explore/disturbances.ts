import type { SandboxEvent } from '../client/events.ts'
import { nameCall, type OwnCall } from '../scenario/calls.ts'
import {
  CALL_MISHAPS,
  type CallMishap,
  type Disturbance,
  isSmallPrint,
} from '../scenario/disturbance.ts'
import type { StoryEnd } from '../scenario/disturbed.ts'

/** A delivery of the undisturbed story. */
export interface StoryDelivery {
  /** Status of the event, numbered where several events have the same one. */
  label: string
  /** True where an API call caused it, so that it can come before the response. */
  hasCall: boolean
  /** True where the story moves the clock later on. */
  isBeforeStep: boolean
  handledMs: number
  /** True where it changes the state. */
  isShown: boolean
}

type Undisturbed = Pick<StoryEnd, 'arrivals' | 'clockSteps'> & { events: SandboxEvent[] }

const SHORT = / request money transfer$/
const ORDINALS = ['1st', '2nd', '3rd']

/** Names the deliveries of an undisturbed run by their statuses. */
export function toDeliveries({ arrivals, clockSteps, events }: Undisturbed): StoryDelivery[] {
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
      isShown: arrival.isShown,
    }
  })
}

export interface Possible {
  deliveries: readonly StoryDelivery[]
  /** True where the receiver can be told to reconcile. */
  canReconcile: boolean
  /** True where the receiver can be killed and started again. */
  canKill: boolean
}

/** Most deliveries whose every order is tried; with more, each delivery is moved by itself. */
const PERMUTED_MAX = 6

/** Lists every single disturbance, in an order that depends on the story alone. */
export function listDisturbances(possible: Possible): Disturbance[] {
  const { deliveries, canReconcile, canKill } = possible
  const places = deliveries.map((_, at) => at)
  const orders = places.length <= PERMUTED_MAX ? permutations(places) : moves(places)
  const each = (make: (at: number) => Disturbance[]) => places.flatMap(make)
  const last = places.length - 1
  return [
    ...orders.filter(isMoved).map((order) => ({ kind: 'order' as const, order })),
    ...each((at) => [
      { kind: 'doubled', at, when: 'at once' },
      { kind: 'doubled', at, when: 'at the end' },
    ]),
    ...each((at) => (canReconcile ? [{ kind: 'lost', at }] : [])),
    ...each((at) => (deliveries[at]?.hasCall ? [{ kind: 'early', at }] : [])),
    ...each((at) => (deliveries[at]?.isBeforeStep ? [{ kind: 'late', at }] : [])),
    ...each((at) => [
      { kind: 'forged', at, how: 'signature' },
      { kind: 'forged', at, how: 'timestamp' },
      { kind: 'forged', at, how: 'body' },
    ]),
    ...each((at) =>
      canKill && canReconcile ? [{ kind: 'killed', at, when: 'before its response' }] : [],
    ),
    ...each((at) => (canKill ? [{ kind: 'killed', at, when: 'after its response' }] : [])),
    ...each((at) => [
      { kind: 'reworded', at, how: 'wording' },
      { kind: 'reworded', at, how: 'field' },
      { kind: 'unknown', at, what: 'type' },
      { kind: 'unknown', at, what: 'status' },
    ]),
    ...(places.length > 0 ? [{ kind: 'renamed' as const }] : []),
    ...each((at) =>
      at < last
        ? [
            { kind: 'together', at },
            { kind: 'together', at, first: 'earlier' },
          ]
        : [],
    ),
  ]
}

type NeedsEffect = Extract<Disturbance, { kind: 'lost' | 'killed' | 'reworded' | 'forged' }>

/** Recognises a disturbance that shows only where its webhook changes the state. */
export const needsEffect = (each: Disturbance): each is NeedsEffect =>
  ['lost', 'killed', 'reworded', 'forged'].includes(each.kind)

const isMoved = (order: readonly number[]) => order.some((place, at) => place !== at)

function permutations(places: readonly number[]): number[][] {
  if (places.length === 0) return [[]]
  return places.flatMap((first) =>
    permutations(places.filter((place) => place !== first)).map((rest) => [first, ...rest]),
  )
}

function moves(places: readonly number[]): number[][] {
  const all = places.flatMap((from) =>
    places.map((to) => {
      const others = places.filter((place) => place !== from)
      return [...others.slice(0, to), from, ...others.slice(to)]
    }),
  )
  return [...new Map(all.map((order) => [order.join(), order])).values()]
}

/** A call with its place among those with the same method and path, which counts from 1. */
interface NthCall extends OwnCall {
  at: number
  name: string
  nth: number
}

/** Lists the calls of a run that another run made, too. */
export function listRepeatedCalls(made: readonly OwnCall[], again: readonly OwnCall[]): NthCall[] {
  const repeated = new Set(countCalls(again).map(({ name, nth }) => `${nth} ${name}`))
  return countCalls(made).filter(({ name, nth }) => repeated.has(`${nth} ${name}`))
}

const countCalls = (made: readonly OwnCall[]): NthCall[] =>
  made.map((call, at) => {
    const name = nameCall(call)
    const nth = made.slice(0, at + 1).filter((each) => nameCall(each) === name).length
    return { ...call, at, name, nth }
  })

/** The mishaps that each call of the integrator's own code can meet. */
export function listCallMishaps(calls: readonly NthCall[]): Disturbance[] {
  return calls.flatMap(({ at, name, nth, ...call }) => {
    const fits: Partial<Record<CallMishap, boolean>> = {
      'token expired': call.hasToken,
      'quote expired': call.method === 'POST' && /\/v2\/transactions$/.test(call.path),
      'unknown status': call.hasStatus,
      'additional field': call.hasData,
    }
    const mishaps = CALL_MISHAPS.filter((how) => fits[how] ?? true)
    return mishaps.map((how) => ({ kind: 'call' as const, at, how, call: name, nth }))
  })
}

/** Lists the pairs that make sense together. */
export function listPairs(singles: readonly Disturbance[]): Disturbance[][] {
  return singles.flatMap((one, i) =>
    singles.slice(i + 1).flatMap((other) => (canMeet(one, other) ? [[one, other]] : [])),
  )
}

const isDoubled = ({ kind }: Disturbance) => kind === 'doubled'

const isBySelf = (one: Disturbance) => one.kind === 'call' || isSmallPrint(one)

function canMeet(one: Disturbance, other: Disturbance): boolean {
  if (one.kind === 'order' || other.kind === 'order') {
    const [second] = [one, other].filter(({ kind }) => kind !== 'order')
    return second !== undefined && !['early', 'late'].includes(second.kind) && !isBySelf(second)
  }
  // A renamed id matters only where a copy must be recognised.
  if (one.kind === 'renamed' || other.kind === 'renamed') return isDoubled(one) || isDoubled(other)
  if (isBySelf(one) || isBySelf(other)) return false
  if (one.at !== other.at) return true
  const kinds = [one.kind, other.kind]
  if (one.kind === other.kind || kinds.includes('lost')) return false
  if (kinds.includes('early') && kinds.includes('late')) return false
  // A delivery whose receiver was killed got no response, so nothing comes after it.
  const killed = [one, other].find((each) => each.kind === 'killed')
  return !(killed?.when === 'before its response' && kinds.includes('doubled'))
}

/** Lists the pairs of deliveries that arrive in reverse order. */
export function inversionsOf(order: readonly number[]): [first: number, second: number][] {
  return order.flatMap((first, at) =>
    order.slice(at + 1).flatMap((second): [number, number][] => {
      return second < first ? [[first, second]] : []
    }),
  )
}
