import type { SettingValue } from '../world/settings/setting.ts'
import type { ClockMode, Message, Rates, State, Task, WorldEvent } from '../world/state.ts'
import { exportState } from '../world/state-export.ts'
import type { Rows, World } from '../world/world.ts'

/** What one line of the log says: a world as a whole, what changed in it, or that it is gone. */
export type Change = { world: string } & (
  | { state: State; wallAt: number }
  | ({ wallAt: number } & Changed)
  | { deleted: true }
)

export interface Changed {
  scalars: Scalars
  rows: { [Kind in keyof Rows]?: Rows[Kind][] }
  events: WorldEvent[]
  messages: Message[]
  planned: Task[]
  /** The `order` of tasks that are scheduled no longer. */
  dropped: number[]
}

interface Scalars {
  now: number
  mode: ClockMode
  settings: Record<string, SettingValue>
  rates: Rates
  nextQuoteId: number
  taskCount: number
}

/** Collects what changes in a world until it is taken. */
export interface ChangeRecorder {
  readonly isDirty: boolean
  /** What changed since the last call, rows as they are now; serialise it at once. */
  take(wallAt: number): Change
  /** After a failed write: the next `take` has the whole world. */
  untake(): void
}

export interface ChangeRecorderOptions {
  /** Whether the world was read from where its changes go, so that they are enough. */
  isKept?: boolean
  /** Called when something changed. */
  onChange?(): void
}

export function createChangeRecorder(
  name: string,
  world: World,
  { isKept = false, onChange = () => {} }: ChangeRecorderOptions = {},
): ChangeRecorder {
  let takenRevision = world.revision
  let isWhole = !isKept
  let rows = new Map<keyof Rows, Set<object>>()
  let events: WorldEvent[] = []
  let messages: Message[] = []
  let planned = new Set<Task>()
  let dropped: number[] = []
  world.listen({
    onTouch(kind, row) {
      const touched = rows.get(kind)
      if (touched) touched.add(row)
      else rows.set(kind, new Set<object>([row]))
      onChange()
    },
    onEvent(event) {
      events.push(event)
      onChange()
    },
    onMessage(message) {
      messages.push(message)
      onChange()
    },
    onTask(task) {
      planned.add(task)
      onChange()
    },
    onTaskEnd(task) {
      planned.delete(task)
      // Also one that was never written: a snapshot may have seen it meanwhile.
      dropped.push(task.order)
      onChange()
    },
  })
  return {
    get isDirty() {
      return isWhole || world.revision !== takenRevision
    },
    take(wallAt) {
      takenRevision = world.revision
      const change: Change = isWhole
        ? { world: name, wallAt, state: exportState(world) }
        : { world: name, wallAt, ...changed() }
      isWhole = false
      rows = new Map()
      events = []
      messages = []
      planned = new Set()
      dropped = []
      return change
    },
    untake() {
      isWhole = true
    },
  }

  function changed(): Changed {
    const { now, mode, changedSettings: settings, rates, nextQuoteId, taskCount } = world
    return {
      scalars: { now, mode, settings, rates, nextQuoteId, taskCount },
      rows: Object.fromEntries([...rows].map(([kind, touched]) => [kind, [...touched]])),
      events,
      messages,
      planned: [...planned],
      dropped,
    }
  }
}
