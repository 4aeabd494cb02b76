import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Integrator } from '../world/state.ts'
import { writeSpaced } from './body.ts'
import {
  type ComputedProblem,
  explainComputed,
  parseJson,
  SIGNERS_MAX,
} from './computed-signature.ts'
import type { Delivery } from './delivery.ts'
import { WRONG_SECRET } from './mutate.ts'
import type { Mutation } from './mutation.ts'
import {
  decodeBase64,
  SIGNATURE,
  signBody,
  TIMESTAMP,
  TOLERANCE_SECONDS,
  verifySignature,
} from './sign.ts'

const RAW = 'Verify the raw bytes, before anything parses them: express.raw(), request.text().'
const ALL_HEADERS = 'Pass all headers as received; a proxy or a framework may have removed it.'
const REAL_TIME = 'It is wall time, not world time: compare it with the time of arrival.'
const WORLD_TIME = 'It is world time, because webhooks.time is world: compare it with that.'

/** The codes are public and must not change; the texts may. */
const PROBLEMS = {
  'timestamp-missing': ['The timestamp header is missing.', ALL_HEADERS],
  'signature-missing': ['The signature header is missing.', ALL_HEADERS],
  'header-prefix': ['The headers have another prefix.', 'See the setting names.headerPrefix.'],
  'timestamp-format': ['The timestamp is not a number of seconds.', 'Such as 1751328000.'],
  'timestamp-stale': [`The timestamp is more than ${TOLERANCE_SECONDS} s old.`, REAL_TIME],
  'timestamp-ahead': [`The timestamp is more than ${TOLERANCE_SECONDS} s ahead.`, REAL_TIME],
  'signature-format': [
    'The signature is not v1= and 64 lower-case hex digits.',
    'It is v1= and the digest in hex.',
  ],
  'signature-wrong': [
    'The signature matches neither this secret nor any other that this world knows.',
    'After a reset, or more than one rotation, use the newest secret.',
  ],
  'signed-body-only': ['The body alone was signed.', 'Sign <timestamp>.<raw body>.'],
  'secret-before-rotation': [
    'The secret is the one from before the last rotation.',
    'Use the secret that the last rotation returned; it is shown only once.',
  ],
  'signed-before-rotation': [
    'It was signed with the secret from before the last rotation.',
    'Accept the previous secret for a while after a rotation.',
  ],
  'secret-padded': ['The secret has white space or quotes around it.', 'Trim it.'],
  'secret-of-other-integrator': [
    'The secret belongs to another integrator.',
    'Each integrator has its own secret, which signs only its events.',
  ],
  'secret-wrong': [
    'It was signed with another secret.',
    'Copy it from the first PUT of the configuration, or rotate it to get a new one.',
  ],
  'wrong-on-purpose': ['A fault or a resend signed it with a wrong secret.', 'Reject it.'],
  'body-base64': [
    'The body is in base64, as AWS Lambda passes it with isBase64Encoded.',
    'Decode it, and verify the decoded bytes.',
  ],
  'body-reserialised': ['The body has the same values in other bytes.', RAW],
  'body-changed': ['The body was changed after it was signed.', RAW],
} as const

type Code = keyof typeof PROBLEMS

/** A webhook as its receiver got it, with what the world knows about it. */
export interface DiagnosisRequest {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: string
  secret: string
  computed?: string | undefined
  headerPrefix: string
  now: number
  /** True where timestamps are world time. */
  isWorldTime?: boolean
  signers: readonly Signer[]
  deliveries: Iterable<SentDelivery>
}

type Signer = Pick<Integrator, 'name' | 'signingSecret' | 'previousSecret'>
type SentDelivery = Pick<
  Delivery,
  'id' | 'eventId' | 'integrator' | 'signedBody' | 'sent' | 'reason' | 'mutation' | 'secret'
>

export interface Diagnosis {
  valid: boolean
  problems: { code: Code; message: string; hint: string }[]
  /** Headers that this secret and body would have. */
  expected: { timestamp: string; signature: string }
  /** Mistakes that lead to the signature that the receiver computed; null if it sent none. */
  computed: ComputedProblem[] | null
  /** The matching delivery, if the world still has it. */
  deliveryId: string | null
}

/**
 * Finds what is wrong with a signature; no problem is found if and only if `verifySignature`
 * accepts it.
 */
export function diagnoseSignature(given: DiagnosisRequest): Diagnosis {
  const decoded = decodeBase64(given.body)
  const request = Object.assign({}, given, decoded !== undefined && { body: decoded })
  const { body, secret, now, computed, signers } = request
  const codes = new Set<Code>(decoded === undefined ? [] : ['body-base64'])
  const seconds = readHeader(request, 'timestamp', codes)
  const signature = readHeader(request, 'signature', codes)
  const delivery = findDelivery(request, signature)
  const { ok } = verifySignature(request)
  if (signature !== undefined && !ok) {
    const found = diagnoseDigest(request, { signature, seconds, delivery })
    for (const code of found) codes.add(code)
  }
  const age = seconds === undefined ? 0 : Math.floor(now / 1000) - Number(seconds)
  if (Math.abs(age) > TOLERANCE_SECONDS) codes.add(age > 0 ? 'timestamp-stale' : 'timestamp-ahead')
  if (!ok && codes.size === 0) codes.add('signature-wrong')
  const timestamp = seconds ?? String(Math.floor(now / 1000))
  return {
    valid: ok && decoded === undefined,
    problems: [...codes].map((code) => toProblem(code, request, delivery)),
    expected: { timestamp, signature: signBody({ secret, timestamp, body }) },
    computed: computed?.trim()
      ? explainComputed({ computed, secret, timestamp, body, signers })
      : null,
    deliveryId: delivery?.id ?? null,
  }
}

const FORMATS = { timestamp: TIMESTAMP, signature: SIGNATURE }

/** The header whose name has this ending, if its value is well-formed. */
function readHeader(
  { headers, headerPrefix }: DiagnosisRequest,
  end: keyof typeof FORMATS,
  codes: Set<Code>,
): string | undefined {
  const found = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), [value].flat()[0]] as const)
    .filter(([name, value]) => name.endsWith(`-${end}`) && value !== undefined)
  const own = found.find(([name]) => name === `${headerPrefix}-${end}`.toLowerCase())
  if (own === undefined) codes.add(found.length > 0 ? 'header-prefix' : `${end}-missing`)
  const text = (own ?? found[0])?.[1]
  if (text === undefined || FORMATS[end].test(text)) return text
  codes.add(`${end}-format`)
  return undefined
}

/** The delivery with this signature, or else the newest with the same event or the same bytes. */
function findDelivery({ deliveries, body }: DiagnosisRequest, signature: string | undefined) {
  const { id, eventId = id } = (parseJson(body) ?? {}) as { id?: unknown; eventId?: unknown }
  let similar: SentDelivery | undefined
  for (const delivery of deliveries) {
    if (delivery.sent === null) continue
    // Under any name, because names.headerPrefix may have changed since.
    if (Object.values(delivery.sent.headers).some((value) => value === signature)) return delivery
    if (delivery.eventId === eventId || delivery.sent.body === body) similar ??= delivery
  }
  return similar
}

interface Received {
  signature: string
  seconds: string | undefined
  delivery: SentDelivery | undefined
}

/** How the sandbox, or an app that stands between, may have written the body that was signed. */
const WRITERS: readonly ((json: unknown) => string)[] = [
  JSON.stringify,
  writeSpaced,
  (json) => JSON.stringify(json, null, 2),
]

/** Finds which body and key a signature was made with. */
function diagnoseDigest(request: DiagnosisRequest, received: Received): Code[] {
  const { body, secret, signers } = request
  const { signature, seconds, delivery } = received
  const json = parseJson(body)
  const written = json === undefined ? [] : WRITERS.map((write) => write(json))
  const bodies = new Set([
    body,
    delivery?.signedBody ?? body,
    body.trimEnd(),
    `${body}\n`,
    ...written,
  ])
  const keys = new Set([secret, ...signers.slice(0, SIGNERS_MAX).flatMap(secretsOf), WRONG_SECRET])
  for (const key of keys) {
    for (const signed of bodies) {
      const isTimed = seconds !== undefined && isSigned(`${seconds}.${signed}`, key)
      if (!isTimed && !isSigned(signed, key)) continue
      const found: (Code | undefined)[] = [
        isTimed ? undefined : 'signed-body-only',
        findSecretProblem(key, request),
        findBodyProblem(body, signed),
      ]
      return found.filter((code) => code !== undefined)
    }
  }
  const changed = delivery && findBodyProblem(body, delivery.signedBody)
  const codes: (Code | undefined)[] = [
    changed,
    seconds === undefined ? undefined : 'signature-wrong',
  ]
  return codes.filter((code) => code !== undefined)

  function isSigned(text: string, key: string): boolean {
    return signature === `v1=${createHmac('sha256', key).update(text).digest('hex')}`
  }
}

/** Explains why the receiver's secret differs from the key that signed; undefined if it does not. */
function findSecretProblem(key: string, { secret, signers }: DiagnosisRequest): Code | undefined {
  if (key === secret) return undefined
  if (key === WRONG_SECRET) return 'wrong-on-purpose'
  if (secret.trim().replace(/^(["'])(.*)\1$/, '$2') === key) return 'secret-padded'
  const owner = signers.find((signer) => secretsOf(signer).includes(secret))
  if (owner === undefined) return 'secret-wrong'
  if (!secretsOf(owner).includes(key)) return 'secret-of-other-integrator'
  return owner.previousSecret === secret ? 'secret-before-rotation' : 'signed-before-rotation'
}

const secretsOf = ({ signingSecret, previousSecret }: Signer) =>
  [signingSecret, previousSecret].filter((secret) => secret !== null)

function findBodyProblem(body: string, signed: string): Code | undefined {
  if (body === signed) return undefined
  const isSame =
    body.trimEnd() === signed.trimEnd() || isDeepStrictEqual(parseJson(body), parseJson(signed))
  return isSame ? 'body-reserialised' : 'body-changed'
}

const CAUSED: Partial<Record<Mutation, Code>> = {
  body: 'body-changed',
  signature: 'wrong-on-purpose',
  timestamp: 'timestamp-stale',
  'timestamp-ahead': 'timestamp-ahead',
}

/** Returns true for a problem that the sandbox itself caused, by a fault or a resend. */
function isCaused(code: Code, { mutation, secret }: SentDelivery): boolean {
  if (code === 'signature-missing') return secret === null
  return mutation !== null && CAUSED[mutation] === code
}

function toProblem(
  code: Code,
  { isWorldTime = false }: DiagnosisRequest,
  delivery: SentDelivery | undefined,
): Diagnosis['problems'][number] {
  const [message, usual] = PROBLEMS[code]
  const hint = usual === REAL_TIME && isWorldTime ? WORLD_TIME : usual
  const reason = delivery && isCaused(code, delivery) && delivery.reason
  return { code, message, hint: reason ? `${delivery.id}: ${reason}` : hint }
}
