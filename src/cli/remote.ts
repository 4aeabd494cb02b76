import { SandboxError } from '../client/error.ts'
import { DomainError } from '../world/domain-error.ts'

/** What went wrong with calls to a sandbox, as an error of a command. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error
  const { message, status } = error
  const hint = 'ramp-sandbox start starts one; --url or RAMP_SANDBOX_URL names another.'
  return new DomainError('conflict', message, {
    field: '--url',
    ...(status === undefined ? { hint } : {}),
  })
}
