import type { State, Task } from '../world/state.ts'
import type { Rows, World } from '../world/world.ts'

/** The lists of a world, as the data file names them. */
export const LISTS = [
  'integrators',
  'users',
  'transactions',
  'quotes',
  'loginCodes',
  'sessions',
  'kycLinks',
  'kybSubmissions',
  'events',
  'messages',
  'tasks',
] as const satisfies (keyof Rows | keyof State)[]
export type ListName = (typeof LISTS)[number]
export type Entry = [ListName, object] | ['cancelled', number]

/** What changed in a world and has not been written yet; a row that changes twice is there once. */
export class Changes {
  #lists = new Map<object, ListName | 'cancelled'>()

  add(list: ListName, row: object): void {
    this.#lists.set(row, list)
  }

  cancel(task: Task): void {
    this.#lists.delete(task)
    // Also one that was never written from here: a compaction may have seen it meanwhile.
    this.#lists.set({ order: task.order }, 'cancelled')
  }

  /** Takes one entry after the other, each as it stands at that moment. */
  *take(taken: Changes): Generator<Entry> {
    for (const [row, list] of this.#lists) {
      this.#lists.delete(row)
      taken.#lists.set(row, list)
      if (list === 'cancelled') yield [list, (row as Task).order]
      else yield [list, row]
    }
  }

  /** Puts back what was taken and could not be written, before what came since. */
  putBack(taken: Changes): void {
    this.#lists = new Map([...taken.#lists, ...this.#lists])
  }
}

/** Watches a world for everyone who writes it down. */
export interface Recorder {
  readonly world: World
  /** Moves a running world to the present. */
  sync(): void
  /** Collects changes from here on, until `detach`. */
  attach(): Changes
  detach(changes: Changes): void
}

export interface RecorderOptions extends Pick<Recorder, 'world' | 'sync'> {
  onChange(): void
}

export function createRecorder({ world, sync, onChange }: RecorderOptions): Recorder {
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
  return {
    world,
    sync,
    attach() {
      const changes = new Changes()
      attached.add(changes)
      return changes
    },
    detach: (changes) => void attached.delete(changes),
  }
}

/** Every row of a world, each as it stands when it is asked for: the world may go on meanwhile. */
export function* entriesOf(world: World): Generator<Entry> {
  const lists: Record<ListName, Iterable<object>> = {
    integrators: world.integrators,
    users: world.users,
    transactions: world.transactions,
    quotes: world.quotes.values(),
    loginCodes: world.loginCodes.values(),
    sessions: world.sessions.values(),
    kycLinks: world.kycLinks.values(),
    kybSubmissions: world.kybSubmissions,
    events: world.events.after(0),
    messages: world.messages.after(0),
    tasks: world.tasks,
  }
  for (const list of LISTS) for (const row of lists[list]) yield [list, row]
}

/** All of a world that is no list. */
export function scalarsOf(world: World) {
  const { seed, fixture, now, mode, changedSettings, rates, nextQuoteId, taskCount } = world
  const counts = { eventCount: world.events.last, messageCount: world.messages.last, taskCount }
  return { seed, fixture, now, mode, settings: changedSettings, rates, nextQuoteId, ...counts }
}
