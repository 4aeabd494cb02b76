import type { Outbox } from '../webhooks/outbox.ts'
import { createJournal, type Journal } from '../world/journal.ts'
import { shorten } from '../world/shorten.ts'
import { runTask } from '../world/simulate.ts'
import type { Task } from '../world/state.ts'
import { EVENTS_MAX, type World } from '../world/world.ts'

/** Actions that are kept, besides the calls of the request journal. */
const ACTIONS_MAX = 1_000
/** Runs that one action keeps: an advance of the clock has one for each task with effects. */
const RUNS_OF_ACTION_MAX = 1_000
/** Characters of an action's input that are kept. */
const INPUT_MAX = 1_000

/** Ways in which a world is changed, other than by a call of the contract. */
export const ACTION_KINDS = ['simulation', 'clock', 'change', 'task'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** Cause of a row: a contract call, or an action. */
export interface Cause {
  readonly kind: 'call' | ActionKind
  /** Id of the call, or of the action. */
  readonly id: string
  /** The operation, or what the task did. */
  readonly name: string | null
}

/**
 * What a piece of work that nothing interrupts added to each journal: the rows behind one position,
 * up to another. Flat, as most calls leave one behind.
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
  /** How many calls were opened before it. */
  readonly callsBefore: number
  /** Subject, as it was named: the id of a transaction or user, or an e-mail address. */
  readonly subject: string | null
  /** Its body as JSON. */
  readonly input: string | null
  /** World time when it ended. */
  until: number
  /** HTTP status of the response; 0 while it is under way. */
  status: number
  /** Why it was refused. */
  problem: string | null
}

type ActionRequest = Pick<Action, 'kind' | 'operation' | 'subject'> & { input?: unknown }

export interface TimelineOptions {
  world: World
  outbox: Outbox
  /** Position of the newest call. */
  lastCall: () => number
  onDone: (action: Action) => void
}

export type Timeline = ReturnType<typeof createTimeline>

/** Everything that was done to one world, with what it caused. */
export function createTimeline({ world, outbox, lastCall, onDone }: TimelineOptions) {
  const journals = { events: world.events, messages: world.messages, deliveries: outbox.journal }
  const actions = createJournal<Action>({ max: ACTIONS_MAX })
  const runs = createJournal<Run>({ max: EVENTS_MAX })
  let current: Origin | undefined
  let name: string | null = null
  let [event, message, delivery] = [0, 0, 0]

  return {
    actions,
    /** The action or call whose work runs now. */
    get current() {
      return current
    },
    open,
    close,
    /** Does a piece of work; what it adds to the world is caused by its origin. */
    run: <T>(origin: Origin, work: () => T): T => runAs(origin, origin.operation, work),
    /** Runs a scheduled task, by itself or as a part of an advance. */
    runTask(ofWorld: World, task: Task, advance?: Origin) {
      const { kind, ref } = task
      const work = () => runTask(ofWorld, task)
      if (advance) return runAs(advance, kind, work)
      const action = open({ kind: 'task', operation: kind, subject: ref })
      runAs(action, kind, work)
      close(action, { status: 200 })
    },
    causeOf,
    eventsOf: (origin: Origin) => rowsOf(origin, 'events', world.events),
    messagesOf: (origin: Origin) => rowsOf(origin, 'messages', world.messages),
    deliveriesOf: (origin: Origin) => rowsOf(origin, 'deliveries', outbox.journal),
  }

  function open({ kind, operation, subject, input }: ActionRequest): Action {
    const cursor = actions.last + 1
    const action: Action = {
      cursor,
      id: `act_${cursor}`,
      kind,
      operation,
      subject,
      input: input === undefined ? null : shorten(JSON.stringify(input), INPUT_MAX, ''),
      at: world.now,
      callsBefore: lastCall(),
      until: world.now,
      status: 0,
      problem: null,
      runs: NO_RUNS,
    }
    actions.push(action)
    return action
  }

  function close(action: Action, { status, problem }: { status: number; problem?: string }) {
    action.until = world.now
    action.status = status
    action.problem = problem ?? null
    onDone(action)
  }

  /** One run inside another ends the outer one, which goes on as a run of its own. */
  function runAs<T>(origin: Origin, what: string | null, work: () => T): T {
    const outer = current
    const outerName = name
    if (outer) keepRun(outer)
    begin(origin, what)
    try {
      return work()
    } finally {
      keepRun(origin)
      begin(outer, outerName)
    }
  }

  function begin(origin: Origin | undefined, what: string | null) {
    current = origin
    name = what
    event = world.events.last
    message = world.messages.last
    delivery = outbox.journal.last
  }

  function keepRun(origin: Origin) {
    const [events, messages, deliveries] = [journals.events, journals.messages, journals.deliveries]
    if (event === events.last && message === messages.last && delivery === deliveries.last) return
    const run: Run = {
      kind: origin.kind,
      id: origin.id,
      name,
      eventsAfter: event,
      eventsLast: events.last,
      messagesAfter: message,
      messagesLast: messages.last,
      deliveriesAfter: delivery,
      deliveriesLast: deliveries.last,
    }
    runs.push(run)
    if (origin.runs.length >= RUNS_OF_ACTION_MAX) return
    if (origin.runs === NO_RUNS) origin.runs = [run]
    else origin.runs.push(run)
  }

  /**
   * What caused a row; undefined for what came with the start, and for what is kept no longer. Runs
   * are in the order of their rows, so the one that holds a row is found by halving.
   */
  function causeOf(effect: Effect, cursor: number): Cause | undefined {
    let [low, high] = [Math.max(1, runs.last - runs.max + 1), runs.last]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((runs.at(middle)?.[`${effect}Last`] ?? 0) >= cursor) high = middle
      else low = middle + 1
    }
    const run = runs.at(low)
    if (run === undefined) return
    if (cursor <= run[`${effect}After`] || cursor > run[`${effect}Last`]) return
    return { kind: run.kind, id: run.id, name: run.name }
  }
}

/** Rows as far as they are kept. */
function rowsOf<Row>({ runs }: Origin, effect: Effect, journal: Journal<Row>): Row[] {
  const rows: Row[] = []
  for (const run of runs) {
    const last = run[`${effect}Last`]
    for (let position = run[`${effect}After`] + 1; position <= last; position++) {
      const row = journal.at(position)
      if (row !== undefined) rows.push(row)
    }
  }
  return rows
}

/** Shared by the many calls that change nothing. */
export const NO_RUNS: Run[] = []
