import type { KycLink } from '../world/state.ts'
import type { Call } from './operation.ts'

/** Where the user identifies: a page of the sandbox, at the address the caller reached it by. */
export function toKycUrl({ c }: Call, { token }: KycLink): string {
  return `${new URL(c.req.url).origin}${c.env.prefix}/_sandbox/kyc/${token}`
}
