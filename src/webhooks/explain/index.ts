import type { Delivery, SentRequest } from '../delivery.ts'
import { type HeaderSource, signBody } from '../sign.ts'
import { parse, tellDifference } from './difference.ts'
import { readHeaders, readSignature, readTimestamp } from './headers.ts'
import type { SignatureProblem } from './problem.ts'
import { findSigned } from './search.ts'
import { candidatesFor, type Signer } from './secrets.ts'
import { spellingsOf } from './spellings.ts'

const TOLERANCE_SECONDS = 300

/** A webhook as a receiver has it, and what a world knows that may explain it. */
export interface ExplainRequest {
  headers: HeaderSource
  body: string
  secret: string
  headerPrefix: string
  /** Wall time in ms. */
  now: number
  signers: readonly Signer[]
  /** The newest first. */
  deliveries: Iterable<SentDelivery>
}

type SentDelivery = Pick<Delivery, 'id' | 'eventId' | 'body' | 'sent' | 'reason'>

export interface Explanation {
  valid: boolean
  problems: SignatureProblem[]
  /** What the two headers would hold if this secret signed this body. */
  expected: { timestamp: string; signature: string }
  /** The delivery that it is, where the world still knows it. */
  deliveryId: string | null
}

/** Tells what is wrong with a signature; nothing is, exactly if `verifySignature` accepts it. */
export function explainSignature(request: ExplainRequest): Explanation {
  const { headers, headerPrefix, body, secret, now } = request
  const { timestamp, signature, problems: absent } = readHeaders(headers, headerPrefix)
  const { seconds, problem: form } = readTimestamp(timestamp)
  const { digest, problems: spelling } = readSignature(signature)
  const delivery = findDelivery(request, digest)
  const known: Known = { timestamp, seconds, digest, delivery }
  const problems = [
    ...absent,
    ...(form ? [form] : []),
    ...spelling,
    ...explainDigest(request, known),
    ...(seconds === undefined ? [] : judgeAge(Number(seconds), now)),
  ]
  const expectedAt = seconds ?? String(Math.floor(now / 1000))
  return {
    valid: problems.length === 0,
    problems: problems.map((problem) => withReason(problem, delivery)),
    expected: {
      timestamp: expectedAt,
      signature: signBody({ secret, timestamp: expectedAt, body }),
    },
    deliveryId: delivery?.id ?? null,
  }
}

/** What was made out so far. */
interface Known {
  timestamp: string | undefined
  seconds: string | undefined
  digest: string | undefined
  delivery: SentDelivery | undefined
}

/** What the digest is of, if not of what it should be. */
function explainDigest(request: ExplainRequest, known: Known): SignatureProblem[] {
  const { timestamp, seconds, digest, delivery } = known
  if (digest === undefined) return []
  const { body } = request
  const candidates = candidatesFor(request.secret, request.signers)
  const signedAt = delivery?.sent ? headerIn(delivery.sent, '-timestamp') : undefined
  const isSame = delivery?.sent ? digestIn(delivery.sent) === digest : false
  const found = findSigned(digest, {
    // What left under this very signature is what was signed, so that nothing else has to be guessed.
    timestamps: isSame ? toList([signedAt]) : toList([timestamp, seconds, signedAt]),
    bodies:
      isSame && delivery ? [delivery.body] : toList([body, delivery?.body, ...spellingsOf(body)]),
    candidates,
  })
  if (found === undefined) return [tellMismatch(request, known, isSame)]
  const isMoved = found.timestamp !== timestamp && found.timestamp !== seconds
  const difference = tellDifference(body, found.body)
  return [
    ...found.problems,
    ...(difference ? [difference] : []),
    ...(isMoved && seconds !== undefined ? [tellMoved(found.timestamp)] : []),
  ]
}

const toList = (texts: readonly (string | undefined)[]) => [
  ...new Set(texts.filter((text) => text !== undefined)),
]

function tellMismatch(
  { body }: ExplainRequest,
  { delivery }: Known,
  isSame: boolean,
): SignatureProblem {
  const difference = delivery && tellDifference(body, delivery.body)
  if (difference && !isSame) return difference
  return {
    code: 'signature-wrong',
    message: 'The signature is neither of this secret, nor of one that this world knows.',
    hint: 'Was the world reset, or the secret rotated more than once? Then take the newest secret.',
  }
}

const tellMoved = (signedAt: string): SignatureProblem => ({
  code: 'timestamp-changed',
  message: `The timestamp is not the one that was signed, ${signedAt}.`,
  hint: 'Take it from the header of the same request.',
})

function judgeAge(seconds: number, now: number): SignatureProblem[] {
  const age = Math.floor(now / 1000) - seconds
  if (Math.abs(age) <= TOLERANCE_SECONDS) return []
  const isOld = age > 0
  return [
    {
      code: isOld ? 'timestamp-stale' : 'timestamp-ahead',
      message: `The timestamp is ${Math.abs(age)} s ${isOld ? 'old' : 'ahead'}; at most ${TOLERANCE_SECONDS} s are accepted.`,
      hint: 'It is real time, whatever time it is in the world; compare it with the time of arrival.',
    },
  ]
}

/** A delivery that was spoilt on purpose says so itself. */
const SPOILT_CODES = new Set([
  'spoilt-on-purpose',
  'timestamp-stale',
  'body-changed',
  'signature-missing',
])

function withReason(
  problem: SignatureProblem,
  delivery: SentDelivery | undefined,
): SignatureProblem {
  if (!delivery?.reason || !SPOILT_CODES.has(problem.code)) return problem
  return { ...problem, hint: `${delivery.id}: ${delivery.reason}` }
}

/** The delivery with this signature; else the newest of the same event, or of the same bytes. */
function findDelivery({ deliveries, body }: ExplainRequest, digest: string | undefined) {
  const { id, eventId = id } = (parse(body) ?? {}) as { id?: unknown; eventId?: unknown }
  let alike: SentDelivery | undefined
  for (const delivery of deliveries) {
    if (delivery.sent === null) continue
    if (digest !== undefined && digestIn(delivery.sent) === digest) return delivery
    if (alike === undefined && (delivery.eventId === eventId || delivery.sent.body === body)) {
      alike = delivery
    }
  }
  return alike
}

const digestIn = (sent: SentRequest) => headerIn(sent, '-signature')?.slice('v1='.length)

/** The value of the header whose name ends so; the setting that says how it begins may have changed. */
function headerIn({ headers }: SentRequest, end: string): string | undefined {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase().endsWith(end))
  return at < 0 ? undefined : headers[at + 1]
}
