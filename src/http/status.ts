import { DomainError, type DomainErrorDetail, type DomainErrorKind } from '../world/domain-error.ts'
import type { Settings } from '../world/settings/index.ts'

const STATUSES: Record<DomainErrorKind, number> = {
  invalid: 400,
  limit: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'rate-limit': 429,
}

/** A refusal that HTTP itself has a status for, before the world is asked. */
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

/** The status of a refusal as the contract's dialects say it: what is left open is a setting. */
export function contractStatusOf(refusal: DomainError, settings: Settings): number {
  const isInvalid = refusal.kind === 'invalid' && !(refusal instanceof HttpError)
  return isInvalid ? Number(settings['errors.validation']) : statusOf(refusal)
}

export function statusOf(refusal: DomainError): number {
  return refusal instanceof HttpError ? refusal.status : STATUSES[refusal.kind]
}

export function headersOf(refusal: DomainError): Readonly<Record<string, string>> {
  return refusal instanceof HttpError ? refusal.headers : {}
}
