import type { DomainError } from './domain-error.ts'
import { Entries } from './entries.ts'
import { type Random, randomFor } from './random.ts'
import { RowsById } from './rows-by-id.ts'
import { type ErrorCode, isRefused } from './settings/errors.ts'
import { layerChanges, type Settings, toSettings } from './settings/index.ts'
import type { SettingValue } from './settings/setting.ts'
import type {
  Cause,
  ClockMode,
  Integrator,
  KybSubmission,
  KycLink,
  ListName,
  LoginCode,
  Message,
  Quote,
  Rates,
  RowOf,
  Session,
  State,
  Task,
  Transaction,
  User,
  WorldEvent,
} from './state.ts'
import { TaskQueue } from './task-queue.ts'

/** Events and messages that a world remembers; older ones are forgotten first. */
const EVENTS_MAX = 10_000
const MESSAGES_MAX = 2_000
/** Quotes and KYC links that a world remembers; beyond them, the oldest are forgotten. */
const QUOTES_MAX = 50_000
const KYC_LINKS_MAX = 10_000
/** Login codes that are remembered; older ones are no longer recognised. */
const LOGIN_CODES_MAX = 10_000
/** Logins whose access tokens are known; older tokens are refused. */
const SESSIONS_MAX = 50_000

/** Rows of the state that change after they were made, by the name of their list. */
export type Rows = { [Name in Exclude<ListName, 'events' | 'messages' | 'tasks'>]: RowOf<Name> }

/**
 * A change: a row that is new or was changed, the number of a task that was cancelled or is about
 * to run, or `scalars` for what is not a row, such as the time, a setting or a rate.
 */
export type Change =
  | { [Name in ListName]: [list: Name, row: RowOf<Name>] }[ListName]
  | [list: 'cancelled', order: number]
  | [list: 'scalars', nothing: null]

export type Listener = (change: Change) => void

/**
 * One isolated copy of the emulated service: its rows, the indexes that find them, and its time.
 * Use cases are functions over it that first check, then change, then `emit`.
 */
export class World {
  readonly seed: string
  /** Seed of the signing secrets, which all worlds of a process share. */
  readonly signingSeed: string
  /** Empty where the seed itself is secret. */
  readonly secret: string
  readonly fixture: string
  now: number
  mode: ClockMode
  /** Only what differs from the defaults. */
  changedSettings: Record<string, SettingValue>
  settings: Settings
  rates: Rates
  nextQuoteId: number
  taskCount: number
  position: number
  /** Cause of what happens now; null if there is none. */
  cause: Cause | null = null
  /** Errors of the call that runs now which a setting accepts. */
  readonly accepted: DomainError[] = []

  readonly integrators: Integrator[] = []
  readonly users: User[] = []
  readonly transactions: Transaction[] = []
  readonly kybSubmissions: KybSubmission[] = []
  readonly quotes = new Map<number, Quote>()
  readonly loginCodes = new Map<string, LoginCode>()
  /** The newest code of each user and integrator. */
  readonly newestCodes = new Map<string, LoginCode>()
  readonly sessions = new Map<string, Session>()
  readonly kycLinks = new Map<string, KycLink>()
  readonly events: Entries<WorldEvent>
  readonly messages: Entries<Message>
  readonly tasks = new TaskQueue()

  readonly integratorsByKey = new Map<string, Integrator>()
  readonly integratorsByName = new Map<string, Integrator>()
  readonly usersById = new RowsById<User>()
  readonly usersByEmail = new Map<string, User>()
  readonly transactionsById = new RowsById<Transaction>()
  readonly transactionsByUser = new Map<string, Transaction[]>()
  readonly #closedByUser = new Map<string, Set<Transaction>>()

  readonly #listeners: Listener[] = []
  readonly #digest: (text: string) => string

  constructor(state: State, { digest = noDigest, signingSeed = state.seed }: WorldOptions = {}) {
    this.seed = state.seed
    this.signingSeed = signingSeed
    this.secret = state.secret ?? ''
    this.#digest = digest
    this.fixture = state.fixture
    this.now = state.now
    this.mode = state.mode
    this.changedSettings = { ...state.settings }
    this.settings = toSettings(state.settings)
    this.rates = { USDC: { ...state.rates.USDC }, CADC: { ...state.rates.CADC } }
    this.nextQuoteId = state.nextQuoteId
    this.taskCount = state.taskCount
    const { position: start, events, messages } = state
    this.position = start
    this.events = new Entries({ max: EVENTS_MAX, start, rows: events })
    this.messages = new Entries({ max: MESSAGES_MAX, start, rows: messages })
    for (const list of ROW_LISTS) for (const row of state[list]) this.insert(list, row)
    for (const task of state.tasks) this.tasks.add(task)
  }

  /** Rows that count towards the limit of a world; events and messages have limits of their own. */
  get rowCount(): number {
    const { users, transactions, quotes, kybSubmissions } = this
    return users.length + transactions.length + quotes.size + kybSubmissions.length
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Draws for one thing of the world, the same ones for the same seed, kind, owner and ordinal. */
  random(kind: string, owner: string, ordinal: number): Random {
    return randomFor(this.seed, kind, owner, String(ordinal))
  }

  /** Draws like `random`, for values that must not be computable from the seed and other draws. */
  secretRandom(kind: string, owner: string, ordinal: number): Random {
    if (this.secret === '') return this.random(kind, owner, ordinal)
    return randomFor(this.#digest([this.secret, kind, owner, ordinal].join('\n')))
  }

  /**
   * Changes all settings that are sent or, if one is invalid, none. They apply to what is created
   * or moved from now on; scheduled tasks do not change.
   */
  changeSettings(request: Readonly<Record<string, SettingValue | null>>): void {
    this.changedSettings = layerChanges(this.changedSettings, request)
    this.settings = toSettings(this.changedSettings)
    this.touchScalars()
  }

  /** Throws an error unless its setting accepts the call in spite of it, which the call then notes. */
  assertAccepted(error: DomainError): void {
    if (isRefused(this.settings, error.code as ErrorCode)) throw error
    this.accepted.push(error)
  }

  insert<Name extends keyof Rows>(list: Name, row: Rows[Name]): void {
    INSERT[list](this, row)
    this.touch(list, row)
  }

  touch<Name extends keyof Rows>(list: Name, row: Rows[Name]): void {
    this.#notify([list, row] as unknown as Change)
  }

  touchScalars(): void {
    this.#notify(['scalars', null])
  }

  /** The position of a new entry of the journal. */
  nextPosition(): number {
    return ++this.position
  }

  /** Records an event. Call it last, after all changes that the event reports. */
  emit(event: WorldEvent): void {
    this.events.push(event)
    this.#notify(['events', event])
  }

  send(message: Message): void {
    this.messages.push(message)
    this.#notify(['messages', message])
  }

  schedule(request: Omit<Task, 'order'>): void {
    const { at, kind, ref, status, reasons } = request
    const task = { at, order: this.taskCount++, kind, ref, status, reasons }
    this.tasks.add(task)
    this.#notify(['tasks', task])
  }

  /** Removes a task that runs now or was cancelled. */
  cancelTask(task: Task): void {
    if (!this.tasks.remove(task)) return
    this.#notify(['cancelled', task.order])
  }

  cancelTasks(ref: string): void {
    for (const task of this.tasks.of(ref)) this.cancelTask(task)
  }

  /** Transactions of a user, oldest first. */
  transactionsOf(userId: string): readonly Transaction[] {
    return this.transactionsByUser.get(userId) ?? []
  }

  /** Transactions of a user that are final, or were until a status was forced: few beside all of them. */
  closedTransactionsOf(userId: string): readonly Transaction[] {
    return [...(this.#closedByUser.get(userId) ?? [])]
  }

  noteClosed(transaction: Transaction): void {
    const { userId } = transaction
    const own = this.#closedByUser.get(userId)
    if (own) own.add(transaction)
    else this.#closedByUser.set(userId, new Set([transaction]))
  }
}

export interface WorldOptions {
  /** A cryptographic hash, which a world with a secret needs. */
  digest?: (text: string) => string
  /** Default: the seed of the state. */
  signingSeed?: string | undefined
}

function noDigest(): never {
  throw new TypeError('A world with a secret needs a digest.')
}

type Login = Pick<LoginCode, 'userId' | 'integrator'>

export const loginKey = ({ userId, integrator }: Login) => `${userId} ${integrator}`
export const codeKey = ({ code, ...login }: Login & Pick<LoginCode, 'code'>) =>
  `${loginKey(login)} ${code}`

const INSERT: { [Name in keyof Rows]: (world: World, row: Rows[Name]) => void } = {
  integrators(world, row) {
    world.integrators.push(row)
    world.integratorsByKey.set(row.apiKey, row)
    world.integratorsByName.set(row.name, row)
  },
  users(world, row) {
    world.users.push(row)
    world.usersById.set(row.id, row)
    world.usersByEmail.set(row.email.toLowerCase(), row)
  },
  transactions(world, row) {
    world.transactions.push(row)
    world.transactionsById.set(row.id, row)
    const own = world.transactionsByUser.get(row.userId)
    if (own) own.push(row)
    else world.transactionsByUser.set(row.userId, [row])
    if (row.closedAt !== null) world.noteClosed(row)
  },
  quotes(world, row) {
    world.quotes.set(row.quoteId, row)
    forgetOldest(world.quotes, QUOTES_MAX)
  },
  loginCodes(world, row) {
    const key = codeKey(row)
    // The same code may be sent again, and rows stand in the order in which they were sent.
    world.loginCodes.delete(key)
    world.loginCodes.set(key, row)
    forgetOldest(world.loginCodes, LOGIN_CODES_MAX)
    world.newestCodes.set(loginKey(row), row)
  },
  sessions(world, row) {
    world.sessions.set(row.id, row)
    forgetOldest(world.sessions, SESSIONS_MAX)
  },
  kycLinks(world, row) {
    world.kycLinks.set(row.token, row)
    forgetOldest(world.kycLinks, KYC_LINKS_MAX)
  },
  kybSubmissions(world, row) {
    world.kybSubmissions.push(row)
  },
}

const ROW_LISTS = Object.keys(INSERT) as (keyof Rows)[]

function forgetOldest<Key>(rows: Map<Key, unknown>, max: number) {
  const [oldest] = rows.size > max ? rows.keys() : []
  if (oldest !== undefined) rows.delete(oldest)
}
