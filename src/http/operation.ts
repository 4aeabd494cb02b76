import type { Context } from 'hono'
import type * as z from 'zod'
import type { CallRecord } from '../engine/request-journal.ts'
import type { DomainError, DomainErrorKind } from '../world/domain-error.ts'
import type { SettingId, Settings } from '../world/settings/index.ts'
import type { World } from '../world/world.ts'
import type { Env, Services } from './services.ts'

/** `ALL` stands for any method there is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'

/** One way of saying the same thing: v2, v1, unversioned or control. */
export interface Dialect {
  readonly name: 'v2' | 'v1' | 'unversioned' | 'control'
  success(data: unknown): unknown
  refusal(refusal: DomainError, status: number, settings: Settings): unknown
  statusOf(refusal: DomainError, settings: Settings): number
  /** Media type of a refusal. */
  readonly errorType: string
  /** How documents tell of the answers that `success` and `refusal` make. */
  readonly describe: {
    success(data: JsonSchema): JsonSchema
    refusal(): z.ZodType
    /** ErrorDescriptions that any operation of the dialect can give. */
    errors?: ErrorDescriptions
    /** Gaps that any answer of the dialect rests on. */
    assumptions?: readonly SettingId[]
  }
  /** Whether the request journal keeps these calls. */
  readonly journalled: boolean
  /** Headers of every answer, if any. */
  headers?(world: World): Record<string, string>
  /** Refuses every call of the dialect, as v1 does after its sunset. */
  refuse?(world: World, operation: Operation): void
}

/** A request on its way to the world. */
export interface Call {
  readonly c: Context<Env>
  readonly services: Services
  readonly world: World
  readonly record: CallRecord
  param(name: string): string
  header(name: string): string | undefined
  query(name: string): string | undefined
  /** Says which assumption this answer rests on, in the journal and in a header. */
  assume(id: SettingId): void
}

export type JsonSchema = Record<string, unknown>

/** Why a call is refused, in a sentence, by the kind of the refusal or by its HTTP status. */
export type ErrorDescriptions = Readonly<Partial<Record<DomainErrorKind | number, string>>>

/** What a caller may send to be let in: one of these sets of credentials. */
export type Credential = 'apiKey' | 'accessToken' | 'controlToken' | 'controlCookie'
export type Credentials = readonly (readonly Credential[])[]

export interface AuthenticationOptions {
  takes: Credentials
  /** Whether a caller without a token may name the user in the query. */
  namesUser?: boolean
  errors: ErrorDescriptions | ((settings: Settings) => ErrorDescriptions)
}

/** Finds out who knocks; refuses whoever may not enter. */
export type Authentication<Who> = ((call: Call) => Who) & AuthenticationOptions

/** A guard, with what documents tell of it. */
export function authentication<Who>(
  options: AuthenticationOptions,
  find: (call: Call) => Who,
): Authentication<Who> {
  return Object.assign(find, options)
}

export interface AuthenticatedCall<Who, Query, Body> extends Call {
  readonly who: Who
  readonly input: { readonly query: Query; readonly body: Body }
}

/** An operation of the contract or of the control API: the one row that routes and documents share. */
export interface OperationOptions<Who, Query, Body, Answer extends z.ZodType> {
  id: string
  method: Method
  /** As Hono routes it, below the world's base URL: `/v2/users/:userId`. */
  path: string
  summary: string
  /** Its place in the contract. */
  ref?: string
  /** What replaces it, for an operation that is deprecated. */
  successor?: string
  auth: Authentication<Who>
  query?: () => z.ZodType<Query>
  body?: () => z.ZodType<Body>
  /** Longest body in bytes, where it differs from `BODY_MAX`. */
  bodyMax?: number
  status?: number | ((settings: Settings) => number)
  /** What the answer holds, before the dialect wraps it. */
  answer?: () => Answer
  /** Media type of an answer that is not JSON, which `handle` makes by itself. */
  media?: string
  /** Another media type for callers that accept it, which `handle` makes by itself. */
  alsoMedia?: string
  /** What it refuses besides its guard and the form of its input. */
  errors?: ErrorDescriptions | ((settings: Settings) => ErrorDescriptions)
  assumptions?: readonly SettingId[]
  handle(call: AuthenticatedCall<Who, Query, Body>): Handled<z.output<Answer>>
}

type Handled<Out> = Out | Response | Promise<Out | Response>

export interface Operation extends OperationOptions<unknown, unknown, unknown, z.ZodType> {
  dialect: Dialect
}

/** Makes the operations of one dialect, so that a route file lists only what differs. */
export function operationsOf(dialect: Dialect) {
  return function operation<
    Who,
    Query = undefined,
    Body = undefined,
    Answer extends z.ZodType = z.ZodVoid,
  >(options: OperationOptions<Who, Query, Body, Answer>): Operation {
    return { ...(options as unknown as Operation), dialect }
  }
}
