import { DomainError } from '../world/domain-error.ts'
import { assertRate } from '../world/quotes.ts'
import { sessionKey } from '../world/session.ts'
import { parseSettings } from '../world/settings/index.ts'
import type { State } from '../world/state.ts'
import { codeKey } from '../world/world.ts'
import type { ListName } from './replay.ts'

/** Throws for a state whose parts do not fit together, naming the place. */
export function assertConsistent(state: State): void {
  assertSettings(state)
  assertUnique(state)
  assertReferences(state)
  assertCounts(state)
}

function assertSettings({ settings, rates }: State) {
  under('settings', () => parseSettings(settings))
  for (const coin of ['USDC', 'CADC'] as const) {
    under('rates', () => assertRate(coin, rates[coin]))
  }
}

/** Adds the place to an error of another part of the world. */
function under(place: string, act: () => void) {
  try {
    act()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { field, message = 'does not fit' } = error.problems[0] ?? {}
    throw stateError(`${place}.${field}`, message.replace(/\.$/, ''))
  }
}

function assertUnique(state: State) {
  unique(state, 'integrators', 'name', ({ name }) => name)
  unique(state, 'integrators', 'apiKey', ({ apiKey }) => apiKey)
  unique(state, 'users', 'id', ({ id }) => id)
  unique(state, 'users', 'email', ({ email }) => email.toLowerCase())
  unique(state, 'transactions', 'id', ({ id }) => id)
  unique(state, 'quotes', 'quoteId', ({ quoteId }) => quoteId)
  unique(state, 'loginCodes', 'userId', (code) => codeKey(code.userId, code.integrator))
  unique(state, 'sessions', 'userId', sessionKey)
  unique(state, 'kycLinks', 'token', ({ token }) => token)
  unique(state, 'kybSubmissions', 'id', ({ id }) => id)
  unique(state, 'tasks', 'order', ({ order }) => order)
}

function unique<Kind extends ListName>(
  state: State,
  list: Kind,
  field: string,
  keyOf: (row: State[Kind][number]) => string | number,
) {
  const seen = new Set<string | number>()
  state[list].forEach((row, i) => {
    const key = keyOf(row)
    if (seen.has(key)) throw stateError(`${list}.${i}.${field}`, `${key} is there twice`)
    seen.add(key)
  })
}

function assertReferences(state: State) {
  const integrators = new Set(state.integrators.map(({ name }) => name))
  const users = new Set(state.users.map(({ id }) => id))
  const transactions = new Set(state.transactions.map(({ id }) => id))
  const lists = { integrators, users, transactions }
  const must = (list: keyof typeof lists, ref: string, path: string) => {
    if (!lists[list].has(ref)) throw stateError(path, `there is no ${ref} among the ${list}`)
  }
  state.users.forEach((user, i) => {
    for (const name of user.integrators) must('integrators', name, `users.${i}.integrators`)
  })
  for (const list of ['transactions', 'loginCodes', 'sessions', 'kycLinks'] as const) {
    state[list].forEach(({ userId }, i) => void must('users', userId, `${list}.${i}.userId`))
  }
  for (const list of [
    'transactions',
    'loginCodes',
    'sessions',
    'quotes',
    'kybSubmissions',
    'events',
  ] as const) {
    state[list].forEach(({ integrator }, i) => {
      if (integrator !== null) must('integrators', integrator, `${list}.${i}.integrator`)
    })
  }
  state.tasks.forEach(({ kind, ref }, i) => {
    must(kind === 'change-kyc-status' ? 'users' : 'transactions', ref, `tasks.${i}.ref`)
  })
}

/** Numbering continues from the counts, so no number may be ahead of them. */
function assertCounts(state: State) {
  assertNoGaps('events', state.events, state.eventCount)
  assertNoGaps('messages', state.messages, state.messageCount)
  state.quotes.forEach(({ quoteId }, i) => {
    if (quoteId >= state.nextQuoteId) throw behind('nextQuoteId', `quotes.${i}.quoteId`)
  })
  state.tasks.forEach(({ order }, i) => {
    if (order >= state.taskCount) throw behind('taskCount', `tasks.${i}.order`)
  })
  const made = new Map<string, number>()
  for (const { userId } of state.transactions) made.set(userId, (made.get(userId) ?? 0) + 1)
  state.users.forEach(({ id, transactionCount }, i) => {
    const path = `users.${i}.transactionCount`
    if (transactionCount < (made.get(id) ?? 0)) throw behind(path, 'the transactions of the user')
  })
}

/** Rows of a journal are numbered without gaps, up to the count of all. */
function assertNoGaps(
  list: 'events' | 'messages',
  rows: readonly { cursor: number }[],
  count: number,
) {
  rows.forEach(({ cursor }, i) => {
    const expected = count - rows.length + i + 1
    if (cursor === expected && expected > 0) return
    throw stateError(`${list}.${i}.cursor`, `is ${cursor}, and ${expected} by the count of all`)
  })
}

const behind = (path: string, rows: string) => stateError(path, `is behind ${rows}`)

/** A state of which this place is wrong. */
export const stateError = (path: string, why: string): DomainError =>
  new DomainError('invalid', `${path}: ${why}.`, { field: path })
