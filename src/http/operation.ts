import type { Context } from 'hono'
import type * as z from 'zod'
import type { CallRecord } from '../engine/call-record.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { ContractOperation } from '../world/settings/operations.ts'
import type { ActionKind } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Dialect } from './dialect.ts'
import type {
  AuthenticationDescription,
  Method,
  OperationDescription,
} from './operation-description.ts'
import type { Bindings, Services } from './services.ts'

export interface Env {
  Bindings: Bindings
  /** Set by the first middleware of an operation. */
  Variables: { call: RunningCall }
}

export interface Call {
  readonly c: Context<Env>
  readonly operation: Pick<OperationDescription, 'contract'>
  readonly services: Services
  readonly world: World
  readonly record: CallRecord
  param(name: string): string
  header(name: string): string | undefined
  query(name: string): string | undefined
  /** Notes in the journal that this response depends on an assumption. */
  assume(id: SettingId): void
}

/** Identifies the caller; throws if credentials are missing or wrong. */
export type Authentication<Who> = ((call: Call) => Who) & AuthenticationDescription

/** Joins the function that authenticates with its description for documents. */
export function authentication<Who>(
  description: AuthenticationDescription,
  find: (call: Call) => Who,
): Authentication<Who> {
  return Object.assign(find, description)
}

export interface AuthenticatedCall<Who, Query, Body> extends Call {
  readonly who: Who
  readonly input: { readonly query: Query; readonly body: Body }
}

/** A call on its way through the middleware. */
export interface RunningCall extends AuthenticatedCall<unknown, unknown, unknown> {
  readonly operation: Operation
  /** The body off the socket; a promise, because what is wrong with it is said in its turn. */
  readonly bytes: Promise<Buffer> | undefined
  authenticate(): void
  handle(): Response | Promise<Response>
  fail(error: unknown): Response
  /** Ends the journal row of a call that gets no response. */
  close(): void
}

type Handled<Out> = Out | Response | Promise<Out | Response>

/** Row of the table of operations: method, path, auth, input and handler. */
export interface OperationOptions<
  Who,
  Query extends Schema,
  Body extends Schema,
  Output extends Schema,
> extends Omit<OperationDescription, 'contract' | 'dialect' | 'method' | 'path'> {
  auth: Authentication<Who>
  query?: () => Query
  body?: () => Body
  response?: () => Output
  /** Kind of action on the timeline, for a control call that changes the world. */
  action?: ActionKind | undefined
  handle(call: AuthenticatedCall<Who, z.output<Query>, z.output<Body>>): Handled<z.output<Output>>
}

export type Schema = z.ZodType

export interface Operation extends OperationOptions<unknown, Schema, Schema, Schema> {
  contract?: ContractOperation
  dialect: Dialect
  method: Method
  path: string
}

/** Returns the function that makes the operations of a dialect, each with its row of the contract. */
export function operationIn<Id extends string>(
  dialect: Dialect,
  contract?: Readonly<Record<Id, ContractOperation>>,
) {
  return function operation<
    Who,
    Query extends Schema = z.ZodUndefined,
    Body extends Schema = z.ZodUndefined,
    Output extends Schema = z.ZodVoid,
  >(
    method: Method,
    path: string,
    options: OperationOptions<Who, Query, Body, Output> & { id: Id },
  ): Operation {
    const row = contract && { contract: contract[options.id] }
    return { ...(options as unknown as Operation), ...row, dialect, method, path }
  }
}
