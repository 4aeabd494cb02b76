import type { Context } from 'hono'
import type * as z from 'zod'
import type { Refusal } from '../world/errors.ts'
import type { SettingId } from '../world/policy.ts'
import type { World } from '../world/world.ts'
import type { Doors, Env } from './doors.ts'
import type { RequestRecord } from './requests.ts'

/** `ALL` stands for any method there is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'

/** One way of saying the same thing: v2, v1, unversioned or control. */
export interface Dialect {
  readonly name: 'v2' | 'v1' | 'unversioned' | 'control'
  success(data: unknown): unknown
  refusal(refusal: Refusal, status: number): unknown
  /** Media type of a refusal. */
  readonly refusalType: string
  /** Whether the request journal keeps these calls. */
  readonly journalled: boolean
  /** Headers of every answer, if any. */
  headers?(world: World): Record<string, string>
  /** Refuses every call of the dialect, as v1 does after its sunset. */
  refuse?(world: World, operation: Operation): void
}

/** A request on its way to the world. */
export interface Knock {
  readonly c: Context<Env>
  readonly doors: Doors
  readonly world: World
  readonly record: RequestRecord
  param(name: string): string
  header(name: string): string | undefined
  query(name: string): string | undefined
  /** Says which assumption this answer rests on, in the journal and in a header. */
  assume(id: SettingId): void
}

/** Finds out who knocks; refuses whoever may not enter. */
export type Guard<Who> = (knock: Knock) => Who

export interface Call<Who, Query, Body> extends Knock {
  readonly who: Who
  readonly input: { readonly query: Query; readonly body: Body }
}

/** An operation of the contract or of the control API: the one row that routes and documents share. */
export interface OperationOptions<Who, Query, Body> {
  id: string
  method: Method
  /** As Hono routes it, below the world's base URL: `/v2/users/:userId`. */
  path: string
  summary: string
  guard: Guard<Who>
  query?: () => z.ZodType<Query>
  body?: () => z.ZodType<Body>
  /** Longest body in bytes, where it differs from `BODY_MAX`. */
  bodyMax?: number
  status?: number | ((world: World) => number)
  /** What the answer holds, before the dialect wraps it. */
  answer?: () => z.ZodType
  assumptions?: readonly SettingId[]
  handle(call: Call<Who, Query, Body>): unknown
}

export interface Operation extends OperationOptions<unknown, unknown, unknown> {
  dialect: Dialect
}

/** Makes the operations of one dialect, so that a route file lists only what differs. */
export function operationsOf(dialect: Dialect) {
  return function operation<Who, Query = undefined, Body = undefined>(
    options: OperationOptions<Who, Query, Body>,
  ): Operation {
    return { ...(options as unknown as OperationOptions<unknown, unknown, unknown>), dialect }
  }
}
