import * as z from 'zod'
import { atPlace, DomainError } from './domain-error.ts'
import { assertRate } from './quotes.ts'
import { parseSettings } from './settings/index.ts'
import {
  COINS,
  FORMAT_VERSION,
  LIST_NAMES,
  LISTS,
  type ListName,
  type Lists,
  type RowOf,
  Scalars,
  type State,
} from './state.ts'
import { toVisible } from './word-list.ts'
import { codeKey } from './world.ts'
import { listFields, toDomainError } from './zod-problems.ts'

/**
 * Reads a stored state, from which a world can then be built. The error names the first wrong row
 * and its place. A field or list that is missing takes the default of its schema.
 */
export function readState(document: object): State {
  assertFormat(document)
  const frame = parse(Frame(), document)
  const lists = LIST_NAMES.map((list) => [list, readRows(list, frame[list])])
  const state: State = { ...(frame as State), ...(Object.fromEntries(lists) as Lists) }
  if (state.integrators.length === 0) throw stateError('integrators', 'must not be empty')
  assertSettings(state)
  assertUnique(state)
  assertReferences(state)
  assertCounts(state)
  return state
}

function assertFormat({ formatVersion }: { formatVersion?: unknown }): void {
  if (formatVersion === FORMAT_VERSION) return
  throw new DomainError(
    'format-version',
    `formatVersion is ${JSON.stringify(formatVersion) ?? 'missing'}; this version of ramp-sandbox reads ${FORMAT_VERSION}.`,
    { field: 'formatVersion' },
  )
}

/** A state whose lists are read one row at a time. */
const Frame = () => {
  const lists = LIST_NAMES.map((list) => [list, z.array(z.unknown()).default([])] as const)
  const shape = Object.fromEntries(lists) as Record<ListName, (typeof lists)[number][1]>
  return z.strictObject({ ...Scalars().shape, ...shape })
}

function readRows(list: ListName, rows: readonly unknown[]): unknown[] {
  const schema: z.ZodType = LISTS[list]()
  return rows.map((row, i) => parse(schema, row, [list, i]))
}

/** One problem is enough, because a row may have millions of entries. */
const FIRST_PROBLEM = { abortEarly: true, error: listFields } as object

function parse<T>(schema: z.ZodType<T>, value: unknown, place: PropertyKey[] = []): T {
  const parsed = schema.safeParse(value, FIRST_PROBLEM)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues
    .slice(0, 1)
    .map((issue) => Object.assign(issue, { path: [...place, ...issue.path] }))
  const sent = place.reduceRight<unknown>(
    (inner, key) => Object.assign(typeof key === 'number' ? [] : {}, { [key]: inner }),
    value,
  )
  throw toDomainError({ issues }, sent, 'state')
}

function assertSettings({ settings, rates }: State) {
  under('settings', () => parseSettings(settings))
  for (const coin of COINS) under('rates', () => assertRate(coin, rates[coin]))
}

/** Adds the place to an error of another part of the world. */
function under(place: string, act: () => void) {
  try {
    act()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { field = '', message = error.message } = error.problems[0] ?? {}
    const path = `${place}.${field}`
    throw new DomainError('invalid', atPlace(path, message), { field: path })
  }
}

type Key = string | number

/** Field that identifies a row in its list. */
const KEYS: { [Name in ListName]: (row: RowOf<Name>) => Key } = {
  integrators: ({ name }) => name,
  users: ({ id }) => id,
  transactions: ({ id }) => id,
  quotes: ({ quoteId }) => quoteId,
  loginCodes: codeKey,
  sessions: ({ id }) => id,
  kycLinks: ({ token }) => token,
  kybSubmissions: ({ id }) => id,
  events: ({ pos }) => pos,
  messages: ({ pos }) => pos,
  tasks: ({ order }) => order,
}

function assertUnique(state: State) {
  for (const list of LIST_NAMES) assertUniqueKeys(state, list)
  assertUniqueKeys(state, 'integrators', ({ apiKey }) => apiKey)
  assertUniqueKeys(state, 'users', ({ email }) => email.toLowerCase())
}

function assertUniqueKeys<Name extends ListName>(
  state: Lists,
  list: Name,
  keyOf: (row: RowOf<Name>) => Key = KEYS[list],
) {
  const seen = new Set<Key>()
  for (const [i, row] of state[list].entries()) {
    const key = keyOf(row)
    if (seen.has(key)) throw stateError(`${list}.${i}`, `duplicate ${toVisible(String(key))}`)
    seen.add(key)
  }
}

/** Rejects a row that names a user or an integrator that the state does not have. */
function assertReferences(state: State) {
  const users = new Set(state.users.map(({ id }) => id))
  const integrators = new Set(state.integrators.map(({ name }) => name))
  const transactions = new Set(state.transactions.map(({ id }) => id))
  /** Lists that fields of these names refer to, in every row. */
  const named = { userId: users, integrator: integrators, integrators }
  for (const list of LIST_NAMES) {
    for (const [i, row] of state[list].entries()) {
      for (const [field, known] of Object.entries(named)) {
        const refs = row[field as keyof typeof row] as string | string[] | null | undefined
        for (const ref of [refs ?? []].flat()) assertKnown(known, ref, `${list}.${i}.${field}`)
      }
    }
  }
  for (const [i, { kind, ref }] of state.tasks.entries()) {
    assertKnown(kind === 'change-kyc-status' ? users : transactions, ref, `tasks.${i}.ref`)
  }
}

function assertKnown(known: ReadonlySet<string>, ref: string, path: string) {
  if (!known.has(ref)) throw stateError(path, `${toVisible(ref)} is not in the state`)
}

/** Rejects a number ahead of its count, because numbering goes on from there. */
function assertCounts(state: State) {
  const { nextQuoteId, taskCount, quotes, tasks, users, transactions } = state
  assertInOrder('events', state)
  assertInOrder('messages', state)
  if (quotes.some(({ quoteId }) => quoteId >= nextQuoteId)) throw behind('nextQuoteId')
  if (tasks.some(({ order }) => order >= taskCount)) throw behind('taskCount')
  const made = new Map<string, number>()
  for (const { userId } of transactions) made.set(userId, (made.get(userId) ?? 0) + 1)
  for (const [i, { id, transactionCount }] of users.entries()) {
    if (transactionCount < (made.get(id) ?? 0)) throw behind(`users.${i}.transactionCount`)
  }
}

/** Rejects entries that are not in the order of their positions, or are ahead of the last one. */
function assertInOrder(list: 'events' | 'messages', { [list]: rows, position }: State) {
  let last = 0
  for (const [i, { pos }] of rows.entries()) {
    if (pos <= last) throw stateError(`${list}.${i}.pos`, `${pos} must be above ${last}`)
    if (pos > position) throw behind('position')
    last = pos
  }
}

const behind = (path: string) => stateError(path, 'lower than the rows require')

/** The error for a wrong place in a state. */
const stateError = (path: string, why: string): DomainError =>
  new DomainError('invalid', `${path}: ${why}.`, { field: path })
