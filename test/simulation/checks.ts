import { DAY } from '../../src/world/duration.ts'
import { grossCad } from '../../src/world/price.ts'
import type { Quote, State, Task, Transaction, WorldEvent } from '../../src/world/state.ts'
import { exportState } from '../../src/world/state-export.ts'
import { World } from '../../src/world/world.ts'
import { PENDING, PROCESSING } from '../helpers/story.ts'
import { REPLACING, type Scene } from './life.ts'

/** Says what is wrong with a scene: nothing, for a sandbox that keeps its word. */
type Check = (scene: Scene) => string[]

/** The ways of the contract; anything a test forced counts as being processed. */
const WAYS: Record<string, readonly string[]> = {
  [PENDING]: [PROCESSING, 'cancelled', 'expired'],
  [PROCESSING]: ['complete'],
  complete: [],
  cancelled: [],
  expired: [],
}
const READS = new Set([
  'findUsers',
  'getRequirements',
  'getLimits',
  'getTransaction',
  'listTransactions',
  'takeSnapshot',
  'importState',
])

/** Of the response, and of what the step promised: looked at after each step. */
const OF_STEPS: Readonly<Record<string, Check>> = {
  /** Nothing fails; what was broken on purpose, or sent with a token that has expired, is refused. */
  outcome({ step, response, before }) {
    if (response.status >= 500) return [`the sandbox failed: ${response.text}`]
    if (response.status >= 400) return []
    if (step.broken) return [`${step.broken} was accepted`]
    return step.token && step.token.expiresAt <= before.now ? ['an expired token was accepted'] : []
  },
  /** A refused call changes nothing; only a wrong login code counts as an attempt. */
  rejections({ step, response, before, after }) {
    if (response.status < 400 || before === after) return []
    const isAttempt = step.action === 'verifyLoginCode' && response.status === 401
    const { loginCodes, position } = before
    const forgiven = { ...after, position, ...(isAttempt && { loginCodes }) }
    return isSame(forgiven, before)
      ? []
      : [`refused with ${response.status}, and changed the state`]
  },
  /** Reading changes nothing, nor does importing what was exported. */
  reads: ({ step, before, after }) =>
    READS.has(step.action) && before !== after ? [`${step.action} changed the state`] : [],
  /** A reset leaves no rows, and the clock where it is asked to. */
  resets({ step, response, before, after }) {
    if (step.action !== 'reset' || response.status >= 400) return []
    const { keep = [] } = step.body as { keep?: string[] }
    const hasMoved = keep.includes('clock') && after.now !== before.now
    const hasRows = after.transactions.length + after.events.length > 0
    return [...(hasRows ? ['a reset left rows'] : []), ...(hasMoved ? ['the clock moved'] : [])]
  },
  /** After an advance nothing is left behind, and what fired is what was due, in its order. */
  firing({ step, response, before, after, settings }) {
    if (step.action !== 'advanceClock' || response.status !== 200) return []
    const wrong = after.tasks
      .filter(({ at }) => at <= after.now)
      .map((task) => `left ${toText(task)}`)
    const fired = response.data.fired as { at: string; kind: string; ref: string }[]
    const instants = [before.now, ...fired.map(({ at }) => Date.parse(at)), after.now]
    if (!isOrdered(instants)) wrong.push('tasks fired out of order')
    const addsTasks = ({ kind }: Task) => kind === 'receive-funds' || kind === 'settle-transaction'
    if (settings['transactions.settlement'] === 'auto' || before.tasks.some(addsTasks)) return wrong
    const due = before.tasks.filter(({ at }) => at <= after.now)
    const expected = due.map(({ at, ref }) => `${Math.max(at, before.now)} ${ref}`).join()
    const actual = fired.map(({ at, ref }) => `${Date.parse(at)} ${ref}`).join()
    return expected === actual ? wrong : [...wrong, `[${expected}] were due but [${actual}] fired`]
  },
}

/** Of the state: looked at when it has changed, unless another world took its place. */
const OF_CHANGES: Readonly<Record<string, Check>> = {
  /** Statuses follow the table, a final transaction never moves, and nothing else ever changes. */
  moves({ before, after, step }) {
    const later = new Map(after.transactions.map((transaction) => [transaction.id, transaction]))
    return before.transactions.flatMap((was) => {
      const is = later.get(was.id)
      if (!is) return [`transaction ${was.id} vanished`]
      const wrong = findChanged(was, is)
      for (let i = was.history.length; i < is.history.length; i++) {
        const [from = '', to = ''] = [is.history[i - 1]?.status, is.history[i]?.status]
        const ways = WAYS[from] ?? WAYS[PROCESSING] ?? []
        if (!ways.includes(to) && step.action !== 'simulateStatus')
          wrong.push(`moved from ${from} to ${to}`)
      }
      return wrong.map((what) => `transaction ${was.id} ${what}`)
    })
  },
  /** A new transaction is of a verified user, within the limits, at the price of a live quote. */
  limits(scene) {
    const { before, after, settings, step } = scene
    const known = new Set(before.transactions.map(({ id }) => id))
    const made = after.transactions.filter(({ id }) => !known.has(id))
    if (made.length > (step.action === 'createTransaction' ? 1 : 0)) return ['made too many']
    return made.flatMap((transaction) => {
      const user = before.users.find(({ id }) => id === transaction.userId)
      const quote = before.quotes.find(({ quoteId }) => quoteId === transaction.quoteId)
      const cad = grossCad(transaction.leftSide, transaction) / 1e6
      const maximum = user?.maximumCad ?? settings['limits.maximum']
      const wrong: string[] = []
      if (cad < settings['limits.minimum'] || cad > maximum) wrong.push(`worth ${cad} CAD`)
      if (user?.status !== 'verified') wrong.push(`of a user who is ${user?.status}`)
      if (!hasRoom(scene, transaction.userId)) wrong.push('past a counting limit')
      if (!quote || quote.expiresAt <= before.now) wrong.push('without a live quote')
      if (quote && !hasPriceOf(transaction, quote)) wrong.push('priced otherwise than its quote')
      return wrong.map((what) => `transaction ${transaction.id} was made ${what}`)
    })
  },
  /** Every new status of a transaction or user has one event for each integrator it concerns. */
  announced({ before, after }) {
    const cast = <Row extends { id: string }>(rows: Row[], id: string) =>
      rows.find((row) => row.id === id)
    const ofTransactions = after.transactions.flatMap(({ id, integrator, history }) => {
      const from = cast(before.transactions, id)?.history.length ?? 0
      return history.slice(from).map((change) => ({ ...change, ref: id, integrator }))
    })
    const ofUsers = after.users.flatMap(({ id, integrators, history }) => {
      const changes = history.slice(cast(before.users, id)?.history.length ?? 1)
      return integrators.flatMap((integrator) =>
        changes.map((change) => ({ ...change, ref: id, integrator })),
      )
    })
    const expected = [...ofTransactions, ...ofUsers].map(toTopic).sort()
    const actual = newEvents({ before, after }).map(toTopic).sort()
    return isSame(expected, actual) ? [] : [`[${expected}] happened, [${actual}] was announced`]
  },
  /** New events say what was true at their moment. */
  payloads: (scene) =>
    newEvents(scene).flatMap((event) => {
      const { id, ref, status, payload } = event
      const { users, transactions } = scene.after
      const transaction = transactions.find((row) => row.id === ref)
      const user = users.find((row) => row.id === (transaction?.userId ?? ref))
      const isOfUser = payload.email === user?.email && payload.status === status
      const isTrue = isOfUser && (!transaction || isAbout(event, transaction, scene))
      return isTrue ? [] : [`event ${id} differs from what it is about`]
    }),
  /** Journals only grow: an entry is never taken back. */
  journals: ({ before, after }) =>
    (['events', 'messages'] as const).filter(
      (journal) => !isSame(after[journal].slice(0, before[journal].length), before[journal]),
    ),
  /** A call touches the one thing it names; only the clock touches many. */
  aim({ before, after, step, response }) {
    if (step.action === 'advanceClock') return []
    const user = after.users.find(({ email }) => email === step.ref)?.id
    const named = [step.ref, user, response.data.id, step.token?.userId]
    // These name the user by e-mail address.
    const isLogin = /LoginCode$/.test(step.action)
    return (['transactions', 'users'] as const).flatMap((kind) => {
      const was = new Map(before[kind].map((row) => [row.id, JSON.stringify(row)]))
      const changed = after[kind].filter((row) => was.get(row.id) !== JSON.stringify(row))
      return changed
        .filter(({ id }) => !named.includes(id) && !(isLogin && kind === 'users'))
        .map(({ id }) => `${step.action} changed ${kind} ${id}`)
    })
  },
}

/** Of the state as it stands: looked at when it has changed. */
const OF_STATES: Readonly<Record<string, Check>> = {
  /** Each transaction agrees with itself. */
  whole: ({ after }) =>
    after.transactions.flatMap((transaction) => {
      const { id, status, history, paymentId, closedAt, createdAt } = transaction
      const [first, last] = [history[0], history.at(-1)]
      const isFinal = WAYS[status]?.length === 0
      const wrong: string[] = []
      if ((paymentId !== null) !== isOnChain(transaction)) wrong.push(`paymentId ${paymentId}`)
      if (last?.status !== status) wrong.push(`history ends with ${last?.status}`)
      if (closedAt !== (isFinal ? last?.at : null)) wrong.push(`closedAt ${closedAt}`)
      if (first?.status !== PENDING || first.at !== createdAt) wrong.push('begins otherwise')
      return wrong.map((what) => `transaction ${id} is ${status} but ${what}`)
    }),
  /** Fee, gas, spread and what is paid out add up to the left side, to the last millionth. */
  money: ({ after }) =>
    [...after.quotes, ...after.transactions].flatMap((row) => {
      const { side, fee, gas, spread, leftSide, rightSide, rate } = row
      const areWhole = [fee, gas, spread, leftSide, rightSide, rate].every(Number.isSafeInteger)
      const paidOut = side === 'buy' ? grossCad(rightSide, { side: 'sell', rate }) : rightSide
      const isExact = fee + gas + spread + paidOut === grossCad(leftSide, row)
      return areWhole && isExact ? [] : [`the parts of ${JSON.stringify(row)} do not add up`]
    }),
  /** A pending transaction has one expiry ahead, a final one nothing; every task is about something. */
  tasks({ after: { transactions, users, tasks } }) {
    const rows = new Map([...transactions, ...users].map((row) => [row.id, row]))
    const stray = tasks.filter(({ kind, ref }) => {
      const row = rows.get(ref)
      if (!row || ('closedAt' in row && row.closedAt !== null)) return true
      const isEarly = kind !== 'settle-transaction'
      return kind !== 'change-kyc-status' && isEarly !== (row.status === PENDING)
    })
    const expiries = (id: string) =>
      tasks.filter(({ ref, kind }) => ref === id && kind === 'expire-transaction').length
    const unwatched = transactions.filter(
      ({ id, status }) => status === PENDING && expiries(id) !== 1,
    )
    return [
      ...stray.map((task) => `${toText(task)} is scheduled for nothing`),
      ...unwatched.map(({ id }) => `transaction ${id} has not one expiry`),
    ]
  },
  /** Ids are never given twice, and positions in a journal are in order. */
  identities({ after }) {
    const { users, transactions, events, messages, quotes, position } = after
    const ids = [...users, ...transactions, ...events, ...messages].map(({ id }) => id)
    const others = [...transactions.map(({ rmtId }) => rmtId), ...quotes.map((row) => row.quoteId)]
    const all = [...ids, ...others]
    const isInTurn = (rows: readonly { pos: number }[]) =>
      rows.every(({ pos }, i) => pos > (rows[i - 1]?.pos ?? 0) && pos <= position)
    const wrong = new Set(all).size < all.length ? ['an id was given twice'] : []
    if (!isInTurn(events)) wrong.push('events are not numbered in turn')
    if (!isInTurn(messages)) wrong.push('messages are not numbered in turn')
    return wrong
  },
  /** Nothing is out of order, or lies in the future. */
  time({ after: { now, events, messages, transactions, users } }) {
    const lists = [
      ...[events.map(({ at }) => at), messages.map(({ sentAt }) => sentAt)],
      transactions.map(({ createdAt }) => createdAt),
      ...[...transactions, ...users].map(({ history }) => history.map(({ at }) => at)),
    ]
    return lists.filter((list) => !isOrdered([...list, now])).map((list) => `${list} up to ${now}`)
  },
  /** Indexes find exactly the rows there are, and the queue the tasks of each. */
  indexes({ world }) {
    const { users, transactions, integrators, tasks } = world
    const isWhole = <Row>(
      index: ReadonlyMap<unknown, Row>,
      rows: Row[],
      keyOf: (row: Row) => unknown,
    ) => index.size === rows.length && rows.every((row) => index.get(keyOf(row)) === row)
    const all = tasks.all()
    const owned = new Set([...users, ...transactions].flatMap(({ id }) => tasks.of(id)))
    const found = {
      usersById: isWhole(world.usersById, users, ({ id }) => id),
      usersByEmail: isWhole(world.usersByEmail, users, ({ email }) => email.toLowerCase()),
      transactionsById: isWhole(world.transactionsById, transactions, ({ id }) => id),
      integratorsByKey: isWhole(world.integratorsByKey, integrators, ({ apiKey }) => apiKey),
      integratorsByName: isWhole(world.integratorsByName, integrators, ({ name }) => name),
      quotes: isWhole(world.quotes, [...world.quotes.values()], ({ quoteId }) => quoteId),
      owners: owned.size === all.length && all.every((task) => owned.has(task)),
      queue:
        tasks.size === all.length && tasks.list(all.length).every((task, i) => task === all[i]),
    }
    return Object.entries(found).flatMap(([name, is]) => (is ? [] : [`${name} lacks rows`]))
  },
}

/** A world made from its own export goes on where this one stands: looked at now and then. */
const reload: Check = ({ world }) => {
  const state: State = JSON.parse(JSON.stringify(exportState(world)))
  return isSame(state, exportState(new World(structuredClone(state))))
    ? []
    : ['a reloaded world differs']
}

export const CHECKS: Readonly<Record<string, Check>> = {
  ...OF_STEPS,
  ...OF_CHANGES,
  ...OF_STATES,
  reload,
}

/** Everything that is wrong with a scene, each with the name of the check. */
export function findViolations(scene: Scene): string[] {
  const { before, after, step } = scene
  const isReplaced = REPLACING.has(step.action)
  const due = {
    ...OF_STEPS,
    ...(before !== after && { ...(!isReplaced && OF_CHANGES), ...OF_STATES }),
    ...((step.action === 'importState' || isReplaced) && { reload }),
  }
  return Object.entries(due).flatMap(([name, check]) =>
    check(scene).map((what) => `${name}: ${what}`),
  )
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const isOrdered = (list: readonly number[]) => list.every((at, i) => at >= (list[i - 1] ?? at))
const toText = ({ at, kind, ref }: Task) => `${kind} of ${ref} at ${new Date(at).toISOString()}`
const toTopic = ({ ref, integrator, status, at }: Topic) =>
  `${ref} of ${integrator} ${status === 'canceled' ? 'cancelled' : status} at ${at}`
type Topic = Pick<WorldEvent, 'ref' | 'integrator' | 'at'> & { status: string }

const newEvents = ({ before, after }: Pick<Scene, 'before' | 'after'>) =>
  after.events.filter(({ pos }) => pos > before.position)

function isAbout(event: WorldEvent, transaction: Transaction, scene: Scene): boolean {
  const { payload, ref, pos } = event
  if (!('transactionId' in payload)) return false
  const later = newEvents(scene).filter((other) => other.ref === ref && other.pos > pos)
  const history = transaction.history.slice(0, transaction.history.length - later.length)
  return (
    payload.transactionId === ref &&
    payload.wallet === transaction.wallet &&
    payload.leftSideValue === transaction.leftSide / 1e6 &&
    payload.rightSideValue === transaction.rightSide / 1e6 &&
    (payload.paymentId !== null) === isOnChain({ ...transaction, history })
  )
}

/** A sell's coins are on chain once they arrived, a buy's when it is complete. */
function isOnChain({ side, history }: Pick<Transaction, 'side' | 'history'>): boolean {
  if (side === 'buy') return history.at(-1)?.status === 'complete'
  // A test may have put it back to the start.
  const start = history.findLastIndex(({ status }) => status === PENDING)
  return history.slice(start).some(({ status }) => status === PROCESSING || status === 'complete')
}

/** The counting limits: over all integrators, in the window up to now. */
function hasRoom({ before, settings }: Scene, userId: string): boolean {
  const cutoff = before.now - DAY
  const own = before.transactions.filter((row) => row.userId === userId)
  const active = own.filter(({ closedAt, createdAt }) => closedAt === null && createdAt > cutoff)
  const unsuccessful = own.filter(
    ({ status, closedAt }) => /^(cancelled|expired)$/.test(status) && (closedAt ?? 0) > cutoff,
  )
  return (
    active.length < settings['limits.active'] && unsuccessful.length < settings['limits.cancelled']
  )
}

const hasPriceOf = (transaction: Transaction, quote: Quote) =>
  transaction.rate === quote.rate &&
  (transaction.leftSide !== quote.leftSide ||
    (['rightSide', 'fee', 'gas', 'spread'] as const).every(
      (part) => transaction[part] === quote[part],
    ))

const MOVING = ['status', 'history', 'closedAt', 'paymentId']

function findChanged(was: Transaction, is: Transaction): string[] {
  const still = (row: Transaction) =>
    Object.entries(row).filter(([field]) => !MOVING.includes(field))
  const wrong = isSame(still(was), still(is)) ? [] : ['changed what never changes']
  if (!isSame(was.history, is.history.slice(0, was.history.length))) wrong.push('has another past')
  const hasMoved = was.status !== is.status || was.paymentId !== is.paymentId
  if (hasMoved && is.history.length === was.history.length) wrong.push('moved unseen')
  return wrong
}
