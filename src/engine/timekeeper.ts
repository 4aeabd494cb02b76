import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import { DomainError } from '../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../world/duration.ts'
import type { Cause, ClockMode, Task } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Journal } from './journal.ts'
import { type Effects, ROWS_MAX, Watch } from './watch.ts'

/** Tasks that run before other calls get through. */
const TASKS_PER_TURN = 5_000

export type AdvanceTarget = { by: number } | { to: number } | { toNext: true }

export interface Fired {
  at: number
  kind: Task['kind']
  ref: string
}

export interface AdvanceResult extends Effects {
  from: number
  to: number
  fired: Fired[]
  firedCount: number
}

export interface TimekeeperOptions {
  /** Services of the world whose clock this is. A reset replaces them. */
  services: { readonly world: World; readonly outbox: Outbox; readonly journal: Journal }
  wallClock: () => number
  /** How far the clock is behind, because a running world goes on while the process is down. */
  lagMs: number
  /** Called when a call moved, froze or resumed the clock. */
  onMove(): void
}

/** Moves world time; nothing else does. */
export class Timekeeper {
  readonly #options: TimekeeperOptions
  readonly #wallClock: () => number
  #offsetMs = 0
  /** The world whose clock is being advanced. A world that replaces it may be advanced at once. */
  #busyWith: World | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: TimekeeperOptions) {
    this.#options = options
    this.#wallClock = createMonotonicClock(options.wallClock)
    this.restart()
    this.#offsetMs += options.lagMs
  }

  get #world(): World {
    return this.#options.services.world
  }

  get #journal(): Journal {
    return this.#options.services.journal
  }

  /** Follows a world that replaced the previous one. */
  restart(): void {
    const followed = this.#world
    this.#offsetMs = followed.now - this.#wallClock()
    followed.listen(([list, row]) => {
      if (list === 'tasks' && followed === this.#world && followed.tasks.next() === row) this.#arm()
    })
    this.#arm()
  }

  /** Moves a running world to the present, running each task on the way at its instant. */
  sync(): void {
    this.#catchUp(TASKS_PER_TURN)
  }

  /** Moves forward, running what is scheduled; waits at each instant for its webhooks. */
  async advance(target: AdvanceTarget, { wait = true } = {}): Promise<AdvanceResult> {
    this.#assertNotBusy()
    this.#catchUp(Number.POSITIVE_INFINITY)
    const world = this.#world
    const from = world.now
    const to = toInstant(world, target)
    const watch = new Watch(world, this.#options.services.outbox, { wait })
    const ran = { cause: world.cause, fired: [] as Fired[], firedCount: 0 }
    this.#busyWith = world
    realTime.clearTimeout(this.#timer)
    try {
      for (let at = nextWithin(world, to); at !== undefined; at = nextWithin(world, to)) {
        await this.#runInstant(world, at, ran)
        await watch.delivered()
        this.#assertNotReplaced(world)
      }
      world.now = to
      world.touchScalars()
    } finally {
      this.#endAdvance(world)
    }
    const { fired, firedCount } = ran
    return { from, to, fired, firedCount, ...(await watch.effects()) }
  }

  async freeze(at?: number): Promise<void> {
    this.#assertNotBusy()
    // The timer may be late, and does not fire in a frozen world.
    this.#catchUp(Number.POSITIVE_INFINITY)
    if (at !== undefined && at !== this.#world.now) await this.advance({ to: at })
    this.#enter('frozen')
  }

  resume(): void {
    this.#assertNotBusy()
    this.#catchUp(Number.POSITIVE_INFINITY)
    this.#offsetMs = this.#world.now - this.#wallClock()
    this.#enter('running')
  }

  async observe<T>(change: () => T, { wait }: { wait: boolean }) {
    this.sync()
    const watch = new Watch(this.#world, this.#options.services.outbox, { wait })
    const result = change()
    return { result, ...(await watch.effects()) }
  }

  close(): void {
    this.#isClosed = true
    realTime.clearTimeout(this.#timer)
  }

  #enter(mode: ClockMode): void {
    const world = this.#world
    world.mode = mode
    world.touchScalars()
    this.#arm()
    this.#options.onMove()
  }

  /** Runs the tasks of one instant, including those that they schedule for it. */
  async #runInstant(world: World, at: number, ran: Ran): Promise<void> {
    world.now = at
    for (let task = world.tasks.next(); task && task.at <= at; task = world.tasks.next()) {
      if (ran.fired.length < ROWS_MAX) ran.fired.push({ at, kind: task.kind, ref: task.ref })
      this.#journal.runTask(world, task, ran.cause)
      if (++ran.firedCount % TASKS_PER_TURN === 0) await realTime.nextTurn()
    }
  }

  #endAdvance(world: World): void {
    if (this.#busyWith === world) this.#busyWith = undefined
    if (world !== this.#world) return
    this.#offsetMs = world.now - this.#wallClock()
    this.#arm()
    this.#options.onMove()
  }

  /** Stops before a task that is left for the next turn, so that no task appears overdue. */
  #catchUp(tasksMax: number): void {
    const world = this.#world
    if (world.mode === 'frozen' || this.#busyWith === world) return
    const now = Math.min(this.#wallClock() + this.#offsetMs, INSTANT_MAX)
    let left = tasksMax
    for (let task = world.tasks.next(); task && task.at <= now; task = world.tasks.next()) {
      if (left-- === 0) return
      world.now = Math.max(world.now, task.at)
      this.#journal.runTask(world, task)
    }
    if (now > world.now) world.now = now
  }

  /** One real timer wakes a running world for its next task. */
  #arm(): void {
    realTime.clearTimeout(this.#timer)
    const world = this.#world
    const next = world.tasks.next()
    const isStill = world.mode === 'frozen' || this.#busyWith === world || this.#isClosed
    if (isStill || next === undefined) return
    const delayMs = next.at - (this.#wallClock() + this.#offsetMs)
    const waitMs = Math.min(Math.max(delayMs, 0), TIMER_MAX_MS)
    this.#timer = realTime.setTimeout(() => this.#wake(), waitMs)
    this.#timer.unref()
  }

  #wake(): void {
    this.sync()
    this.#arm()
  }

  #assertNotReplaced(world: World): void {
    if (world === this.#world) return
    throw new DomainError('reset', 'The world was reset while its clock was advancing.', {
      field: 'clock',
    })
  }

  #assertNotBusy(): void {
    if (this.#busyWith !== this.#world) return
    throw new DomainError('clock-busy', 'The clock is being advanced; wait until that is done.', {
      field: 'clock',
    })
  }
}

interface Ran {
  readonly cause: Cause | null
  readonly fired: Fired[]
  firedCount: number
}

/** The next instant with a task, if it is not after `to`. */
function nextWithin(world: World, to: number): number | undefined {
  const next = world.tasks.next()
  return next === undefined || next.at > to ? undefined : Math.max(next.at, world.now)
}

function toInstant(world: World, target: AdvanceTarget): number {
  const [field = 'to'] = Object.keys(target)
  const to = 'toNext' in target ? nextInstant(world) : toGiven(world, target)
  if (to > INSTANT_MAX) {
    throw new DomainError('too-far', 'The clock cannot go beyond the year 9699.', { field })
  }
  return to
}

function nextInstant(world: World): number {
  const next = world.tasks.next()
  if (next) return Math.max(next.at, world.now)
  throw new DomainError('nothing-due', 'Nothing is scheduled, so there is no next instant.', {
    field: 'toNext',
  })
}

function toGiven(world: World, target: { by: number } | { to: number }): number {
  const to = 'by' in target ? world.now + target.by : target.to
  if (to > world.now) return to
  const now = formatInstant(world.now)
  const field = 'by' in target ? 'by' : 'to'
  throw new DomainError('not-forward', `Time only moves forward; it is ${now} now.`, { field })
}

/**
 * A wall clock that keeps moving when the system clock is set back. Without it, a running world
 * would stand still until the system clock caught up.
 */
function createMonotonicClock(wallClock: () => number): () => number {
  let last = wallClock()
  let lastAt = realTime.elapsed()
  let setBackMs = 0
  return () => {
    const wall = wallClock()
    const at = realTime.elapsed()
    if (wall < last) setBackMs += last - wall + Math.floor(at - lastAt)
    last = wall
    lastAt = at
    return wall + setBackMs
  }
}
