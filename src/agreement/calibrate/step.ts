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

/** Behaviour that was seen of a setting and is none of its options. */
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

/** Input of a call beside its route, such as `GET /v2/users/:userId/requirements`. */
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
  /** Whether it changes nothing, as a read or as something that is refused. */
  isRepeatable?: boolean
  /** Whether the response is not compared: a setting alone says what it shows. */
  isTrial?: boolean
}

/** The provider’s response, and when it was asked by the clock of this machine. */
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

/** One or more calls, made once, and the settings that their result shows. */
export interface Step {
  run(context: Context): Promise<unknown>
  tells: Tells<unknown>
}

/** How settings are found; throws `NotMeasured` or `CannotImitate` where nothing shows an option. */
export type Tells<Result> = Readonly<
  Record<string, (result: Result, seen: SeenStep, context: Context) => SettingValue>
>

export type SeenStep = (step: string) => Reading

export function step<Result>(row: {
  run(context: Context): Promise<Result>
  tells?: Tells<Result>
}): Step {
  const { run, tells = {} } = row
  return { run, tells: tells as Tells<unknown> }
}

/** One call: what it sends, about whom, and what for. */
export interface CallRow extends CallOptions {
  /** Whose path it is: the verified user's, the user's or the transaction's that the run made. */
  of?: keyof typeof PATHS
  /** Whether the access token of the user goes with it. */
  byUser?: true
  /** The error that it is made to meet, and the step that succeeds without that mistake. */
  meets?: string
  /** `list` with a token, else `quote`, by default. */
  unlike?: string
  /** Whatever is known only when it is sent. */
  make?(context: Context): CallOptions
  tells?: Tells<Reading>
}

export function call(route: string, row: CallRow = {}): Step {
  const { of, byUser, meets, make, tells, unlike = byUser ? 'list' : 'quote', ...options } = row
  return step({
    run: (context) =>
      context.send(route, {
        ...options,
        ...(meets !== undefined && { isRepeatable: true }),
        ...(of && { path: PATHS[of](context) }),
        ...(byUser && { token: tokenOf(context) }),
        ...make?.(context),
      }),
    tells: { ...tells, ...(meets !== undefined && statusOf(meets, unlike)) },
  })
}

/** The status of an error; without the mistake a call must succeed, else something else is refused. */
export function statusOf(error: string, unlike: string): Tells<Reading> {
  const isOfCredentials = /key|token|login|code$|verified/.test(error)
  return {
    [`status.${error}`]({ status }, seen) {
      if (seen(unlike).status >= 300) {
        return notMeasured('the same call without a mistake did not succeed')
      }
      if (status === 401 && !isOfCredentials) {
        return notMeasured('the response is 401, so other credentials are missing')
      }
      return status < 300 ? 200 : status
    },
  }
}

export const PATHS = {
  user: (context: Context) => {
    userOf(context)
    const { userId } = context.known
    return { userId: userId ?? notMeasured('the provider does not find the user of --user') }
  },
  created: (context: Context) => ({ userId: createdOf(context).id }),
  transaction: ({ known }: Context) => ({
    txId: known.transactionId ?? notMeasured('no transaction could be created'),
  }),
}

export const userOf = ({ user }: Context): string => user ?? notMeasured('it needs --user')

export const receiverOf = ({ receiver }: Context): EventReceiver =>
  receiver ?? notMeasured('it needs --webhooks')

export const tokenOf = ({ known }: Context): string =>
  known.token ?? notMeasured('nobody is logged in (it needs --user and --code-from)')

export const createdOf = ({ known }: Context): { id: string; email: string } =>
  known.created ?? notMeasured('no user was created (it needs --new-users)')

export function notMeasured(reason: string): never {
  throw new NotMeasured(reason)
}

/** Context of all steps: the way to the provider, and what earlier steps found out. */
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
    options?: { isTrial: boolean },
  ): Promise<{ sent: Reading; code: string | null | undefined }>
  /** Changes to be put back, perhaps of an earlier run. */
  readonly changes: Changes
  /** Writes down what is about to change, so that this run or a later one puts it back. */
  note(change: Changes): void
  /** Prints a line for the person who runs it. */
  warn(text: string): void
  readonly receiver: EventReceiver | undefined
}

/** Changes of a run that are not put back yet. */
export interface Changes {
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null
  /** The id of the transaction that was ordered; null while it is not known. */
  ordered?: string | null
}

/** Receiver of the provider's webhooks. */
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
  token?: string
  created?: { id: string; email: string }
  /** The login code that was used. */
  code?: string
  transactionId?: string
  ordered?: Ordered
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null | undefined
  testEvent?: ArrivedEvent
}

/** An order, as unusual as the provider lets it be. */
export interface Ordered {
  /** The fields that are wrong or missing in it, as far as the provider has named none of them. */
  flaws: Set<string>
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
