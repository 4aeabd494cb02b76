import type { Json, Query } from '../../client/http.ts'
import type { SettingValue } from '../../world/settings/setting.ts'

/** Why a setting is not known; the message continues "not known, because". */
export class NotMeasured extends Error {
  /** Something went wrong, as opposed to an option that was not given. */
  readonly isFailure: boolean

  constructor(reason: string, { isFailure = false } = {}) {
    super(reason)
    this.isFailure = isFailure
  }
}

/** What was seen of a setting and is none of its options. */
export class CannotImitate extends Error {
  /** The option that comes next to it. */
  readonly nearest: SettingValue | null

  constructor(seen: string, nearest: SettingValue | null = null) {
    super(seen)
    this.nearest = nearest
  }
}

/** A response of another shape than any that is known is no bug of ours, so it says why too. */
export function toNotMeasured(error: unknown): NotMeasured {
  if (error instanceof NotMeasured) return error
  if (error instanceof TypeError) return new NotMeasured('the response has another shape')
  throw error
}

/** What a call sends beside its route, such as `GET /v2/users/:userId/requirements`. */
export interface CallOptions {
  path?: Readonly<Record<string, string>>
  query?: Query
  body?: object
  /** Sent in place of a body, as it is. */
  text?: string
  /** The type of that text; JSON by default. */
  type?: string
  /** The API key to send; the first one by default. */
  key?: 'first' | 'second' | 'none' | 'wrong'
  token?: string
  /** Whether the call is to be refused: then any response says something, and it may be repeated. */
  isRefusal?: boolean
  /** Whether the response is not compared: a setting alone says what it shows. */
  isTrial?: boolean
}

/** What the provider answered, and when it was asked by the clock of this machine. */
export interface Reading {
  route: string
  status: number
  headers: Readonly<Record<string, string>>
  /** The payload of a v2 success; the whole body of anything else. */
  data: Json
  body: Json
  sentAt: number
  receivedAt: number
}

export const LEVELS = ['read', 'write', 'money'] as const
/** How far a run may go: only reads; users, logins and webhooks; one smallest transaction. */
export type Level = (typeof LEVELS)[number]
export const rankOf = (level: Level) => LEVELS.indexOf(level)

/** What a step needs that only the person who runs it can give. */
export const ABILITIES = {
  user: '--user EMAIL',
  code: '--code-from stdin|URL|COMMAND',
  token: '--token env:NAME (a login from the level write on)',
  newUsers: '--new-users PATTERN',
  receiver: '--webhooks PORT',
  secondKey: '--second-api-key env:NAME',
} as const
export type Ability = keyof typeof ABILITIES

/** One or more calls, made once. */
export interface Step<Result = unknown> {
  level: Level
  needs: readonly Ability[]
  run(context: Context): Promise<Result>
  /** The error that its one call is made to meet, and the step that succeeds without that mistake. */
  meets?: string | undefined
  unlike?: string | undefined
}

/** How settings are found; throws `NotMeasured` or `CannotImitate` where nothing shows an option. */
export type Gives<Result> = Readonly<
  Record<string, (result: Result, seen: SeenStep, context: Context) => SettingValue>
>

/** The response of another step of one call. */
export type SeenStep = (step: string) => Reading

/** The settings that steps show. */
export type Findings<Steps> = {
  readonly [Id in keyof Steps]?: Gives<Steps[Id] extends Step<infer Result> ? Result : never>
}

export const step = <Result>(
  level: Level,
  needs: readonly Ability[],
  run: (context: Context) => Promise<Result>,
): Step<Result> => ({ level, needs, run })

/** One call: what it sends, about whom, and what for. */
export interface CallRow extends CallOptions {
  /** Whose path it is: the verified user's, the user's or the transaction's that the run made. */
  of?: 'user' | 'created' | 'transaction'
  /** Whether the access token of the user goes with it. */
  byUser?: true
  needs?: readonly Ability[]
  meets?: string
  /** `list` with a token, else `quote`, by default. */
  unlike?: string
  /** Whatever is known only when it is sent. */
  make?(context: Context): CallOptions
}

export function call(level: Level, route: string, given: CallRow = {}): Step<Reading> {
  const { of, byUser, needs = [], meets, make, ...options } = given
  const { unlike = byUser ? 'list' : 'quote', ...others } = options
  const run = (context: Context) =>
    context.send(route, {
      ...others,
      ...(meets !== undefined && { isRefusal: true }),
      ...(of && { path: PATHS[of](context) }),
      ...(byUser && { token: tokenOf(context) }),
      ...make?.(context),
    })
  const about: Ability[] = of === 'user' ? ['user'] : of === 'created' ? ['newUsers'] : []
  const all = [...needs, ...about, ...(byUser ? (['token'] as const) : [])]
  return { ...step(level, all, run), meets, unlike }
}

const PATHS = {
  user: ({ known }: Context) => ({
    userId: known.userId ?? notMeasured('the provider does not find the user of --user'),
  }),
  created: (context: Context) => ({ userId: createdOf(context).id }),
  transaction: ({ known }: Context) => ({
    txId: known.transactionId ?? notMeasured('no transaction could be created'),
  }),
}

export const tokenOf = ({ known }: Context): string =>
  known.token ?? notMeasured('there is no access token')

export const createdOf = ({ known }: Context): { id: string; email: string } =>
  known.created ?? notMeasured('no user could be created')

export function notMeasured(reason: string): never {
  throw new NotMeasured(reason)
}

/** What steps share: the way to the provider, and what earlier steps found out. */
export interface Context {
  /** An existing, verified user of the provider. */
  readonly user: string | undefined
  readonly known: Known
  /** This machine's clock. */
  now(): number
  send(route: string, options?: CallOptions): Promise<Reading>
  /** An address that nobody has registered, from the pattern that was given. */
  newEmail(tag: string): string
  /** Sends a login code and reads the one that arrives, if any does; null where nothing can tell. */
  askCode(
    email: string,
    options?: { key?: 'first' | 'second'; isTrial?: boolean },
  ): Promise<{ sent: Reading; code: string | null | undefined }>
  /** What is to be put back, perhaps by an earlier run. */
  readonly changes: Changes
  /** Writes down what is about to change, so that this run or a later one puts it back. */
  note(change: Changes): void
  /** Prints a line for the person who runs it. */
  warn(text: string): void
  readonly receiver: EventReceiver | undefined
}

/** What a run has changed and not put back yet. */
export interface Changes {
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null
  /** The id of the transaction that was ordered; null while it is not known. */
  ordered?: string | null
  /** Whether the legacy webhook that is switched on was on. */
  legacy?: boolean
}

/** Where the provider's webhooks arrive. */
export interface EventReceiver {
  /** The address by which the provider reaches it. */
  readonly url: string
  /** The first one that matches; undefined when none comes in time. */
  next(matches: (event: ArrivedEvent) => boolean): Promise<ArrivedEvent | undefined>
}

export interface ArrivedEvent {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Json
}

export interface Known {
  userId?: string
  accessibleBy?: readonly string[]
  token?: string
  created?: { id: string; email: string }
  /** The login code that was used. */
  code?: string
  transactionId?: string
  ordered?: Ordered
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null | undefined
  testEvent?: ArrivedEvent
  createEvent?: ArrivedEvent | undefined
}

/** An order, as unusual as the provider lets it be. */
export interface Ordered {
  withoutSession: boolean
  withBadWallet: boolean
  withOtherAmount: boolean
  quoteId: number
  label: string
  amount: number
  /** The one transaction. */
  created?: Reading
  /** The largest amount that was rejected, and how. */
  rejected?: number
  tooSmall?: Reading | undefined
  /** The last response that was not a success. */
  error?: Reading
  /** The error of another amount than the quote's, where only the amount made it one. */
  mismatch?: Reading | undefined
}
