import { Refusal, type RefusalDetail, type RefusalKind } from '../world/domain-error.ts'
import type { Policy } from '../world/settings/index.ts'

const STATUSES: Record<RefusalKind, number> = {
  invalid: 400,
  limit: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'rate-limit': 429,
}

/** A refusal that HTTP itself has a status for, before the world is asked. */
export class HttpRefusal extends Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    field: string,
    message: string,
    { headers = {}, ...detail }: RefusalDetail & { headers?: Record<string, string> } = {},
  ) {
    super('invalid', field, message, detail)
    this.status = status
    this.headers = headers
  }
}

/** The status of a refusal as the contract's dialects say it: what is left open is a setting. */
export function contractStatusOf(refusal: Refusal, policy: Policy): number {
  const isInvalid = refusal.kind === 'invalid' && !(refusal instanceof HttpRefusal)
  return isInvalid ? Number(policy['errors.validation']) : statusOf(refusal)
}

export function statusOf(refusal: Refusal): number {
  return refusal instanceof HttpRefusal ? refusal.status : STATUSES[refusal.kind]
}

export function headersOf(refusal: Refusal): Readonly<Record<string, string>> {
  return refusal instanceof HttpRefusal ? refusal.headers : {}
}
