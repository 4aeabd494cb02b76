import type { World } from '../world/world.ts'
import { isSpaced } from './body.ts'
import {
  type Delivery,
  describeMutated,
  hadNoUrl,
  isBadAttempt,
  type Outcome,
  type ReceiverResponse,
} from './delivery.ts'
import { hostOf, isLoopbackHost } from './destination.ts'
import { isFalse, MUTATION_WORDS } from './mutation.ts'
import { UNSIGNED } from './request.ts'
import { describeResponse, findResponseHint, isPage } from './response-diagnosis.ts'
import { diagnoseSignature } from './signature-diagnosis.ts'

export interface OutcomeProblem {
  message: string
  hint: string
}

/** Parts of an attempt that are known without its world. */
export interface Attempt
  extends Pick<Delivery, 'outcome' | 'mutation' | 'reason' | 'error' | 'url' | 'durationMs'> {
  response: ReceiverResponse | null
  /** The bytes that were sent. */
  body: string
}

/** Explains why a delivery failed; undefined while it is pending and where the receiver did right. */
export function diagnoseOutcome(world: World, delivery: Delivery): OutcomeProblem | undefined {
  const { outcome, mutation, reason, error, url, durationMs, response, first, sent } = delivery
  if (hadNoUrl(delivery) && delivery.dialect === 'v2') {
    const hint = `Set a URL for the integrator ${delivery.integrator}, then resend the webhook.`
    return { message: reason ?? '', hint }
  }
  // What was rejected as it was, too, was not rejected for what was changed.
  const isRejectedAnyway = first?.outcome === 'rejected' && first.mutation === null
  const blamed = isRejectedAnyway && !isFalse(mutation) ? null : mutation
  const body = sent?.body ?? ''
  return diagnoseAttempt(
    { outcome, mutation: blamed, reason, error, url, durationMs, response, body },
    () => findSignatureProblem(world, delivery),
  )
}

interface SignatureProblem extends OutcomeProblem {
  /** True if it is only likely. */
  isGuess?: true
}

/** Explains an attempt; `findSignature` finds what was wrong with its signature. */
export function diagnoseAttempt(
  attempt: Attempt,
  findSignature: () => SignatureProblem | undefined = () => undefined,
): OutcomeProblem | undefined {
  const { outcome, mutation, response, url } = attempt
  if (outcome === 'pending') return undefined
  const isAnswered = outcome === 'delivered' || outcome === 'rejected'
  if (!response || !isAnswered) return diagnoseSilence(attempt)
  if (mutation !== null && isFalse(mutation)) {
    if (!isBadAttempt(attempt)) return undefined
    return { message: describeMutated(mutation, attempt), hint: MUTATION_WORDS[mutation].hint }
  }
  if (outcome === 'rejected') return diagnoseResponse(attempt, response, findSignature)
  return isPage(response) ? { message: describeResponse(response, url), hint: PAGE } : undefined
}

const PAGE =
  'The response is a web page, not a webhook handler’s response. Is the path right, and does the route accept POST?'

/** From here on a connection that ends may have been waited for too long. */
const SLOW_MS = 1_000

export const wasSlow = ({ durationMs }: Pick<Attempt, 'durationMs'>): boolean =>
  (durationMs ?? 0) >= SLOW_MS

function diagnoseSilence(attempt: Attempt): OutcomeProblem {
  const { outcome, reason, error, url, durationMs } = attempt
  const where = url === null || outcome === 'suppressed' ? '' : ` (${url})`
  // Where it was sent, the reason only says what was changed about it.
  const isSent = ['refused', 'timeout', 'tls'].includes(outcome)
  const failure = `${(error ?? 'No response').replace(/[.:]$/, '')}${where}.`
  const message = isSent ? failure : (reason ?? failure)
  if (hadNoUrl(attempt)) return { message, hint: UNSET }
  const known = BY_ERROR.find(([words]) => words.test(error ?? ''))?.[1]
  if (outcome === 'refused' && !known && wasSlow(attempt)) {
    const seconds = ((durationMs ?? 0) / 1_000).toFixed(1)
    return { message, hint: `The connection ended after ${seconds} s. ${LATE}` }
  }
  const isLocal = known === CLOSED && url !== null && isLoopbackHost(hostOf(new URL(url)))
  return { message, hint: isLocal ? `${known} ${IN_A_CONTAINER}` : (known ?? HINTS[outcome]) }
}

const UNSET = 'Configure what is missing, then resend the webhook.'
const LATE = 'Respond first, and do the work afterwards.'
const HINTS: Record<Outcome, string> = {
  pending: '',
  delivered: '',
  rejected: '',
  refused:
    'The connection ended before the response was complete: check the receiver’s log, or whether a test had already closed the receiver.',
  timeout: LATE,
  tls: 'The receiver does not speak TLS on this port: use http://, or correct the port.',
  blocked: 'Use another URL, or start with --allow-webhook-host and the name of the host.',
  suppressed: 'Resend it.',
  overflow: 'The receiver is too slow; make it respond sooner, then resend the webhook.',
}

const CLOSED = 'Nothing is listening there. Start the receiver, or correct the port.'
const IN_A_CONTAINER =
  'In a container, localhost is the container: use the name of the service or host.docker.internal.'

/** Hints for errors of the connection, by their text. */
const BY_ERROR: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, CLOSED],
  [/HPE_/, 'The response is not HTTP; correct the port.'],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no such host; correct the name.'],
  [
    /SELF_SIGNED|UNABLE_TO/,
    'The certificate is self-signed, or its issuer is unknown: start the sandbox with NODE_EXTRA_CA_CERTS=FILE (that certificate or its issuer’s, as PEM), or use http:// on this machine.',
  ],
  [/ALTNAME/, 'The certificate is for other hosts: use a name that it covers.'],
  [
    /CERT_HAS_EXPIRED|NOT_YET/,
    'The certificate has expired or is not valid yet; create a new one.',
  ],
]

function diagnoseResponse(
  { mutation, url, body }: Attempt,
  response: ReceiverResponse,
  findSignature: () => SignatureProblem | undefined,
): OutcomeProblem {
  const message = describeResponse(response, url)
  const certain = findResponseHint(response, { url, bytes: Buffer.byteLength(body) })
  if (certain !== undefined) return { message, hint: certain }
  const signature = findSignature()
  if (signature && !signature.isGuess) {
    return { message: `${message} ${signature.message}`.trimEnd(), hint: signature.hint }
  }
  if (mutation !== null) return { message, hint: MUTATION_WORDS[mutation].hint }
  const { status } = response
  const isAboutBytes =
    status === 401 || status === 403 || /signature|hmac/i.test(response.body.slice(0, READ_MAX))
  const hints = isAboutBytes ? [signature?.hint, SECRET, isSpaced(body) && RAW, COMPUTED] : []
  return { message, hint: hints.filter(Boolean).join(' ') || RIGHT }
}

const READ_MAX = 1_000

const RIGHT = 'The signature is valid for the current secret; see what else the receiver checks.'
const SECRET =
  'Does the receiver use the signing secret of this integrator, and does it verify the bytes as received?'
const RAW =
  'Their spacing is unusual on purpose, so a re-serialised body never matches (`webhooks.body=compact` switches this off).'
const COMPUTED =
  'With the signature that the receiver computed, `webhook explain ID --computed SIGNATURE` names the mistake.'
const ROTATED = 'The secret was rotated. Does the receiver still use an older one?'

/** Checks the delivery as a receiver with the current secret did when it arrived. */
function findSignatureProblem(world: World, delivery: Delivery): SignatureProblem | undefined {
  const { sent, integrator } = delivery
  if (delivery.secret === null) return { message: '', hint: UNSIGNED }
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
    mistakesMax: 1,
    deliveries: [delivery],
  })
  const isRotated = signer.previousSecret !== null
  return problems[0] ?? (isRotated ? { message: '', hint: ROTATED, isGuess: true } : undefined)
}
