import { DomainError, type DomainErrorDetail, type DomainErrorKind } from '../world/domain-error.ts'
import type { Settings } from '../world/settings/index.ts'

const STATUSES: Record<DomainErrorKind, number> = {
  invalid: 400,
  limit: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'rate-limit': 429,
}

/** An error that HTTP itself has a status for, thrown before the world is asked. */
export class HttpError extends DomainError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    field: string,
    message: string,
    { headers = {}, ...detail }: DomainErrorDetail & { headers?: Record<string, string> } = {},
  ) {
    super('invalid', field, message, detail)
    this.status = status
    this.headers = headers
  }
}

/** The status of an error in the contract's dialects: what the contract leaves open is a setting. */
export function contractStatusOf(error: DomainError, settings: Settings): number {
  const isInvalid = error.kind === 'invalid' && !(error instanceof HttpError)
  return isInvalid ? Number(settings['errors.validation']) : statusOf(error)
}

export function statusOf(error: DomainError): number {
  return error instanceof HttpError ? error.status : STATUSES[error.kind]
}

export function headersOf(error: DomainError): Readonly<Record<string, string>> {
  return error instanceof HttpError ? error.headers : {}
}
