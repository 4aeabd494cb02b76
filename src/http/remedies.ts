import type { DomainErrorDetail, Remedy } from '../world/domain-error.ts'

/** The call that helps, in words that follow those of the error. */
const REMEDIES: Record<Remedy, string | ((user: string) => string)> = {
  'find-user': 'Use GET /v2/users?email=… to find the user.',
  'make-quote': 'Use GET /v2/quotes to get a new one.',
  'make-share-token': 'Use POST /_sandbox/simulate/share-tokens to get a valid one.',
  'read-login-code': 'GET /_sandbox/inbox?kind=login-code shows the code that was sent.',
  'register-user': 'Use POST /v2/users to register one.',
  'send-login-code': 'Use POST /v2/auth/login-codes to send a login code.',
  'set-webhook-url': 'Use PUT /v2/webhook-configurations to set a URL.',
  'verify-user': (user) =>
    `POST /_sandbox/simulate/users/${user}/kyc with { "status": "verified" } verifies the user.`,
}

/** The hint of an error, with the call that helps. */
export function hintOf({ hint, remedy, user = '' }: DomainErrorDetail): string | undefined {
  const help = remedy && REMEDIES[remedy]
  const words = typeof help === 'function' ? help(user) : help
  return [hint, words].filter(Boolean).join(' ') || undefined
}
