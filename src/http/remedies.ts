import type { DomainErrorDetail, Remedy } from '../world/domain-error.ts'

/** The call that helps, in words that follow those of the error. */
const REMEDIES: Record<Remedy, string | ((user: string) => string)> = {
  'find-user': 'GET /v2/users?email=… finds it.',
  'make-quote': 'GET /v2/quotes makes a quote.',
  'make-share-token': 'POST /_sandbox/simulate/share-tokens makes one that works.',
  'read-login-code': 'GET /_sandbox/inbox?kind=login-code shows the one that was sent.',
  'register-user': 'POST /v2/users registers one.',
  'send-login-code': 'POST /v2/auth/login-codes sends a new one.',
  'set-webhook-url': 'PUT /v2/webhook-configurations sets it.',
  'verify-user': (user) =>
    `POST /_sandbox/simulate/users/${user}/kyc with { "status": "verified" } verifies the user.`,
}

/** The hint of an error, with the call that helps. */
export function hintOf({ hint, remedy, user = '' }: DomainErrorDetail): string | undefined {
  const help = remedy && REMEDIES[remedy]
  const words = typeof help === 'function' ? help(user) : help
  return [hint, words].filter(Boolean).join(' ') || undefined
}
