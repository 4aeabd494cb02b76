import type * as z from 'zod'
import type { ErrorDescriptions } from '../control-api/row.ts'
import type { JsonSchema } from '../control-api/schema.ts'
import type { CallRecord } from '../engine/call-record.ts'
import type { DomainError } from '../world/domain-error.ts'
import type { Settings } from '../world/settings/index.ts'
import type { WebhookId } from '../world/settings/operations.ts'
import type { World } from '../world/world.ts'

/** Wording of responses and errors in a version of the API or in the control API. */
export interface Dialect {
  readonly name: string
  success(data: unknown): unknown
  error(error: DomainError, status: number): unknown
  /** The status of an error; undefined for a code without one of its own. */
  statusOf(code: string, settings: Settings): number | undefined
  readonly errorType: string
  /** True if its operations belong to the contract: the request journal keeps their calls. */
  readonly isContract: boolean
  /**
   * True if the journal notes fields that the contract does not name; a setting can reject them.
   */
  readonly checksUnknownFields: boolean
  headers?(world: World): Record<string, string>
  /** Throws when none of its operations is available any more. */
  assertAvailable?(call: AvailabilityCheck, operation: { successor?: string }): void
  readonly describe: DialectDescription
}

export interface AvailabilityCheck {
  readonly world: World
  readonly record: Pick<CallRecord, 'note'>
}

export interface DialectDescription {
  /** Wraps the schema of the data, where there is any, in that of a response. */
  success(data: JsonSchema | undefined): JsonSchema
  error(): z.ZodType
  errors?: ErrorDescriptions
  /** Headers of every response, by their names in the document. */
  headers?: readonly string[]
  /** Events that it posts, by their type. */
  webhooks?: Readonly<Record<string, WebhookDescription>>
}

export interface WebhookDescription {
  id: WebhookId
  summary: string
  /** For documents: what it says, and when it is sent. */
  about: string
  ref: string
  deprecated?: boolean
  body(): z.ZodType
}
