import type { Delivery } from '../webhooks/delivery.ts'
import { Journal } from '../world/journal.ts'
import { runTask } from '../world/lifecycle.ts'
import { shorten } from '../world/shorten.ts'
import type { Message, Task, WorldEvent } from '../world/state.ts'
import { EVENTS_MAX, type World } from '../world/world.ts'

/** Actions that are kept, besides the calls of the request journal. */
const ACTIONS_MAX = 1_000
/** Runs that one action keeps; an advance of the clock has one per task with effects. */
const RUNS_OF_ACTION_MAX = 1_000
/** Characters of an action’s input, and of what was wrong with it, that are kept. */
const TEXT_MAX = 1_000

/** Ways in which a world is changed, other than by a call of the contract. */
export const ACTION_KINDS = ['simulation', 'clock', 'change', 'task'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

export interface Cause {
  readonly kind: 'call' | ActionKind
  readonly id: string
  /** The operation, or what the task did. */
  readonly name: string | null
}

/**
 * Rows that one uninterrupted piece of work added to each journal, from one position to another.
 * The fields are flat, because nearly every call leaves such a run.
 */
export interface Run extends Cause {
  readonly eventsAfter: number
  readonly eventsLast: number
  readonly messagesAfter: number
  readonly messagesLast: number
  readonly deliveriesAfter: number
  readonly deliveriesLast: number
}
type Effect = 'events' | 'messages' | 'deliveries'

/** A call or an action, with what it caused. */
export interface Origin {
  readonly cursor: number
  readonly kind: Cause['kind']
  readonly id: string
  readonly operation: string | null
  runs: Run[]
}

/** Something that was done to the world other than by a contract call. Times are world time. */
export interface Action extends Origin {
  readonly kind: ActionKind
  readonly operation: string
  readonly at: number
  readonly callsBefore: number
  /** The subject as the caller named it: an id or an e-mail address. */
  readonly subject: string | null
  readonly input: string | null
  until: number
  /** HTTP status of the response; 0 while it is under way. */
  status: number
  problem: string | null
}

type ActionRequest = Pick<Action, 'kind' | 'operation' | 'subject'> & { input?: unknown }
type ActionResult = { status: number; problem?: string }

export interface TimelineOptions {
  world: World
  deliveries: Journal<Delivery>
  requests: { readonly last: number }
  onDone: (action: Action) => void
  /** What a restore keeps: the timeline before it, and the runs that led to the restored state. */
  kept?: { timeline: Timeline; runs: readonly Run[] } | undefined
}

/** Everything that was done to one world, with what it caused. */
export class Timeline {
  readonly actions: Journal<Action>
  readonly #world: World
  readonly #deliveries: Journal<Delivery>
  readonly #requests: TimelineOptions['requests']
  readonly #onDone: (action: Action) => void
  /** Runs by their events and messages, which come back with a snapshot. */
  readonly #runs: Journal<Run>
  /** Runs by their deliveries, which a restore leaves in place. */
  readonly #deliveryRuns: Journal<Run>
  #current: Origin | undefined
  #name: string | null = null
  #event = 0
  #message = 0
  #delivery = 0

  constructor({ world, deliveries, requests, onDone, kept }: TimelineOptions) {
    const { timeline, runs = [] } = kept ?? {}
    this.actions = timeline?.actions ?? new Journal<Action>({ max: ACTIONS_MAX })
    this.#world = world
    this.#deliveries = deliveries
    this.#requests = requests
    this.#onDone = onDone
    this.#runs = new Journal({ max: EVENTS_MAX, rows: runs })
    this.#deliveryRuns = timeline ? timeline.#deliveryRuns : new Journal({ max: EVENTS_MAX })
  }

  get current(): Origin | undefined {
    return this.#current
  }

  open({ kind, operation, subject, input }: ActionRequest): Action {
    const { now } = this.#world
    const cursor = this.actions.last + 1
    const action: Action = {
      cursor,
      id: `act_${cursor}`,
      kind,
      operation,
      subject,
      input: input === undefined ? null : shorten(JSON.stringify(input), TEXT_MAX, ''),
      at: now,
      callsBefore: this.#requests.last,
      until: now,
      status: 0,
      problem: null,
      runs: NO_RUNS,
    }
    this.actions.push(action)
    return action
  }

  close(action: Action, { status, problem }: ActionResult): void {
    action.until = this.#world.now
    action.status = status
    action.problem = problem === undefined ? null : shorten(problem, TEXT_MAX)
    this.#onDone(action)
  }

  /** Runs a piece of work, and records its origin as the cause of all rows that it adds. */
  run<T>(origin: Origin, work: () => T): T {
    return this.#runAs(origin, origin.operation, work)
  }

  /** Runs a scheduled task, by itself or as a part of an advance. */
  runTask(world: World, task: Task, advance?: Origin): void {
    const { kind, ref } = task
    const work = () => runTask(world, task)
    if (advance) {
      this.#runAs(advance, kind, work)
      return
    }
    const action = this.open({ kind: 'task', operation: kind, subject: ref })
    this.#runAs(action, kind, work)
    this.close(action, { status: 200 })
  }

  /** Runs that led to the present state. */
  runs(): Run[] {
    return this.#runs.after(0)
  }

  eventsOf(origin: Origin): WorldEvent[] {
    return this.#rowsOf(origin, 'events', this.#world.events)
  }

  messagesOf(origin: Origin): Message[] {
    return this.#rowsOf(origin, 'messages', this.#world.messages)
  }

  deliveriesOf(origin: Origin): Delivery[] {
    return this.#rowsOf(origin, 'deliveries', this.#deliveries)
  }

  /** The cause of a row; undefined for rows of the fixture, and once the cause is forgotten. */
  causeOf(effect: Effect, cursor: number): Cause | undefined {
    const run = this.#findRun(effect, cursor)
    return run && { kind: run.kind, id: run.id, name: run.name }
  }

  /** Splits the outer run where another runs inside it. */
  #runAs<T>(origin: Origin, name: string | null, work: () => T): T {
    const outer = this.#current
    const outerName = this.#name
    if (outer) this.#keepRun(outer)
    this.#begin(origin, name)
    try {
      return work()
    } finally {
      this.#keepRun(origin)
      this.#begin(outer, outerName)
    }
  }

  #begin(origin: Origin | undefined, name: string | null): void {
    this.#current = origin
    this.#name = name
    this.#event = this.#world.events.last
    this.#message = this.#world.messages.last
    this.#delivery = this.#deliveries.last
  }

  #keepRun(origin: Origin): void {
    const eventsLast = this.#world.events.last
    const messagesLast = this.#world.messages.last
    const deliveriesLast = this.#deliveries.last
    const hasEvents = eventsLast !== this.#event || messagesLast !== this.#message
    if (!hasEvents && deliveriesLast === this.#delivery) return
    const run: Run = {
      kind: origin.kind,
      id: origin.id,
      name: this.#name,
      eventsAfter: this.#event,
      eventsLast,
      messagesAfter: this.#message,
      messagesLast,
      deliveriesAfter: this.#delivery,
      deliveriesLast,
    }
    this.#runs.push(run)
    this.#deliveryRuns.push(run)
    if (origin.runs.length >= RUNS_OF_ACTION_MAX) return
    if (origin.runs === NO_RUNS) origin.runs = [run]
    else origin.runs.push(run)
  }

  /** Binary search, because runs are in the order of their rows. */
  #findRun(effect: Effect, cursor: number): Run | undefined {
    const runs = effect === 'deliveries' ? this.#deliveryRuns : this.#runs
    let low = Math.max(1, runs.last - runs.max + 1)
    let high = runs.last
    while (low < high) {
      const middle = (low + high) >> 1
      if ((runs.at(middle)?.[`${effect}Last`] ?? 0) >= cursor) high = middle
      else low = middle + 1
    }
    const run = runs.at(low)
    return run && holds(run, effect, cursor) ? run : undefined
  }

  /** Rows of a call or an action that are kept; after a restore, others may have their places. */
  #rowsOf<Row>({ runs }: Origin, effect: Effect, journal: Journal<Row>): Row[] {
    const rows: Row[] = []
    for (const run of runs) {
      const last = run[`${effect}Last`]
      for (let position = run[`${effect}After`] + 1; position <= last; position++) {
        const row = journal.at(position)
        const isOwn = effect === 'deliveries' || this.#findRun(effect, position) === run
        if (row !== undefined && isOwn) rows.push(row)
      }
    }
    return rows
  }
}

const holds = (run: Run, effect: Effect, cursor: number): boolean =>
  cursor > run[`${effect}After`] && cursor <= run[`${effect}Last`]

/** Shared by the many calls that change nothing. */
export const NO_RUNS: Run[] = []
