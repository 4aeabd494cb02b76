import { createHmac } from 'node:crypto'
import type { Integrator } from '../world/state.ts'
import type { Delivery, SentRequest } from './delivery.ts'
import { WRONG_SECRET } from './request.ts'
import { signBody } from './sign.ts'
import {
  findBodyProblem,
  parseJson,
  readSignatureHeaders,
  type SignatureProblem,
  toProblem,
} from './signature-problems.ts'

const TOLERANCE_SECONDS = 300
/** Integrators whose secrets are tried on a signature that the journal does not have. */
const SIGNERS_MAX = 20

/** A webhook as a receiver got it, and what the world knows that may explain it. */
export interface DiagnosisRequest {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: string
  secret: string
  headerPrefix: string
  /** Wall time in ms. */
  now: number
  signers: readonly Signer[]
  /** Newest first. */
  deliveries: Iterable<SentDelivery>
}

type Signer = Pick<Integrator, 'name' | 'signingSecret' | 'previousSecret'>
type SentDelivery = Pick<Delivery, 'id' | 'eventId' | 'integrator' | 'body' | 'sent' | 'reason'>

export interface Diagnosis {
  valid: boolean
  problems: SignatureProblem[]
  /** What the two headers would be if this secret signed this body. */
  expected: { timestamp: string; signature: string }
  /** The delivery that this is, if the world still has it. */
  deliveryId: string | null
}

/** Finds what is wrong with a signature; nothing is if and only if `verifySignature` accepts it. */
export function diagnoseSignature(request: DiagnosisRequest): Diagnosis {
  const { body, secret } = request
  const { problems, ...headers } = readSignatureHeaders(request.headers, request.headerPrefix)
  const nowSeconds = Math.floor(request.now / 1000)
  const { seconds, digest } = headers
  const delivery = findDelivery(request, digest)
  if (digest !== undefined)
    problems.push(...diagnoseDigest(request, { ...headers, digest, delivery }))
  if (seconds !== undefined) problems.push(...diagnoseAge(nowSeconds - Number(seconds)))
  const timestamp = seconds ?? String(nowSeconds)
  return {
    valid: problems.length === 0,
    problems: problems.map((problem) => withReason(problem, delivery)),
    expected: { timestamp, signature: signBody({ secret, timestamp, body }) },
    deliveryId: delivery?.id ?? null,
  }
}

/** The delivery with this signature, or else the newest with the same event or the same bytes. */
function findDelivery({ deliveries, body }: DiagnosisRequest, digest: string | undefined) {
  const { id, eventId = id } = (parseJson(body) ?? {}) as { id?: unknown; eventId?: unknown }
  let similar: SentDelivery | undefined
  for (const delivery of deliveries) {
    if (delivery.sent === null) continue
    if (digest !== undefined && digestOf(delivery.sent) === digest) return delivery
    if (delivery.eventId === eventId || delivery.sent.body === body) similar ??= delivery
  }
  return similar
}

interface Received {
  timestamp: string | undefined
  seconds: string | undefined
  digest: string
  delivery: SentDelivery | undefined
}

/** What was signed with which key, if not this body with this secret. */
function diagnoseDigest(request: DiagnosisRequest, received: Received): SignatureProblem[] {
  const { digest, delivery, timestamp, seconds } = received
  const isKnown = delivery?.sent != null && digestOf(delivery.sent) === digest
  const inputs = isKnown ? [toSentInput(delivery)] : toLikelyInputs(request.body, received)
  for (const { key, problem } of toKeys(request, isKnown ? delivery : undefined)) {
    for (const input of inputs) {
      if (createHmac('sha256', key).update(input.text).digest('hex') !== digest) continue
      const isMoved = input.timestamp !== timestamp && input.timestamp !== seconds
      const moved = `The timestamp is not the one that was signed, ${input.timestamp}.`
      return [
        input.problem,
        problem,
        findBodyProblem(request.body, input.body),
        isMoved && seconds !== undefined ? toProblem('timestamp-changed', moved) : undefined,
      ].filter((found) => found !== undefined)
    }
  }
  const changed = isKnown || !delivery ? undefined : findBodyProblem(request.body, delivery.body)
  const message = 'The signature matches neither this secret nor any other that this world knows.'
  return [changed ?? toProblem('signature-wrong', message)]
}

/** Text that may have been signed, with what is wrong if it was. */
interface SignedInput {
  text: string
  timestamp: string
  body: string
  problem?: SignatureProblem
}

function toSentInput({ sent, body }: SentDelivery): SignedInput {
  const timestamp = (sent && headerOf(sent, '-timestamp')) ?? ''
  return { text: `${timestamp}.${body}`, timestamp, body }
}

/** For a signature that some other program made, or that the journal has dropped. */
function toLikelyInputs(given: string, { timestamp, seconds, delivery }: Received): SignedInput[] {
  const json = parseJson(given)
  const written = json === undefined ? [] : [JSON.stringify(json), JSON.stringify(json, null, 2)]
  const misread = Buffer.from(given, 'latin1').toString()
  const bodies = [given, delivery?.body, given.trimEnd(), `${given}\n`, misread, ...written]
  return unique([timestamp, seconds]).flatMap((at) =>
    unique(bodies).flatMap((body) => [
      { text: `${at}.${body}`, timestamp: at, body },
      { text: body, timestamp: at, body, problem: BODY_ONLY },
      { text: at + body, timestamp: at, body, problem: WITHOUT_DOT },
      { text: `${body}.${at}`, timestamp: at, body, problem: BACKWARDS },
    ]),
  )
}

const BODY_ONLY = toProblem('signed-body-only', 'The digest is of the body alone.')
const WITHOUT_DOT = toProblem('signed-without-dot', 'The digest lacks the dot before the body.')
const BACKWARDS = toProblem('signed-backwards', 'The digest is of the body before the timestamp.')

const unique = (texts: readonly (string | undefined)[]) => [
  ...new Set(texts.filter((text) => text !== undefined)),
]

/** A key that may have signed, and what is wrong if it did instead of the given secret. */
interface Key {
  key: string | Buffer
  problem?: SignatureProblem
}

/** The given secret first; of a delivery in the journal, only its integrator can have signed. */
function toKeys({ secret, signers }: DiagnosisRequest, known: SentDelivery | undefined): Key[] {
  const likely = known ? signers.filter(({ name }) => name === known.integrator) : signers
  const bare = /^whsec_(.+)$/.exec(secret)?.[1] ?? ''
  const decoded = bare === '' ? [] : [bare, Buffer.from(bare, 'hex'), Buffer.from(bare, 'base64')]
  const form = toProblem('secret-form', 'It was signed with a decoded or shortened secret.')
  const wrong = 'It was signed with a wrong secret, because a fault or a resend asked for that.'
  return [
    { key: secret },
    ...likely.slice(0, SIGNERS_MAX).flatMap((signer) => keysOf(signer, secret, signers)),
    ...decoded.map((key) => ({ key, problem: form })),
    { key: WRONG_SECRET, problem: toProblem('spoilt-on-purpose', wrong) },
  ]
}

function keysOf(signer: Signer, given: string, signers: readonly Signer[]): Key[] {
  const { name, signingSecret, previousSecret } = signer
  const other = diagnoseSecret(name, given, signers)
  const old = `This is the secret that ${name} had before the last rotation.`
  const before = `It was signed with the secret that ${name} had before the last rotation.`
  const keys = [
    {
      key: signingSecret,
      problem: given === previousSecret ? toProblem('secret-before-rotation', old) : other,
    },
    {
      key: previousSecret,
      problem: given === signingSecret ? toProblem('signed-before-rotation', before) : other,
    },
  ]
  return keys.filter((row): row is typeof row & { key: string } => row.key !== null)
}

/** What is wrong with a secret when that of another integrator signed. */
function diagnoseSecret(name: string, given: string, signers: readonly Signer[]) {
  const ownerOf = (secret: string) =>
    signers.find((signer) => secret === signer.signingSecret || secret === signer.previousSecret)
  if (given === '') return toProblem('secret-missing', 'The secret is empty.')
  const trimmed = given.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (trimmed !== given && ownerOf(trimmed)) {
    return toProblem('secret-padded', 'The secret has white space or quotes around it.')
  }
  const owner = ownerOf(given)
  const signed = `It was signed with a secret of ${name}`
  return owner
    ? toProblem('secret-of-other-integrator', `${signed}; this one belongs to ${owner.name}.`)
    : toProblem('secret-wrong', `${signed}, which is not this one.`)
}

function diagnoseAge(seconds: number): SignatureProblem[] {
  if (Math.abs(seconds) <= TOLERANCE_SECONDS) return []
  const limit = `at most ${TOLERANCE_SECONDS} s are accepted.`
  return seconds > 0
    ? [toProblem('timestamp-stale', `The timestamp is ${seconds} s old; ${limit}`)]
    : [toProblem('timestamp-ahead', `The timestamp is ${-seconds} s ahead; ${limit}`)]
}

/** Problems that a fault or a resend can cause; the delivery then says so. */
const CAUSED_CODES = ['spoilt-on-purpose', 'timestamp-stale', 'body-changed', 'signature-missing']

function withReason(problem: SignatureProblem, delivery: SentDelivery | undefined) {
  if (!delivery?.reason || !CAUSED_CODES.includes(problem.code)) return problem
  return { ...problem, hint: `${delivery.id}: ${delivery.reason}` }
}

const digestOf = (sent: SentRequest) => headerOf(sent, '-signature')?.slice('v1='.length)

/** A header by the end of its name, because names.headerPrefix may have changed since. */
function headerOf({ headers }: SentRequest, end: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase().endsWith(end))?.[1]
}
