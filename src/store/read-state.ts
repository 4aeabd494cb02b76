import * as z from 'zod'
import { DomainError } from '../world/domain-error.ts'
import { INSTANT_MAX, INSTANT_MIN } from '../world/duration.ts'
import { PROFILE_FIELD_NAMES, toProfileShape } from '../world/profile.ts'
import { assertRate } from '../world/quotes.ts'
import { parseSettings } from '../world/settings/index.ts'
import {
  type Kind,
  type Kinds,
  LEGACY_HOOKS,
  LIST_NAMES,
  LISTS,
  type ListName,
  type Lists,
  type RowOf,
  type State,
  USER_STATUSES,
} from '../world/state.ts'
import { KEYS } from './replay.ts'
import { Turns } from './turns.ts'

/** Checks a state before a world is built from it. The error names the first wrong row and its place. */
export async function readState(document: object): Promise<State> {
  // States of earlier versions have no sessions.
  const state: Record<string, unknown> = { sessions: [], ...document }
  assertFormat(state)
  assertValid(Frame(), state)
  const turns = new Turns()
  for (const name of LIST_NAMES) {
    const schema = rowSchema(name)
    for (const [i, row] of (state[name] as unknown[]).entries()) {
      assertValid(schema, row, [name, i])
      if (turns.isDue()) await turns.take()
    }
  }
  const read = state as unknown as State
  if (read.integrators.length === 0) throw stateError('integrators', 'is empty')
  assertSettings(read)
  assertUnique(read)
  assertReferences(read)
  assertCounts(read)
  return read
}

/** One problem is enough, because a row may have millions of entries. */
const FIRST_PROBLEM = { abortEarly: true } as object

function assertValid(schema: z.ZodType, value: unknown, place: PropertyKey[] = []) {
  const parsed = schema.safeParse(value, FIRST_PROBLEM)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [...place, ...(issue?.path ?? [])].map(String).join('.') || 'state'
  throw stateError(path, issue?.message ?? 'is not a state')
}

function assertFormat({ formatVersion }: Record<string, unknown>) {
  if (formatVersion === 1) return
  throw new DomainError(
    'format-version',
    `formatVersion is ${JSON.stringify(formatVersion)}; this version of ramp-sandbox reads 1.`,
    { field: 'formatVersion' },
  )
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
  for (const list of LIST_NAMES) assertUniqueKeys(state, list)
  assertUniqueKeys(state, 'integrators', ({ apiKey }) => apiKey)
  assertUniqueKeys(state, 'users', ({ email }) => email.toLowerCase())
}

function assertUniqueKeys<Name extends ListName>(
  state: Lists,
  list: Name,
  keyOf: (row: RowOf<Name>) => string | number = KEYS[list],
) {
  const seen = new Set<string | number>()
  for (const [i, row] of state[list].entries()) {
    const key = keyOf(row)
    if (seen.has(key)) throw stateError(`${list}.${i}`, `another row has ${key}, too`)
    seen.add(key)
  }
}

/** Rejects a row that names a user or an integrator that the state does not have. */
function assertReferences(state: State) {
  const users = new Set(state.users.map(({ id }) => id))
  const integrators = new Set(state.integrators.map(({ name }) => name))
  const transactions = new Set(state.transactions.map(({ id }) => id))
  const named = new Map<Kind, ReadonlySet<string>>([
    ['user', users],
    ['integrator', integrators],
    ['integrator?', integrators],
    ['integrators', integrators],
  ])
  for (const list of LIST_NAMES) {
    for (const [field, kind] of Object.entries<Kind>(LISTS[list])) {
      const known = named.get(kind)
      if (known) assertKnownIn(state, { list, field, known })
    }
  }
  for (const [i, { kind, ref }] of state.tasks.entries()) {
    assertKnown(kind === 'change-kyc-status' ? users : transactions, ref, `tasks.${i}.ref`)
  }
}

function assertKnownIn(
  state: State,
  { list, field, known }: { list: ListName; field: string; known: ReadonlySet<string> },
) {
  for (const [i, row] of state[list].entries()) {
    for (const ref of [row[field as never] as string | string[] | null].flat()) {
      if (ref !== null) assertKnown(known, ref, `${list}.${i}.${field}`)
    }
  }
}

function assertKnown(known: ReadonlySet<string>, ref: string, path: string) {
  if (!known.has(ref)) throw stateError(path, `${ref} is not in the state`)
}

/** Rejects a number ahead of its count, because numbering goes on from there. */
function assertCounts(state: State) {
  const { nextQuoteId, taskCount, quotes, tasks, users, transactions } = state
  assertNoGaps('events', state.events, state.eventCount)
  assertNoGaps('messages', state.messages, state.messageCount)
  if (quotes.some(({ quoteId }) => quoteId >= nextQuoteId)) throw behind('nextQuoteId')
  if (tasks.some(({ order }) => order >= taskCount)) throw behind('taskCount')
  const made = new Map<string, number>()
  for (const { userId } of transactions) made.set(userId, (made.get(userId) ?? 0) + 1)
  for (const [i, { id, transactionCount }] of users.entries()) {
    if (transactionCount < (made.get(id) ?? 0)) throw behind(`users.${i}.transactionCount`)
  }
}

/** Rejects a journal whose rows are not numbered one by one up to the count of all. */
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

const behind = (path: string) => stateError(path, 'is behind the rows')

/** The error for a wrong place in a state. */
const stateError = (path: string, why: string): DomainError =>
  new DomainError('invalid', `${path}: ${why}.`, { field: path })

/** The last instant that a date can hold; tasks may be scheduled after the end of the clock. */
const DATE_MAX = 8.64e15

const Text = () => z.string()
const Int = () => z.int()
const Count = () => z.int().min(0)
const Time = () => z.int().min(INSTANT_MIN).max(DATE_MAX)
const Json = () => z.record(z.string(), z.unknown())
const History = (status: z.ZodType) => z.array(z.strictObject({ status, at: Time() })).min(1)

const KINDS: Record<keyof Kinds, () => z.ZodType> = {
  text: Text,
  texts: () => z.array(Text()),
  name: () => Text().min(1),
  uuid: z.uuid,
  flag: z.boolean,
  int: Int,
  count: Count,
  ordinal: () => z.int().min(1),
  micros: Int,
  number: z.number,
  time: Time,
  user: Text,
  integrator: Text,
  integrators: () => z.array(Text()).min(1),
  webhook: () => z.strictObject({ url: z.url(), createdAt: Time(), updatedAt: Time() }),
  legacyWebhooks: () => {
    const hook = z.strictObject({ enabled: z.boolean(), url: Text() })
    return z.strictObject(Object.fromEntries(LEGACY_HOOKS.map((name) => [name, hook])))
  },
  profile: () =>
    z.strictObject({
      ...toProfileShape(PROFILE_FIELD_NAMES, {
        text: () => Text().optional(),
        date: () => z.iso.date().optional(),
        flag: () => z.boolean().optional(),
      }),
      olderUserInfo: z.record(z.string(), z.string()).optional(),
    }),
  history: () => History(Text()),
  userHistory: () => History(Text()),
  userStatus: () => z.enum(USER_STATUSES),
  payload: Json,
  json: Json,
}

function toSchema(kind: Kind): z.ZodType {
  if (typeof kind !== 'string') return z.enum(kind as readonly string[])
  const isNullable = kind.endsWith('?')
  const schema = KINDS[kind.replace('?', '') as keyof Kinds]()
  return isNullable ? schema.nullable() : schema
}

function rowSchema(list: ListName) {
  const fields = Object.entries<Kind>(LISTS[list])
  return z.strictObject(Object.fromEntries(fields.map(([name, kind]) => [name, toSchema(kind)])))
}

const Rate = () => z.strictObject({ cad: z.number().positive() })
const List = () => z.custom(Array.isArray, 'must be a list')

/** The state without the rows of its lists, which are checked one by one. */
const Frame = () =>
  z.strictObject({
    formatVersion: z.literal(1),
    seed: Text().min(1),
    secret: Text().min(1).optional(),
    fixture: Text(),
    now: Time().max(INSTANT_MAX),
    mode: z.enum(['frozen', 'running']),
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
    rates: z.strictObject({ USDC: Rate(), CADC: Rate() }),
    nextQuoteId: Count().min(1),
    eventCount: Count(),
    messageCount: Count(),
    taskCount: Count(),
    ...Object.fromEntries(LIST_NAMES.map((list) => [list, List()])),
  })
