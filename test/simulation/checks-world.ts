import type { Task } from '../../src/world/state.ts'
import { copyState, exportState } from '../../src/world/state-export.ts'
import { World } from '../../src/world/world.ts'
import type { Check } from './scene.ts'

/** A pending transaction has one expiry ahead, a final one nothing; every task is about something. */
export const tasks: Check = ({ after }) => {
  const rows = new Map([...after.transactions, ...after.users].map((row) => [row.id, row]))
  const stray = after.tasks.filter(({ kind, ref }) => {
    const row = rows.get(ref)
    return !row || ('closedAt' in row && row.closedAt !== null) || !fits(kind, row.status)
  })
  const pending = after.transactions.filter(({ status }) => status === PENDING)
  const unwatched = pending.filter(({ id }) => {
    const own = after.tasks.filter(({ ref, kind }) => ref === id && kind === 'expire-transaction')
    return own.length !== 1
  })
  return [
    ...stray.map((task) => `${toText(task)} is scheduled for nothing`),
    ...unwatched.map(({ id }) => `transaction ${id} has not one expiry`),
  ]
}

const PENDING = 'pending request money transfer'

const fits = (kind: Task['kind'], status: string) =>
  kind === 'change-kyc-status' || (kind !== 'settle-transaction') === (status === PENDING)

const toText = ({ at, kind, ref }: Task) => `${kind} of ${ref} at ${new Date(at).toISOString()}`

/** After an advance nothing is left behind, and what fired is what was due, in its order. */
export const firing: Check = ({ step, response, before, after, settings }) => {
  if (step.action !== 'advanceClock' || response.status !== 200) return []
  const late = after.tasks.filter(({ at }) => at <= after.now)
  const wrong = late.map((task) => `${toText(task)} was left behind at ${after.now}`)
  const fired = response.data.fired as { at: string; kind: string; ref: string }[]
  const due = before.tasks.filter(({ at }) => at <= after.now)
  const isAuto = settings['transactions.settlement'] === 'auto'
  const instants = fired.map(({ at }) => Date.parse(at))
  if (instants.some((at, i) => at < (instants[i - 1] ?? before.now) || at > after.now)) {
    wrong.push('tasks fired out of order')
  }
  const expected = due.map(({ at, ref }) => `${Math.max(at, before.now)} ${ref}`).join()
  const got = fired.map(({ at, ref }) => `${Date.parse(at)} ${ref}`).join()
  if (!isAuto && !hasAutoTasks(before.tasks) && expected !== got) {
    wrong.push(`[${expected}] were due but [${got}] fired`)
  }
  return wrong
}

const hasAutoTasks = (all: readonly Task[]) =>
  all.some(({ kind }) => kind === 'receive-funds' || kind === 'settle-transaction')

/** Indexes find exactly the rows there are. */
export const indexes: Check = ({ world }) => {
  const { users, transactions, integrators, tasks: queue } = world
  const wrong: string[] = []
  expectIndex('usersById', world.usersById, users, ({ id }) => id)
  expectIndex('usersByEmail', world.usersByEmail, users, ({ email }) => email.toLowerCase())
  expectIndex('transactionsById', world.transactionsById, transactions, ({ id }) => id)
  expectIndex('integratorsByKey', world.integratorsByKey, integrators, ({ apiKey }) => apiKey)
  expectIndex('integratorsByName', world.integratorsByName, integrators, ({ name }) => name)
  expectIndex('quotes', world.quotes, [...world.quotes.values()], ({ quoteId }) => quoteId)
  const all = queue.all()
  const byOwner = new Set([...users, ...transactions].flatMap(({ id }) => queue.of(id)))
  if (byOwner.size !== all.length || all.some((task) => !byOwner.has(task))) {
    wrong.push('the tasks by owner disagree with the queue')
  }
  if (queue.size !== all.length) wrong.push('the queue counts other tasks than it has')
  if (queue.list(all.length).some((task, i) => task !== all[i])) {
    wrong.push('the queue lists its tasks out of order')
  }
  return wrong

  function expectIndex<Key, Row>(
    name: string,
    index: ReadonlyMap<Key, Row>,
    rows: readonly Row[],
    keyOf: (row: Row) => Key,
  ) {
    const isWhole = index.size === rows.length && rows.every((row) => index.get(keyOf(row)) === row)
    if (!isWhole) wrong.push(`${name} disagrees with its rows`)
  }
}

/** A world made from its own export goes on where this one stands. */
export const reload: Check = ({ world }) => {
  const state = copyState(exportState(world))
  const again = copyState(exportState(new World(copyState(state))))
  return JSON.stringify(state) === JSON.stringify(again)
    ? []
    : ['a world made from the export differs from it']
}

/** What was kept of each change adds up to the world as it stands. */
export const keeping: Check = ({ kept, after }) => {
  if (kept === undefined) return []
  const parts = Object.keys(after) as (keyof typeof after)[]
  const inOrder = (state: typeof after) => ({
    ...state,
    tasks: [...state.tasks].sort((a, b) => a.at - b.at || a.order - b.order),
  })
  const [was, is] = [inOrder(kept), inOrder(after)]
  return parts
    .filter((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]))
    .map((part) => `a restart would find other ${part}: ${JSON.stringify(was[part])}`)
}
