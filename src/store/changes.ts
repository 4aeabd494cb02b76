import type { Task } from '../world/state.ts'
import { exportScalars } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { type KeptLease, LISTS, type ListName } from './replay.ts'

/** A row of a world, a lease, or the number of a task that is scheduled no more. */
export type Entry = [ListName | 'leases', object] | ['cancelled', number]

/** What changed and has not been written yet; a row that changes twice is there once. */
export class Changes {
  #kinds = new Map<object, Entry[0]>()

  add(kind: Entry[0], row: object): void {
    this.#kinds.set(row, kind)
  }

  cancel(task: Task): void {
    this.#kinds.delete(task)
    // Also one that was never written from here: a compaction may have seen it meanwhile.
    this.#kinds.set({ order: task.order }, 'cancelled')
  }

  /** Takes one entry after the other, each as it stands at that moment. */
  *take(taken: Changes): Generator<Entry> {
    for (const [row, kind] of this.#kinds) {
      this.#kinds.delete(row)
      taken.#kinds.set(row, kind)
      yield kind === 'cancelled' ? [kind, (row as Task).order] : [kind, row]
    }
  }

  /** Puts back what was taken and could not be written, before what came since. */
  putBack(taken: Changes): void {
    this.#kinds = new Map([...taken.#kinds, ...this.#kinds])
  }
}

/** A part of what the file holds, a world or the leases, and those who write down its changes. */
export interface Recorder {
  /** Another number after each change. */
  revision(): number
  /** What is no row, for the line that begins the part. */
  head(): object
  rows(): Iterable<Entry>
  /** Collects changes from here on, until they are taken out of the set. */
  readonly attached: Set<Changes>
}

export interface RecorderOptions {
  /** Moves a running world to the present. */
  sync(): void
  wallClock: () => number
  onChange(): void
}

export function recordWorld(world: World, options: RecorderOptions): Recorder {
  const { sync, wallClock, onChange } = options
  const attached = new Set<Changes>()
  const add = (list: ListName, row: object) => {
    for (const changes of attached) changes.add(list, row)
    onChange()
  }
  world.listen({
    onTouch: add,
    onEvent: (event) => add('events', event),
    onMessage: (message) => add('messages', message),
    onTask: (task) => add('tasks', task),
    onTaskEnd(task) {
      for (const changes of attached) changes.cancel(task)
      onChange()
    },
  })
  return { attached, revision: () => world.revision, head, rows: () => rowsOf(world) }

  function head() {
    // Or a world that nobody used for an hour would lose that hour.
    sync()
    return { wallAt: wallClock(), ...exportScalars(world) }
  }
}

/** Every row as it stands when it is asked for: the world may go on meanwhile. */
function* rowsOf(world: World): Generator<Entry> {
  for (const list of LISTS) {
    const rows = world[list]
    const all = 'after' in rows ? rows.after(0) : rows instanceof Map ? rows.values() : rows
    for (const row of all) yield [list, row]
  }
}

export interface LeaseRecorder extends Recorder {
  /** Says that a lease is new or was changed. */
  touch(lease: KeptLease): void
}

export function recordLeases(
  leases: ReadonlyMap<string, KeptLease>,
  onChange: () => void,
): LeaseRecorder {
  const attached = new Set<Changes>()
  let revision = 0
  return {
    attached,
    revision: () => revision,
    head: () => ({}),
    *rows() {
      for (const lease of leases.values()) yield ['leases', lease]
    },
    touch(lease) {
      revision++
      for (const changes of attached) changes.add('leases', lease)
      onChange()
    },
  }
}
