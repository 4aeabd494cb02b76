import { realTime, TIMER_MAX_MS } from '../real-time.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import { DomainError } from '../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../world/duration.ts'
import type { Task } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Timeline } from './timeline.ts'
import { type Effects, ROWS_MAX, watch } from './watch.ts'

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
  world: () => World
  outbox: () => Outbox
  timeline: () => Timeline
  wallClock: () => number
  /** How far the world is behind, because it went on while nobody ran it. */
  lagMs?: number
  /** Called when a call moved, froze or resumed the clock. */
  onMove?: (() => void) | undefined
}

export type Timekeeper = ReturnType<typeof createTimekeeper>

/** The only mover of world time. */
export function createTimekeeper(options: TimekeeperOptions) {
  const { world, outbox, timeline, lagMs = 0, onMove } = options
  const wallClock = createMonotonicClock(options.wallClock)
  let offsetMs = 0
  /** The world whose clock is being advanced; one that replaces it is free at once. */
  let busyWith: World | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  restart()
  offsetMs += lagMs
  return { sync, advance, freeze, resume, observe, restart, close }

  function close() {
    isClosed = true
    realTime.clearTimeout(timer)
  }

  /** Starts anew with a world that replaced the previous one. */
  function restart() {
    offsetMs = world().now - wallClock()
    const followed = world()
    followed.listen(([list, row]) => {
      if (list === 'tasks' && followed === world() && followed.tasks.next() === row) arm()
    })
    arm()
  }

  /** Moves a running world to the wall clock, running what is due on the way at its instant. */
  function sync() {
    catchUp(TASKS_PER_TURN)
  }

  /** The time stays before a due task that is left, so that nobody sees it late. */
  function catchUp(tasksMax: number) {
    const current = world()
    if (current.mode === 'frozen' || busyWith === current) return
    const now = Math.min(wallClock() + offsetMs, INSTANT_MAX)
    let left = tasksMax
    for (let task = current.tasks.next(); task && task.at <= now; task = current.tasks.next()) {
      if (left-- === 0) return
      current.now = Math.max(current.now, task.at)
      timeline().runTask(current, task)
    }
    if (now > current.now) current.now = now
  }

  /** One real timer wakes a running world for its next task. */
  function arm() {
    realTime.clearTimeout(timer)
    const current = world()
    const next = current.tasks.next()
    const isStill = current.mode === 'frozen' || busyWith === current || isClosed
    if (isStill || next === undefined) return
    const delayMs = next.at - (wallClock() + offsetMs)
    timer = realTime.setTimeout(wake, Math.min(Math.max(delayMs, 0), TIMER_MAX_MS))
    timer.unref()
  }

  function wake() {
    sync()
    arm()
  }

  /** Moves forward, running what is scheduled; waits at each instant for its webhooks. */
  async function advance(target: AdvanceTarget, { wait = true } = {}): Promise<AdvanceResult> {
    assertNotBusy()
    catchUp(Number.POSITIVE_INFINITY)
    const current = world()
    const origin = timeline().current
    const from = current.now
    const to = toInstant(current, target)
    busyWith = current
    realTime.clearTimeout(timer)
    const watching = watch(current, outbox(), { wait })
    const fired: Fired[] = []
    let firedCount = 0
    try {
      for (;;) {
        const next = current.tasks.next()
        if (next === undefined || next.at > to) break
        const at = Math.max(next.at, current.now)
        current.now = at
        for (let task: Task | undefined = next; task && task.at <= at; ) {
          if (fired.length < ROWS_MAX) fired.push({ at, kind: task.kind, ref: task.ref })
          timeline().runTask(current, task, origin)
          if (++firedCount % TASKS_PER_TURN === 0) await realTime.nextTurn()
          task = current.tasks.next()
        }
        await watching.delivered()
        assertNotReplaced(current)
      }
      current.now = to
      current.touchScalars()
    } finally {
      if (busyWith === current) busyWith = undefined
      if (current === world()) {
        offsetMs = current.now - wallClock()
        arm()
        onMove?.()
      }
    }
    return { from, to, fired, firedCount, ...(await watching.effects()) }
  }

  function assertNotReplaced(current: World) {
    if (current === world()) return
    throw new DomainError('reset', 'The world was reset while its clock was advancing.', {
      field: 'clock',
    })
  }

  function assertNotBusy() {
    if (busyWith !== world()) return
    throw new DomainError('clock-busy', 'The clock is being advanced; wait for that to end.', {
      field: 'clock',
    })
  }

  async function freeze(at?: number) {
    assertNotBusy()
    // The timer may be late, and does not fire in a frozen world.
    catchUp(Number.POSITIVE_INFINITY)
    if (at !== undefined && at !== world().now) await advance({ to: at })
    world().mode = 'frozen'
    world().touchScalars()
    arm()
    onMove?.()
  }

  function resume() {
    assertNotBusy()
    catchUp(Number.POSITIVE_INFINITY)
    offsetMs = world().now - wallClock()
    world().mode = 'running'
    world().touchScalars()
    arm()
    onMove?.()
  }

  /** Makes a change and waits until its webhooks are delivered. */
  async function observe<T>(change: () => T, { wait = true } = {}) {
    sync()
    const watching = watch(world(), outbox(), { wait })
    const result = change()
    return { result, ...(await watching.effects()) }
  }
}

function toInstant(world: World, target: AdvanceTarget): number {
  const [field = 'to'] = Object.keys(target)
  const to = 'toNext' in target ? nextInstant(world) : toGiven(world, target)
  if (to > INSTANT_MAX) {
    throw new DomainError('too-far', 'The clock ends with the year 9699.', { field })
  }
  return to
}

function nextInstant(world: World): number {
  const next = world.tasks.next()
  if (next) return Math.max(next.at, world.now)
  throw new DomainError('nothing-due', 'Nothing is due, so there is no next instant.', {
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
 * A wall clock that goes on when the machine's is set back: a world that followed it would stand
 * still until it has caught up.
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
