import type { Message, Task, WorldEvent } from './facts.ts'
import { createJournal, type Journal } from './journal.ts'
import { messageId } from './messages.ts'
import { type Random, randomOf } from './random.ts'
import { createSchedule, type Schedule, type Scheduled, tasksOf, toScheduled } from './schedule.ts'
import { type Settings, toSettings } from './settings/index.ts'
import {
  BOOK,
  type ClockMode,
  type Debtor,
  type Integrator,
  type KybSubmission,
  type KycLink,
  type LoginCode,
  OWED,
  type Quote,
  type Rates,
  type SettingValue,
  type State,
  type Transaction,
  type User,
} from './state.ts'
import { enterTally, type Tally } from './tally.ts'
import { UserTransactions } from './user-transactions.ts'

/** Events and messages that a world remembers; older ones are forgotten first. */
export const EVENTS_MAX = 10_000
export const MESSAGES_MAX = 2_000
/** Quotes and KYC links that a world remembers; a script that makes more has used the oldest. */
const QUOTES_MAX = 50_000
const KYC_LINKS_MAX = 10_000

/** Rows of the state that change after they were made, by the name of their list. */
export interface Rows {
  integrators: Integrator
  users: User
  transactions: Transaction
  quotes: Quote
  loginCodes: LoginCode
  kycLinks: KycLink
  kybSubmissions: KybSubmission
}

/** Who hears of changes. Called after the change, in its order. */
export interface Listener {
  onEvent?(event: WorldEvent): void
  onMessage?(message: Message): void
  onTask?(task: Task): void
  onDrop?(task: Task): void
  onTouch?<Kind extends keyof Rows>(kind: Kind, row: Rows[Kind]): void
}

/**
 * One isolated copy of the emulated service: its rows, the indexes that find them, and its time.
 * Use cases are functions over it; they refuse first, then write, then `emit`.
 */
export class World {
  readonly seed: string
  readonly fixture: string
  now: number
  mode: ClockMode
  /** Only what differs from the defaults. */
  changedSettings: Record<string, SettingValue>
  settings: Settings
  rates: Rates
  nextQuoteId: number
  taskCount: number
  /** Grows with every change, so that `nothing changed` can be seen. */
  revision = 0

  readonly integrators: Integrator[] = []
  readonly users: User[] = []
  readonly transactions: Transaction[] = []
  readonly kybSubmissions: KybSubmission[] = []
  readonly quotes = new Map<number, Quote>()
  readonly loginCodes = new Map<string, LoginCode>()
  readonly kycLinks = new Map<string, KycLink>()
  readonly events: Journal<WorldEvent>
  readonly messages: Journal<Message>
  readonly schedule: Schedule

  readonly integratorsByKey = new Map<string, Integrator>()
  readonly integratorsByName = new Map<string, Integrator>()
  readonly usersById = new Map<string, User>()
  readonly usersByEmail = new Map<string, User>()
  readonly transactionsById = new Map<string, Transaction>()
  readonly userTransactions = new Map<string, UserTransactions>()
  readonly userTally: Tally = new Map()
  readonly transactionTally: Tally = new Map()

  readonly #listeners: Listener[] = []

  constructor(state: State) {
    this.seed = state.seed
    this.fixture = state.fixture
    this.now = state.now
    this.mode = state.mode
    this.changedSettings = { ...state.settings }
    this.settings = toSettings(state.settings)
    this.rates = { USDC: { ...state.rates.USDC }, CADC: { ...state.rates.CADC } }
    this.nextQuoteId = state.nextQuoteId
    this.taskCount = state.taskCount
    this.events = createJournal(EVENTS_MAX, state.events, state.eventCount)
    this.messages = createJournal(MESSAGES_MAX, state.messages, state.messageCount)
    this.schedule = createSchedule()
    for (const row of state.integrators) this.insert('integrators', row)
    for (const row of state.users) this.insert('users', row)
    for (const row of state.quotes) this.insert('quotes', row)
    for (const row of state.loginCodes) this.insert('loginCodes', row)
    for (const row of state.kycLinks) this.insert('kycLinks', row)
    for (const row of state.kybSubmissions) this.insert('kybSubmissions', row)
    for (const row of state.transactions) this.insert('transactions', row)
    for (const task of state.tasks) {
      const isKyc = task.kind === 'change-kyc-status'
      const debtor = (isKyc ? this.usersById : this.transactionsById).get(task.ref)
      if (debtor) this.schedule.add(toScheduled(debtor, task))
    }
    this.revision = 0
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  random(kind: string, owner: string, ordinal: number): Random {
    return randomOf(this.seed, kind, owner, ordinal)
  }

  /** Adds a row, with its indexes. */
  insert<Kind extends keyof Rows>(kind: Kind, row: Rows[Kind]): void {
    INSERT[kind](this, row)
    this.touch(kind, row)
  }

  /** Says that a row was changed. */
  touch<Kind extends keyof Rows>(kind: Kind, row: Rows[Kind]): void {
    this.revision++
    for (const listener of this.#listeners) listener.onTouch?.(kind, row)
  }

  /** Tells a fact, after everything it speaks of was written. */
  emit(event: WorldEvent): void {
    this.events.push(event)
    this.revision++
    for (const listener of this.#listeners) listener.onEvent?.(event)
  }

  /** Writes to a user, in words that are made at once; `writeLetter` makes them later. */
  write(message: Pick<Message, 'to' | 'kind' | 'subject' | 'text' | 'code' | 'ref'>): void {
    const cursor = this.messages.last + 1
    const { to, kind, subject, text, code, ref } = message
    const sentAt = this.now
    this.send({ id: messageId(cursor), cursor, to, kind, subject, text, code, ref, sentAt })
  }

  /** Puts a message into the inbox of a user. */
  send(message: Message): void {
    this.messages.push(message)
    this.revision++
    for (const listener of this.#listeners) listener.onMessage?.(message)
  }

  /** Owes a task to a future instant. */
  plan(debtor: Debtor, { at, kind, status, reasons }: Omit<Task, 'order' | 'ref'>): void {
    const task = toScheduled(debtor, { at, order: this.taskCount++, kind, status, reasons })
    this.schedule.add(task)
    this.revision++
    for (const listener of this.#listeners) listener.onTask?.(task)
  }

  /** Takes a task off the schedule, because it runs now or will never be wanted. */
  drop(task: Scheduled): void {
    if (!this.schedule.drop(task)) return
    this.revision++
    for (const listener of this.#listeners) listener.onDrop?.(task)
  }

  /** What is owed no longer once a transaction moved on. */
  dropTasks(debtor: Debtor): void {
    for (const task of tasksOf(debtor)) this.drop(task)
  }

  transactionsOfUser(userId: string): UserTransactions {
    const book = this.userTransactions.get(userId)
    if (book) return book
    const opened = new UserTransactions()
    this.userTransactions.set(userId, opened)
    return opened
  }
}

export const codeKey = (userId: string, integrator: string) => `${userId} ${integrator}`

const INSERT: { [Kind in keyof Rows]: (world: World, row: Rows[Kind]) => void } = {
  integrators(world, row) {
    world.integrators.push(row)
    world.integratorsByKey.set(row.apiKey, row)
    world.integratorsByName.set(row.name, row)
  },
  users(world, row) {
    row[OWED] = null
    world.users.push(row)
    world.usersById.set(row.id, row)
    world.usersByEmail.set(row.email.toLowerCase(), row)
    enterTally(world.userTally, row.status)
  },
  transactions(world, row) {
    const book = world.transactionsOfUser(row.userId)
    row[OWED] = null
    row[BOOK] = book
    world.transactions.push(row)
    world.transactionsById.set(row.id, row)
    book.enter(row)
    enterTally(world.transactionTally, row.status)
  },
  quotes(world, row) {
    world.quotes.set(row.quoteId, row)
    forgetOldest(world.quotes, QUOTES_MAX)
  },
  loginCodes(world, row) {
    world.loginCodes.set(codeKey(row.userId, row.integrator), row)
  },
  kycLinks(world, row) {
    world.kycLinks.set(row.token, row)
    forgetOldest(world.kycLinks, KYC_LINKS_MAX)
  },
  kybSubmissions(world, row) {
    world.kybSubmissions.push(row)
  },
}

function forgetOldest<Key>(rows: Map<Key, unknown>, max: number) {
  if (rows.size <= max) return
  for (const oldest of rows.keys()) {
    rows.delete(oldest)
    break
  }
}
