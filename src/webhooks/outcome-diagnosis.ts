import type { World } from '../world/world.ts'
import { isSpaced } from './body.ts'
import { type Delivery, describeMutated, isBadAttempt, type Outcome } from './delivery.ts'
import { isFalse, MUTATION_WORDS } from './mutation.ts'
import { UNSIGNED } from './request.ts'
import { diagnoseSignature } from './signature-diagnosis.ts'

export interface OutcomeProblem {
  message: string
  hint: string
}

/** Explains why a delivery failed; undefined while it is pending and where the receiver did right. */
export function diagnoseOutcome(world: World, delivery: Delivery): OutcomeProblem | undefined {
  const { outcome, mutation, reason, error, url } = delivery
  if (outcome === 'pending') return undefined
  const isAnswered = outcome === 'delivered' || outcome === 'rejected'
  if (mutation !== null && isFalse(mutation) && isAnswered) {
    if (!isBadAttempt(delivery)) return undefined
    return { message: describeMutated(mutation, delivery), hint: MUTATION_WORDS[mutation].hint }
  }
  if (outcome === 'delivered') return undefined
  if (outcome === 'rejected') return diagnoseResponse(world, delivery)
  const where = url === null ? '' : ` at ${url}`
  const isAbsent = outcome === 'refused' && error?.includes('ECONNREFUSED')
  const message = reason ?? (error ? `${error}${where}` : `No response${where}.`)
  if (outcome === 'suppressed' && url === null) return { message, hint: UNSET }
  return { message, hint: isAbsent ? ABSENT : HINTS[outcome] }
}

const UNSET = 'Set what is missing, then resend it.'
const HINTS: Record<Exclude<Outcome, 'pending' | 'delivered' | 'rejected'>, string> = {
  refused: 'The connection ended before a whole response; look at the log of the receiver.',
  timeout: 'Respond with a 2xx status first, and do the work after it.',
  tls: 'The receiver needs a certificate that Node trusts; use http:// on this machine.',
  blocked: 'Use another URL, or start with --allow-webhook-host and the name of the host.',
  suppressed: 'Resend it to let it arrive late.',
  overflow: 'The receiver is too slow; make it respond sooner, then resend it.',
}
const ABSENT =
  'Nothing listens there. Start the receiver, or correct the port. In a container, localhost is ' +
  'the container: use the name of the service or host.docker.internal.'

function diagnoseResponse(world: World, delivery: Delivery): OutcomeProblem {
  const { status = 0, statusText = '' } = delivery.response ?? {}
  const message = `The receiver responded with ${status} ${statusText}`.trimEnd()
  if (delivery.secret === null) return { message: `${message}.`, hint: UNSIGNED }
  const signature = findSignatureProblem(world, delivery)
  if (signature) return { message: `${message}. ${signature.message}`, hint: signature.hint }
  return { message: `${message}.`, hint: hintFor(status, delivery) }
}

/** A hint for a genuine webhook with a signature that is right. */
function hintFor(status: number, { mutation, first, sent, response }: Delivery): string {
  if (status >= 500) return 'The receiver failed; look at its log.'
  if (status >= 300 && status < 400) return 'Redirects are not followed; use the final URL.'
  if (status === 404 || status === 405) return 'The receiver has no POST at this path.'
  // What was rejected as it was, too, was not rejected for what was changed.
  const isRejectedAnyway = first?.outcome === 'rejected' && first.mutation === null
  if (mutation !== null && !isRejectedAnyway) return MUTATION_WORDS[mutation].hint
  const { body = '' } = response ?? {}
  const isUnauthorized = status === 401 || status === 403
  if (isUnauthorized && /csrf|forgery/i.test(body)) return CSRF
  const isAboutBytes = isUnauthorized || (status === 400 && /signature|hmac/i.test(body))
  if (isAboutBytes && isSpaced(sent?.body ?? '')) return RAW
  return 'The signature is right for the current secret; see what else the receiver checks.'
}

const CSRF = 'The response is about CSRF: exempt the path of the webhook from that check.'
const RAW =
  'Verify the bytes as received; a re-serialised body differs from them on purpose ' +
  '(`webhooks.body=compact` switches this off).'

/** Checks the delivery as a receiver with the current secret did when it arrived. */
function findSignatureProblem(world: World, delivery: Delivery) {
  const { sent, integrator } = delivery
  const signer = world.integratorsByName.get(integrator)
  if (!sent || !signer?.signingSecret) return undefined
  const { headers, body, at: now } = sent
  const headerPrefix = world.settings['names.headerPrefix']
  const { problems } = diagnoseSignature({
    headers,
    body,
    secret: signer.signingSecret,
    headerPrefix,
    isWorldTime: world.settings['webhooks.time'] === 'world',
    now,
    signers: [signer],
    deliveries: [delivery],
  })
  return problems[0]
}
