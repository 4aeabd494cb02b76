import { KEYS } from '../world/read-state.ts'
import {
  FORMAT_VERSION,
  LIST_NAMES,
  type ListName,
  type RowOf,
  type State,
} from '../world/state.ts'
import { EVENTS_MAX, MESSAGES_MAX } from '../world/world.ts'
import { END, type Line } from './line.ts'

/** Begins the rows of a world: all of them where it is whole, otherwise those that changed. */
export type WorldLine = { name: string; isWhole: boolean } & Record<string, unknown>

export interface SavedWorld {
  state: State
  /** The wall clock when it was written, so that a running world can go on from there. */
  wallAt: number
}

export type Saved = Map<string, SavedWorld>

type Key = string | number

/** How many rows a world remembers of a list that forgets its oldest. */
const MAX = new Map<ListName, number>([
  ['events', EVENTS_MAX],
  ['messages', MESSAGES_MAX],
])

interface ReplayedWorld {
  head: Record<string, unknown>
  rows: Record<ListName, Map<Key, object>>
}

/** Applies the lines of a data file in their order: a row takes the place of the one with its key. */
export class Replay {
  readonly #worlds = new Map<string, ReplayedWorld>()
  #current: ReplayedWorld | undefined

  /** Throws a `TypeError` for a line that makes no sense. */
  apply([kind, value]: Line): void {
    if (kind === END[0]) return
    if (kind === 'world') this.#current = this.#enter(value as WorldLine)
    else if (kind === 'deleted') this.#worlds.delete(value as string)
    else if (this.#current === undefined) throw new TypeError('a row of no world')
    else if (kind === 'cancelled') this.#current.rows.tasks.delete(value as number)
    else put(this.#current.rows[kind as ListName], kind as ListName, value as never)
  }

  saved(): Saved {
    return new Map([...this.#worlds].map(([name, world]) => [name, toSaved(world)]))
  }

  #enter({ name, isWhole, ...head }: WorldLine): ReplayedWorld {
    const rows = isWhole ? noRows() : this.#worlds.get(name)?.rows
    if (rows === undefined) throw new TypeError('a change of no world')
    const entered = { head, rows }
    this.#worlds.set(name, entered)
    return entered
  }
}

const noRows = () =>
  Object.fromEntries(LIST_NAMES.map((list) => [list, new Map()])) as ReplayedWorld['rows']

function put<Name extends ListName>(rows: Map<Key, object>, kind: Name, row: RowOf<Name>) {
  rows.set(KEYS[kind](row), row)
  if (rows.size <= (MAX.get(kind) ?? Number.POSITIVE_INFINITY)) return
  const [oldest] = rows.keys()
  rows.delete(oldest as Key)
}

function toSaved({ head, rows }: ReplayedWorld): SavedWorld {
  const { wallAt, ...scalars } = head
  const lists = Object.fromEntries(LIST_NAMES.map((list) => [list, [...rows[list].values()]]))
  const state = { formatVersion: FORMAT_VERSION, ...scalars, ...lists }
  return {
    wallAt: wallAt as number,
    state: state as unknown as State,
  }
}
