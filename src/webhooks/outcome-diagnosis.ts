import type { Integrator } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, Outcome } from './delivery.ts'
import { diagnoseSignature } from './signature-diagnosis.ts'

export interface OutcomeProblem {
  message: string
  hint: string
}

/** Undefined while it is on its way, and once a receiver has acknowledged it. */
export function diagnoseOutcome(world: World, delivery: Delivery): OutcomeProblem | undefined {
  const { outcome, reason, error, url } = delivery
  if (outcome === 'pending' || outcome === 'delivered') return undefined
  if (outcome === 'rejected') return diagnoseAnswer(world, delivery)
  const fixed = CONNECTION_HINTS.find(
    ([pattern]) => outcome === 'refused' && pattern.test(error ?? ''),
  )
  const hint = fixed?.[1] ?? HINTS[outcome]
  const where = url === null ? '' : ` at ${url}`
  return { message: reason ?? (error ? `${error}${where}` : `No answer${where}.`), hint }
}

const HINTS: Record<Exclude<Outcome, 'pending' | 'delivered' | 'rejected'>, string> = {
  refused: 'The connection ended before a whole answer; look at the log of the receiver.',
  timeout: 'Answer with a 2xx status first, and do the work after it.',
  tls: 'The receiver needs a certificate that Node trusts; use http:// on this machine.',
  blocked: 'Use another URL, or start with --allow-webhook-host and the name of the host.',
  suppressed: 'Set a URL, then resend it.',
  overflow: 'The receiver is too slow; make it answer sooner, then resend it.',
}

/** What a connection fails with, most specific first. */
const CONNECTION_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /ECONNREFUSED/,
    'Nothing listens there. Start the receiver, or correct the port. In a container, localhost is ' +
      'the container: use the name of the service or host.docker.internal.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'No such host. Correct the name, or check that it resolves here.'],
  [/EHOSTUNREACH|ENETUNREACH/, 'No route leads there from this machine.'],
  [/ECONNRESET|EPIPE|closed/, 'The receiver closed the connection; look for a crash in its log.'],
]

function diagnoseAnswer(world: World, delivery: Delivery): OutcomeProblem {
  const { status = 0, statusText = '' } = delivery.response ?? {}
  const message = `The receiver answered ${status} ${statusText}`.trimEnd()
  const signature = findSignatureProblem(world, delivery)
  if (signature) return { message: `${message}. ${signature.message}`, hint: signature.hint }
  return { message: `${message}.`, hint: hintFor(status) }
}

function hintFor(status: number): string {
  if (status >= 500) return 'The receiver failed; look at its log.'
  if (status >= 300 && status < 400) return 'Redirects are not followed; use the final URL.'
  if (status === 404 || status === 405) return 'The receiver has no POST at this path.'
  if (status === 400 || status === 401 || status === 403) {
    return 'The signature is right for the current secret; see what else the receiver checks.'
  }
  return 'Only a 2xx status acknowledges a webhook.'
}

/** What a receiver with the current secret finds wrong, at the time when it was sent. */
function findSignatureProblem(world: World, delivery: Delivery) {
  const { sent, integrator } = delivery
  const signer: Integrator | undefined = world.integratorsByName.get(integrator)
  if (!sent || !signer?.signingSecret) return undefined
  const { headers, body, at } = sent
  const headerPrefix = world.settings['names.headerPrefix']
  const secret = signer.signingSecret
  const request = { headers, body, secret, headerPrefix, now: at, signers: [signer] }
  return diagnoseSignature({ ...request, deliveries: [delivery] }).problems[0]
}
