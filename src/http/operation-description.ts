import type * as z from 'zod'
import type { ControlRow, ErrorDescriptions } from '../control-api/row.ts'
import type { Problem } from '../world/domain-error.ts'
import type { ContractOperation } from '../world/settings/operations.ts'
import type { World } from '../world/world.ts'
import type { Dialect } from './dialect.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'

export type Credential = 'apiKey' | 'accessToken' | 'controlToken' | 'controlCookie'
/** Cookie with the control token, so that the inspector asks for it only once. */
export const TOKEN_COOKIE = 'ramp_sandbox_control'
export type Credentials = readonly (readonly Credential[])[]

export interface AuthenticationDescription {
  takes: Credentials
  /** Errors of the control API; those of the contract are in their table. */
  errors?: ErrorDescriptions | undefined
}

type Shared = 'id' | 'summary' | 'about' | 'success' | 'params' | 'response' | 'errors'
type SharedRules = 'bodyMax' | 'valuesMax' | 'bodyHint' | 'adds' | 'alsoMedia'

/** An operation without its handler: what routes, documents and hints need to know of it. */
export interface OperationDescription extends Pick<ControlRow, Shared | SharedRules> {
  dialect: Dialect
  method: Method
  /** Path as Hono routes it, below the world's base URL: `/v2/users/:userId`. */
  path: string
  /** Row of the contract's table; a control operation has none. */
  contract?: ContractOperation
  /** Replacement, for an operation that is deprecated. */
  successor?: string
  auth: AuthenticationDescription
  query?: () => z.ZodType
  body?: () => z.ZodType
  /** Finds problems in the readable fields of a body that has unreadable ones. */
  findProblems?: (world: World, readable: Record<string, unknown>) => Problem[]
  /** Overrides `checksUnknownFields` of the dialect. */
  checksUnknownFields?: boolean
  /** Success status of a control call. Default: 200. */
  status?: number
  /** Media type of a response that is not JSON and that `handle` makes itself. */
  media?: string
  /** When `handle` responds with 202 and no body. */
  accepted?: string
}

const BUILT = new WeakMap<() => z.ZodType, z.ZodType>()

/** Built on first use, because schemas are slow to build and most processes need few. */
export function schemaOf(build: () => z.ZodType): z.ZodType {
  const built = BUILT.get(build) ?? build()
  BUILT.set(build, built)
  return built
}

export const schemasOf = ({ query, body }: OperationDescription) => ({
  query: query && schemaOf(query),
  body: body && schemaOf(body),
})
