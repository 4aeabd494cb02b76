import type { Json, Query } from '../../client/http.ts'
import type { SettingValue } from '../../world/settings/setting.ts'

/** Why a setting is not known; the message continues "not known, because". */
export class NotMeasured extends Error {
  /** Something went wrong, as opposed to an option that was not given. */
  readonly isFailure: boolean

  constructor(reason: string, { isFailure = false } = {}) {
    super(reason)
    this.name = 'NotMeasured'
    this.isFailure = isFailure
  }
}

/** What was seen of a setting and is none of its options. */
export class CannotImitate extends Error {}

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

export type StepResult = { result: unknown } | { problem: NotMeasured }

/** A response of another shape than any that is known is no bug of ours, so it says why too. */
export function toNotMeasured(error: unknown): NotMeasured {
  if (error instanceof NotMeasured) return error
  if (error instanceof TypeError) return new NotMeasured('the response has another shape')
  throw error
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

/** One or more calls, made once, whose responses several probes look at. */
export interface Step<Result = unknown> {
  level: Level
  needs: readonly Ability[]
  run(context: Context): Promise<Result>
  /** The error that its one call is made to meet, and the step that succeeds without that flaw. */
  refusal?: { code: string; control: string | undefined }
}

/** A step whose result has the type that `run` returns. */
export const step = <Result>(
  level: Level,
  needs: readonly Ability[],
  run: (context: Context) => Promise<Result>,
): Step<Result> => ({ level, needs, run })

type CallSpec = CallOptions & { needs?: readonly Ability[] }

/** A step of one call that needs nothing to be known. */
export function call(level: Level, route: string, options: CallSpec = {}): Step<Reading> {
  const { needs = [], ...given } = options
  return { level, needs, run: (context) => context.send(route, given) }
}

/** A step whose call is to be refused with an error, unlike that of another step. */
export const refused = (
  code: string,
  control: string | undefined,
  { level, needs, run }: Step<Reading>,
): Step<Reading> => ({ level, needs, run, refusal: { code, control } })

/** How one setting is found: the steps it looks at, and what their responses say. */
export interface Probe {
  setting: string
  steps: readonly string[]
  /** Throws `NotMeasured` or `CannotImitate` where the responses do not say it. */
  find(results: Readonly<Record<string, unknown>>, context: Context): SettingValue
}

type Results<Steps> = {
  readonly [Id in keyof Steps]: Steps[Id] extends Step<infer Result> ? Result : never
}

/** Makes probes that look at some steps. */
export const probesOf =
  <Steps extends Readonly<Record<string, Step>>>() =>
  <const Ids extends readonly (keyof Steps & string)[]>(
    setting: string,
    steps: Ids,
    find: (results: Pick<Results<Steps>, Ids[number]>, context: Context) => SettingValue,
  ): Probe => ({ setting, steps, find: find as Probe['find'] })

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
  /** Sends a login code and reads the one that arrives. */
  receiveCode(email: string, send: () => Promise<Reading>): Promise<{ sent: Reading; code: string }>
  /** Whether a code arrives after a call; undefined where nothing can tell. */
  watchCode(
    email: string,
    send: () => Promise<Reading>,
  ): Promise<{ sent: Reading; hasArrived: boolean | undefined }>
  /** Writes down what is about to change, so that a later run can put it back. */
  note(change: { webhookUrl?: string | null; transaction?: string; legacy?: boolean }): void
  /** What a run puts back at its end, however it ends; the last one first. */
  putBack(title: string, undo: () => Promise<void>): void
  readonly receiver: EventReceiver | undefined
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
  // biome-ignore lint/suspicious/noExplicitAny: what a provider sends may have any shape
  body: any
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
  isCancelled?: true
  /** Fields that a creation needs, as its errors name them. */
  required?: readonly string[]
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null
  /** Whether it is written down. */
  isNoted?: true
}

/** An order, as unusual as the provider lets it be. */
export interface Ordered {
  withoutSession: boolean
  withBadWallet: boolean
  withOtherAmount: boolean
  /** The one transaction. */
  created: Reading | undefined
  quoteId: number
  label: string
  amount: number
  /** The largest amount that was rejected. */
  rejected: number | undefined
  /** The last response that was not a success. */
  error: Reading | undefined
  /** The error of another amount than the quote's, where only the amount made it one. */
  mismatch: Reading | undefined
  /** The error of the largest amount that was rejected. */
  tooSmall: Reading | undefined
}
