import type { Delivery } from '../webhooks/delivery.ts'
import { DomainError } from '../world/domain-error.ts'
import { Entries, type Entry } from '../world/entries.ts'
import { runTask } from '../world/lifecycle.ts'
import { shorten } from '../world/shorten.ts'
import type { ActionKind, Cause, Message, Task, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { type Announcement, Announcements } from './announcements.ts'
import { CallRecord, type Origin } from './call-record.ts'
import type { StreamKind } from './stream-kinds.ts'

export const CALLS_MAX = 1_000
const ACTIONS_MAX = 1_000
const DELIVERIES_MAX = 10_000
/** Characters of all calls, and of all responses of receivers; beyond them the oldest go. */
const CALLS_LENGTH_MAX = 16 * 1024 * 1024
const RESPONSES_LENGTH_MAX = 32 * 1024 * 1024
/** Characters of an action’s input, and of what was wrong with it, that are kept. */
const TEXT_MAX = 1_000
/** Calls that may wait in one world, streams included. */
export const FOLLOWERS_MAX = 1_000

/** Something that was done to the world other than by a contract call. Times are world time. */
export interface Action extends Origin {
  readonly kind: ActionKind
  readonly operation: string
  readonly at: number
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

type Listener = (kind: StreamKind | 'caught' | 'closed', announced?: Announcement) => void

interface JournalOptions {
  onCall?(record: CallRecord): void
  onUnfollow?(): void
}

/**
 * Everything that happened in one world, in one sequence: calls, actions, events, messages and
 * deliveries, each with its cause. Events and messages belong to the state of the world, which also
 * counts the positions. Each kind has a bound of its own, so that a client that polls evicts no
 * login code.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #followers = new Map<Listener, string | undefined>()
  readonly #watchers = new Set<Listener>()
  #world: World
  #begun: number
  #kept: ReturnType<typeof openKept>

  constructor(world: World, options: JournalOptions = {}) {
    this.#world = world
    this.#begun = world.position
    this.#kept = openKept(world.position)
    this.#options = options
  }

  get position(): number {
    return this.#world.position
  }

  get calls(): Entries<CallRecord> {
    return this.#kept.calls
  }

  get actions(): Entries<Action> {
    return this.#kept.actions
  }

  get deliveries(): Entries<Delivery> {
    return this.#kept.deliveries
  }

  get events(): Entries<WorldEvent> {
    return this.#world.events
  }

  get messages(): Entries<Message> {
    return this.#world.messages
  }

  /** Calls that wait now, streams included. */
  get followers(): number {
    return this.#followers.size
  }

  /** Begins anew with the world of a reset. */
  begin(world: World): void {
    this.#world = world
    this.#begun = world.position
    this.#kept = openKept(world.position)
  }

  /** Goes on with the world of a restore: calls, actions and deliveries stay. */
  goOn(world: World): void {
    this.#world = world
  }

  /** Calls of this kind that wait now. */
  countFollowers(as: string): number {
    return [...this.#followers.values()].filter((each) => each === as).length
  }

  openCall(method: string, url: string): CallRecord {
    const { calls } = this
    const [pos, at] = [this.#world.nextPosition(), this.#world.now]
    const record = new CallRecord({ pos, number: calls.total + 1, method, url, at })
    calls.push(record)
    return record
  }

  closeCall(record: CallRecord): void {
    this.calls.weigh(record, record.end())
    this.#options.onCall?.(record)
    this.#announceOwn('request', this.calls, record)
  }

  openAction({ kind, operation, subject, input }: ActionRequest): Action {
    const { now } = this.#world
    const action: Action = {
      pos: this.#world.nextPosition(),
      id: `act_${this.actions.total + 1}`,
      kind,
      operation,
      subject,
      input: input === undefined ? null : shorten(JSON.stringify(input), TEXT_MAX, ''),
      at: now,
      until: now,
      status: 0,
      problem: null,
    }
    this.actions.push(action)
    return action
  }

  closeAction(action: Action, { status, problem }: ActionResult): void {
    action.until = this.#world.now
    action.status = status
    action.problem = problem === undefined ? null : shorten(problem, TEXT_MAX)
    this.#announceOwn('action', this.actions, action)
  }

  endDelivery(delivery: Delivery): void {
    this.#announceOwn('delivery', this.deliveries, delivery)
  }

  /** Runs a piece of work whose entries have this cause. */
  run<T>(world: World, { kind, id, operation: name, pos }: Origin, work: () => T): T {
    return this.#runAs(world, { kind, id, name, pos }, work)
  }

  #runAs<T>(world: World, cause: Cause, work: () => T): T {
    const outer = world.cause
    world.cause = cause
    try {
      return work()
    } finally {
      world.cause = outer
    }
  }

  /** Runs a scheduled task, by itself or as a part of an advance. */
  runTask(world: World, task: Task, advance?: Cause | null): void {
    const { kind, ref } = task
    if (advance) {
      const { id, pos } = advance
      const cause = { kind: advance.kind, id, name: kind, pos }
      this.#runAs(world, cause, () => runTask(world, task))
      return
    }
    const action = this.openAction({ kind: 'task', operation: kind, subject: ref })
    this.run(world, action, () => runTask(world, task))
    this.closeAction(action, { status: 200 })
  }

  /** The cause of an entry; null where the call or action was in a journal before this one. */
  causeOf({ cause }: { readonly cause: Cause | null }): Cause | null {
    return cause !== null && cause.pos > this.#begun ? cause : null
  }

  /** Returns what a call or an action has caused. */
  causedBy({ pos }: Origin) {
    const isOwn = ({ cause }: { readonly cause: Cause | null }) => cause?.pos === pos
    return {
      events: this.events.after(pos).filter(isOwn),
      messages: this.messages.after(pos).filter(isOwn),
      deliveries: this.deliveries.after(pos).filter(isOwn),
    }
  }

  /** Tells followers that an entry is complete, or that something else has changed. */
  announce(kind: StreamKind, of = 0): void {
    // An event is complete as it is written.
    const isWritten = kind === 'event' || kind === 'message'
    const announced = { pos: isWritten ? of : this.#world.nextPosition(), kind, of }
    this.#kept.announced.push(announced)
    this.#tell(kind, announced)
  }

  /** Tells followers what is in no journal: a catch received something, or the world has ended. */
  signal(kind: 'caught' | 'closed'): void {
    this.#tell(kind)
  }

  #tell(...told: Parameters<Listener>): void {
    for (const listener of this.#watchers) listener(...told)
    for (const listener of this.#followers.keys()) listener(...told)
  }

  /** A call that was running during a reset is in this journal no longer. */
  #announceOwn<Row extends Entry>(kind: StreamKind, rows: Entries<Row>, row: Row): void {
    if (rows.at(row.pos) === row) this.announce(kind, row.pos)
  }

  announcedAfter(pos: number, limit?: number): Announcement[] {
    return this.#kept.announced.after(pos, limit)
  }

  /** Returns true if a reader who has read up to a position has missed entries for good. */
  hasForgotten(pos: number): boolean {
    return this.#kept.announced.hasForgotten(pos)
  }

  /** Passes on every entry, without counting as a call. */
  watch(listener: Listener): void {
    this.#watchers.add(listener)
  }

  /** Returns a function that unsubscribes. Throws beyond `FOLLOWERS_MAX`. */
  follow(listener: Listener, as?: string): () => void {
    if (this.#followers.size >= FOLLOWERS_MAX) throw tooMany()
    this.#followers.set(listener, as)
    return () => {
      this.#followers.delete(listener)
      this.#options.onUnfollow?.()
    }
  }
}

const openKept = (start: number) => ({
  calls: new Entries<CallRecord>({ max: CALLS_MAX, lengthMax: CALLS_LENGTH_MAX, start }),
  actions: new Entries<Action>({ max: ACTIONS_MAX, start }),
  deliveries: new Entries<Delivery>({
    max: DELIVERIES_MAX,
    lengthMax: RESPONSES_LENGTH_MAX,
    start,
  }),
  announced: new Announcements(),
})

function tooMany(): DomainError {
  const message = `At most ${FOLLOWERS_MAX} calls may wait in one world; end some of them.`
  return new DomainError('too-many-waiters', message, { field: 'timeout' })
}
