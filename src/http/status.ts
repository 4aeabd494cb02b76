import { BODILESS } from '../engine/faults.ts'
import { DomainError, type DomainErrorDetail } from '../world/domain-error.ts'
import { type ErrorCode, findError } from '../world/settings/errors.ts'
import type { Settings } from '../world/settings/index.ts'
import type { Dialect } from './dialect.ts'
import type { OperationDescription } from './operation-description.ts'

/** Default codes of errors that HTTP has a status for. */
const CODES: Readonly<Record<number, string>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
}

/** An error that HTTP itself has a status for, thrown before the world is asked. */
export class HttpError extends DomainError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text that is sent in place of the error. */
  readonly body: string | undefined

  constructor(
    status: number,
    field: string,
    message: string,
    { headers = {}, body, code = CODES[status] ?? 'invalid', ...detail }: HttpErrorDetail = {},
  ) {
    super(code, message, { ...detail, field })
    this.status = status
    this.headers = headers
    this.body = body
  }
}

interface HttpErrorDetail extends DomainErrorDetail {
  code?: string
  headers?: Record<string, string>
  body?: string | undefined
}

/** The code of an error as callers of the contract's API see it. */
export function contractCodeOf({ code }: DomainError, operation?: OperationDescription): string {
  if (code !== 'invalid') return code
  return operation?.body ? 'invalid-body' : 'invalid-query'
}

/** The status of an error of the contract's API; undefined for one that the sandbox adds. */
export function contractStatusOf(code: string, settings: Settings): number | undefined {
  const row = findError(code)
  if (row === undefined) return undefined
  const status = settings[`status.${code as ErrorCode}`]
  // An error keeps an error status even if a setting says otherwise.
  return status >= 400 ? status : Math.max(row.status, 404)
}

export function headersOf(error: DomainError): Readonly<Record<string, string>> {
  return error instanceof HttpError ? error.headers : {}
}

/** The body of an error's response; null for a status without a body, which only a fault has. */
export function bodyOf(error: DomainError, dialect: Dialect, status: number): string | null {
  if (BODILESS.includes(status)) return null
  const own = error instanceof HttpError ? error.body : undefined
  return own ?? JSON.stringify(dialect.error(error, status))
}

export function successOf(
  { contract, status = 200 }: OperationDescription,
  settings: Settings,
): number {
  const { success = status } = contract ?? {}
  return success === 'status.created' ? settings[success] : success
}
