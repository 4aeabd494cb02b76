import { sessionKey } from '../world/session.ts'
import type { State } from '../world/state.ts'
import { codeKey, EVENTS_MAX, MESSAGES_MAX } from '../world/world.ts'
import { LISTS, type ListName } from './changes.ts'
import { type FileRead, type Line, readDataFile } from './data-file.ts'

/** A world as it is read back from disk. */
export interface SavedWorld {
  state: State
  /** The wall clock when it was written, so that a running world can go on from there. */
  wallAt: number
}

type Row<Name extends ListName> = State[Name][number]

const KEYS: { [Name in ListName]: (row: Row<Name>) => string | number } = {
  integrators: ({ name }) => name,
  users: ({ id }) => id,
  transactions: ({ id }) => id,
  quotes: ({ quoteId }) => quoteId,
  loginCodes: ({ userId, integrator }) => codeKey(userId, integrator),
  sessions: sessionKey,
  kycLinks: ({ token }) => token,
  kybSubmissions: ({ id }) => id,
  events: ({ cursor }) => cursor,
  messages: ({ cursor }) => cursor,
  tasks: ({ order }) => order,
}
/** Lists of which a world remembers only the newest rows. */
const MAX = new Map<string, number>([
  ['events', EVENTS_MAX],
  ['messages', MESSAGES_MAX],
])

interface ReplayedWorld {
  scalars: Record<string, unknown>
  wallAt: number
  rows: Record<ListName, Map<string | number, object>>
}

/** Reads a data file; whatever follows its last group was never answered, and is left out. */
export async function replayFile(
  path: string,
): Promise<{ saved: Map<string, SavedWorld>; read: FileRead }> {
  let replay = createReplay()
  let read = await readDataFile(path, { onLine: replay.apply })
  if (read.isTorn) {
    replay = createReplay()
    read = await readDataFile(path, { onLine: replay.apply, size: read.end.size })
  }
  return { saved: replay.worlds(), read }
}

export function createReplay() {
  const worlds = new Map<string, ReplayedWorld>()
  let current: ReplayedWorld | undefined
  return {
    /** Throws a `TypeError` for a line that makes no sense. */
    apply([kind, value]: Line): void {
      if (kind === 'end') return
      if (kind === 'world') current = enter(value as WorldLine)
      else if (kind === 'deleted') worlds.delete(value as string)
      else if (current === undefined) throw new TypeError('a row of no world')
      else if (kind === 'cancelled') current.rows.tasks.delete(value as number)
      else put(current.rows, kind as ListName, value as never)
    },
    worlds: () => new Map([...worlds].map(([name, world]) => [name, toSaved(world)])),
  }

  function enter({ name, isWhole, wallAt, ...scalars }: WorldLine): ReplayedWorld {
    const rows = isWhole ? noRows() : worlds.get(name)?.rows
    if (rows === undefined) throw new TypeError('a change of no world')
    const entered = { scalars, wallAt, rows }
    worlds.set(name, entered)
    return entered
  }
}

/** Begins the rows of a world: all of it follows, or what changed. */
export type WorldLine = { name: string; isWhole: boolean; wallAt: number } & Record<string, unknown>

const noRows = () => Object.fromEntries(LISTS.map((list) => [list, new Map()])) as never

function put<Name extends ListName>(rows: ReplayedWorld['rows'], list: Name, row: Row<Name>) {
  const put = rows[list].set(KEYS[list](row), row)
  const max = MAX.get(list)
  if (max === undefined || put.size <= max) return
  const [oldest] = put.keys()
  put.delete(oldest as number)
}

function toSaved({ scalars, wallAt, rows }: ReplayedWorld): SavedWorld {
  const lists = Object.fromEntries(LISTS.map((list) => [list, [...rows[list].values()]]))
  return { wallAt, state: { formatVersion: 1, ...scalars, ...lists } as unknown as State }
}
