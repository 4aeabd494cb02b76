import type { Delivery } from './delivery.ts'
import type { Mutation } from './mutation.ts'
import {
  checkSignature,
  decodeBase64,
  SIGNATURE,
  signBody,
  TIMESTAMP,
  TOLERANCE_SECONDS,
} from './sign.ts'
import {
  type ComputedProblem,
  explainComputed,
  explainMismatch,
  MISMATCHES,
  type Mismatch,
} from './signature-mismatch.ts'
import { parseJson, type Signer } from './signature-ways.ts'

const ALL_HEADERS = 'Pass all headers as received; a proxy or a framework may have removed it.'
const REAL_TIME = 'It is wall time, not world time: compare it with the time of arrival.'
const WORLD_TIME = 'It is world time, because webhooks.time is world: compare it with world time.'

/** The codes are public and must not change; the texts may. */
const PROBLEMS = {
  'timestamp-missing': ['The timestamp header is missing.', ALL_HEADERS],
  'signature-missing': ['The signature header is missing.', ALL_HEADERS],
  'header-prefix': ['The headers have a different prefix.', 'See the setting names.headerPrefix.'],
  'timestamp-format': [
    'The timestamp is not a number of seconds.',
    'It must look like 1751328000.',
  ],
  'timestamp-stale': [`The timestamp is more than ${TOLERANCE_SECONDS} s old.`, REAL_TIME],
  'timestamp-ahead': [`The timestamp is more than ${TOLERANCE_SECONDS} s ahead.`, REAL_TIME],
  'signature-format': [
    'The signature is not v1= and 64 lower-case hex digits.',
    'It must be v1= and the digest in hex.',
  ],
  'body-base64': [
    'The body is in base64, as AWS Lambda passes it with isBase64Encoded.',
    'Decode it, and verify the decoded bytes.',
  ],
  ...MISMATCHES,
} as const

type Code = keyof typeof PROBLEMS
interface Found extends Omit<Mismatch, 'code'> {
  code: Code
}

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
  /** Most mistakes at once that the search for them combines. Default 3. */
  mistakesMax?: number
  deliveries: Iterable<SentDelivery>
}

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
  const { body, secret, now, computed } = request
  const found: Found[] = decoded === undefined ? [] : [{ code: 'body-base64' }]
  const seconds = readHeader(request, 'timestamp', found)
  const signature = readHeader(request, 'signature', found)
  const delivery = findDelivery(request, signature)
  // Without a search for the reason, which follows.
  const { ok } = checkSignature(request, () => '')
  const signedBody = delivery?.signedBody
  if (signature !== undefined && !ok) {
    const signedAt = seconds && findTimestamp(delivery, signature)
    const sent = { timestamp: signedAt || seconds || '', signedBody }
    if (signedAt && signedAt !== seconds) {
      found.push({ code: 'timestamp-changed', detail: `(${signedAt}).` })
    }
    found.push(...explainMismatch(signature, Object.assign({}, request, sent)))
  }
  const age = seconds === undefined ? 0 : Math.floor(now / 1000) - Number(seconds)
  if (age > TOLERANCE_SECONDS) found.push({ code: 'timestamp-stale' })
  if (-age > TOLERANCE_SECONDS) found.push({ code: 'timestamp-ahead' })
  if (!ok && found.length === 0) found.push({ code: 'signature-wrong' })
  const timestamp = seconds ?? String(Math.floor(now / 1000))
  const problems = found.map((each) => toProblem(each, request, delivery))
  return {
    valid: ok && decoded === undefined,
    problems: problems.filter(({ code }, i) => found.findIndex((each) => each.code === code) === i),
    expected: { timestamp, signature: signBody({ secret, timestamp, body }) },
    computed: computed?.trim()
      ? explainComputed(computed, Object.assign({}, request, { timestamp, signedBody }))
      : null,
    deliveryId: delivery?.id ?? null,
  }
}

const FORMATS = { timestamp: TIMESTAMP, signature: SIGNATURE }

/** The header whose name has this ending, if its value is well-formed. */
function readHeader(
  { headers, headerPrefix }: DiagnosisRequest,
  end: keyof typeof FORMATS,
  problems: Found[],
): string | undefined {
  const found = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), [value].flat()[0]] as const)
    .filter(([name, value]) => name.endsWith(`-${end}`) && value !== undefined)
  const own = found.find(([name]) => name === `${headerPrefix}-${end}`.toLowerCase())
  if (own === undefined)
    problems.push({ code: found.length > 0 ? 'header-prefix' : `${end}-missing` })
  const text = (own ?? found[0])?.[1]
  if (text === undefined || FORMATS[end].test(text)) return text
  problems.push({ code: `${end}-format` })
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

/** The timestamp of the delivery with this signature. */
function findTimestamp(delivery: SentDelivery | undefined, signature: string): string | undefined {
  const headers = Object.entries(delivery?.sent?.headers ?? {})
  if (!headers.some(([, value]) => value === signature)) return undefined
  return headers.find(([name]) => name.toLowerCase().endsWith('-timestamp'))?.[1]
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
  { code, detail = '' }: Found,
  { isWorldTime = false }: DiagnosisRequest,
  delivery: SentDelivery | undefined,
): Diagnosis['problems'][number] {
  const [message, usual] = PROBLEMS[code]
  const hint = usual === REAL_TIME && isWorldTime ? WORLD_TIME : usual
  const reason = delivery && isCaused(code, delivery) && delivery.reason
  return {
    code,
    message: `${message} ${detail}`.trimEnd(),
    hint: reason ? `${delivery.id}: ${reason}` : hint,
  }
}
