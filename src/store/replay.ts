import { newTransactionEvent, type TransactionMoment } from '../world/events.ts'
import type { State, Transaction, WorldEvent } from '../world/state.ts'
import { countTransaction } from '../world/transactions.ts'
import { codeKey, EVENTS_MAX, MESSAGES_MAX, type Rows } from '../world/world.ts'
import type { Change, Changed } from './change.ts'

/** A world as it is read back from disk. */
export interface SavedWorld {
  state: State
  /** The wall clock when it was written, so that a running world can go on from there. */
  wallAt: number
}

/** Rebuilds worlds from a snapshot and the changes since. */
export interface Replay {
  apply(change: Change): void
  worlds(): Map<string, SavedWorld>
}

/** An event as earlier releases logged it: without what its transaction says. */
type EarlierEvent = TransactionMoment & { ref: string }

type Indexed = { [Kind in keyof Rows]: Map<string | number, Rows[Kind]> }

interface ReplayedWorld {
  kept: SavedWorld
  rows: Indexed
  events: (WorldEvent | EarlierEvent)[]
  tasks: Map<number, State['tasks'][number]>
}

const KEYS: { [Kind in keyof Rows]: (row: Rows[Kind]) => string | number } = {
  integrators: ({ name }) => name,
  users: ({ id }) => id,
  transactions: ({ id }) => id,
  quotes: ({ quoteId }) => quoteId,
  loginCodes: ({ userId, integrator }) => codeKey(userId, integrator),
  kycLinks: ({ token }) => token,
  kybSubmissions: ({ id }) => id,
}
const KINDS = Object.keys(KEYS) as (keyof Rows)[]

/** Changes are idempotent, so a crash between writing the two files is harmless. */
export function createReplay(): Replay {
  const worlds = new Map<string, ReplayedWorld>()
  return {
    apply(change) {
      if ('deleted' in change) worlds.delete(change.world)
      else if ('state' in change) worlds.set(change.world, openWorld(change))
      else applyTo(worlds.get(change.world), change)
    },
    worlds: () => new Map([...worlds].map(([name, page]) => [name, closeWorld(page)])),
  }
}

function openWorld({ state, wallAt }: SavedWorld): ReplayedWorld {
  const rows = Object.fromEntries(
    KINDS.map((kind) => [kind, toMap(kind, state[kind] as never[])]),
  ) as unknown as Indexed
  const tasks = new Map(state.tasks.map((task) => [task.order, task]))
  return { kept: { state, wallAt }, rows, events: [...state.events], tasks }
}

function toMap<Kind extends keyof Rows>(kind: Kind, rows: readonly Rows[Kind][]) {
  return new Map(rows.map((row) => [KEYS[kind](row), row]))
}

function applyTo(page: ReplayedWorld | undefined, change: Changed & { wallAt: number }) {
  if (page === undefined) throw new Error('a change of a world that was never written whole')
  const { kept, rows, events, tasks } = page
  const { state } = kept
  Object.assign(state, change.scalars)
  kept.wallAt = change.wallAt
  // Before the rows of users and quotes, which know of them already.
  for (const row of change.rows.transactions ?? []) countIfNew(rows, row)
  for (const kind of KINDS) upsert(rows, kind, change.rows[kind])
  for (const event of change.events) {
    if (event.cursor > state.eventCount) events.push(event)
    state.eventCount = Math.max(state.eventCount, event.cursor)
  }
  for (const message of change.messages) {
    if (message.cursor > state.messageCount) state.messages.push(message)
    state.messageCount = Math.max(state.messageCount, message.cursor)
  }
  if (events.length > 2 * EVENTS_MAX) page.events = events.slice(-EVENTS_MAX)
  if (state.messages.length > 2 * MESSAGES_MAX) state.messages = state.messages.slice(-MESSAGES_MAX)
  for (const task of change.planned) tasks.set(task.order, task)
  for (const order of change.dropped) tasks.delete(order)
}

function countIfNew(rows: Indexed, { id, userId, quoteId }: Transaction) {
  if (rows.transactions.has(id)) return
  countTransaction(rows.users.get(userId), rows.quotes.get(quoteId))
}

function upsert<Kind extends keyof Rows>(rows: Indexed, kind: Kind, changed: Rows[Kind][] = []) {
  for (const row of changed) rows[kind].set(KEYS[kind](row), row)
}

function closeWorld({ kept, rows, events, tasks }: ReplayedWorld): SavedWorld {
  const { state, wallAt } = kept
  return {
    wallAt,
    state: {
      ...state,
      integrators: [...rows.integrators.values()],
      users: [...rows.users.values()],
      transactions: [...rows.transactions.values()],
      quotes: [...rows.quotes.values()],
      loginCodes: [...rows.loginCodes.values()],
      kycLinks: [...rows.kycLinks.values()],
      kybSubmissions: [...rows.kybSubmissions.values()],
      events: events.slice(-EVENTS_MAX).map((event) => toEvent(event, state.seed, rows)),
      messages: state.messages.slice(-MESSAGES_MAX),
      tasks: [...tasks.values()],
    },
  }
}

function toEvent(event: WorldEvent | EarlierEvent, seed: string, rows: Indexed): WorldEvent {
  if (!('ordinal' in event)) return event
  const transaction = rows.transactions.get(event.ref)
  if (transaction === undefined) throw new Error('an event of a transaction that is not there')
  const email = rows.users.get(transaction.userId)?.email ?? ''
  return newTransactionEvent(seed, email, transaction, event)
}
