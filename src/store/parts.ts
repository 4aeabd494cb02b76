import { exportScalars } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { LISTS, type ListName } from './replay.ts'

/** A row of a world, or the number of a task that is scheduled no more. */
export type Entry = [ListName, object] | ['cancelled', number]

/** A part of what the file holds: a world. */
export interface Part {
  readonly name: string
  /** What is no row, for the line that begins the part. */
  head(): object
  /** Every row as it stands when it is asked for: the part may change meanwhile. */
  rows(): Iterable<Entry>
}

export interface WorldPartOptions {
  name: string
  /** Moves a running world to the present. */
  sync(): void
  wallClock: () => number
  /** How long a private world may be idle. */
  ttlMs?: number | undefined
}

export function toPart(world: World, { name, sync, wallClock, ttlMs }: WorldPartOptions): Part {
  return { name, head, rows: () => rowsOf(world) }

  function head() {
    // Or a world that nobody used for an hour would lose that hour.
    sync()
    return { wallAt: wallClock(), ...(ttlMs && { ttlMs }), ...exportScalars(world) }
  }
}

function* rowsOf(world: World): Generator<Entry> {
  for (const list of LISTS) {
    const rows = world[list]
    const all = 'after' in rows ? rows.after(0) : rows instanceof Map ? rows.values() : rows
    for (const row of all) yield [list, row]
  }
}

/** Hears each change of a world: of a row, or without one of what is no row. */
export function followWorld(world: World, onChange: (entry?: Entry) => void): void {
  world.listen({
    onTouch: (list, row) => onChange([list, row]),
    onEvent: (event) => onChange(['events', event]),
    onMessage: (message) => onChange(['messages', message]),
    onTask: (task) => onChange(['tasks', task]),
    onTaskEnd: ({ order }) => onChange(['cancelled', order]),
    onScalars: () => onChange(),
  })
}
