import { createHmac, timingSafeEqual } from 'node:crypto'
import { realTime } from '../real-time.ts'
import { explainMismatch, MISMATCHES } from './signature-mismatch.ts'
import type { SearchRequest } from './signature-search.ts'

export const TOLERANCE_SECONDS = 300
export const TIMESTAMP = /^\d{1,15}$/
export const SIGNATURE = /^v1=[0-9a-f]{64}$/

export interface SignRequest {
  secret: string
  /** Unix time in seconds, as the timestamp header says it. */
  timestamp: number | string
  body: string | Uint8Array
}

/** `v1=` and the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` (contract, Events: Signature). */
export function signBody({ secret, timestamp, body }: SignRequest): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
  return `v1=${hmac.digest('hex')}`
}

export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyRequest {
  /** The signing secret of the integrator. */
  secret: string
  /** A `Headers` object, or a plain one such as Node's `request.headers`; case does not matter. */
  headers: HeaderSource
  /** The body as received, before anything parsed it. */
  body: string | Uint8Array | ArrayBuffer
  /** Start of the two header names. Default `X-Service`. */
  headerPrefix?: string | undefined
  /** Maximum difference between the timestamp and `now`, in seconds. Default 300. */
  toleranceSeconds?: number | undefined
  /** The current time in milliseconds. Default: the real time, even under fake timers. */
  now?: number | undefined
}

export type Verification = { ok: true } | { ok: false; reason: string }

/**
 * Checks the signature of a webhook as a receiver should: over the raw bytes, in constant time,
 * and only if its timestamp is within `toleranceSeconds` of now.
 *
 * @example
 * const checked = verifySignature({ secret, headers: request.headers, body: await request.text() })
 * if (!checked.ok) return new Response(checked.reason, { status: 401 })
 */
export function verifySignature(request: VerifyRequest): Verification {
  return checkSignature(request, describeMismatch)
}

/** Parts of the right signature, and the time of the check. */
interface Made {
  secret: string
  timestamp: string
  body: string
  now: number
}

/** Does the same, with other words for a signature that does not match. */
export function checkSignature(
  request: VerifyRequest,
  describe: (signature: string, made: Made) => string,
): Verification {
  const given: Partial<VerifyRequest> = request ?? {}
  const { headerPrefix = 'X-Service', toleranceSeconds = TOLERANCE_SECONDS } = given
  const { secret, headers, now = realTime.now() } = given
  // Anyone can sign with an empty secret, which is what a missing setting of a receiver often is.
  if (!secret) return fail('There is no secret to verify with.')
  const body = toBytes(given.body)
  if (body === undefined) {
    return fail('The body must be the text or the bytes as received, before anything parsed it.')
  }
  if (!headers) return fail('There are no headers; pass those of the request as received.')
  if (decodeBase64(body) !== undefined) return fail(BASE64)
  const timestamp = findHeader(headers, `${headerPrefix}-Timestamp`)
  if (timestamp === undefined) return fail(`The header ${headerPrefix}-Timestamp is missing.`)
  const signature = findHeader(headers, `${headerPrefix}-Signature`)
  if (signature === undefined) return fail(`The header ${headerPrefix}-Signature is missing.`)
  if (!TIMESTAMP.test(timestamp)) return fail('The timestamp is not a number of seconds.')
  if (!SIGNATURE.test(signature)) {
    return fail('The signature is not v1= followed by 64 lower-case hexadecimal digits.')
  }
  const expected = signBody({ secret, timestamp, body })
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) {
    return fail(describe(signature, { secret, timestamp, body: toText(body), now }))
  }
  const age = Math.floor(now / 1000) - Number(timestamp)
  if (Math.abs(age) <= toleranceSeconds) return { ok: true }
  const side = age > 0 ? 'old' : 'ahead'
  return fail(
    `The timestamp is ${Math.abs(age)} s ${side}; at most ${toleranceSeconds} s are accepted.`,
  )
}

/** Names one mistake at most, because a receiver may call this for whatever anybody sends. */
function describeMismatch(signature: string, request: Omit<SearchRequest, 'signers'>): string {
  const search = { signers: [], mistakesMax: 1, ...request }
  const [mismatch] = explainMismatch(signature, search)
  if (mismatch === undefined || mismatch.code === 'signature-wrong') return NO_MATCH
  const [message] = MISMATCHES[mismatch.code]
  return `The signature does not match. ${message} ${mismatch.detail ?? ''}`.trimEnd()
}

const NO_MATCH =
  'The signature does not match: a different secret was used, or the body was changed after signing.'

const BASE64 =
  'The body is in base64, as AWS Lambda passes it with isBase64Encoded: decode it before you verify it.'

const BASE64_START = /^[A-Za-z0-9+/]+={0,2}\s*$/
const START_LENGTH = 64

/** Decodes JSON that is written in base64; undefined for any other body. */
export function decodeBase64(body: string | Uint8Array): string | undefined {
  const start = textOf(body.slice(0, START_LENGTH))
  if (!BASE64_START.test(start) || !/^\s*\{/.test(fromBase64(start))) return undefined
  return fromBase64(textOf(body))
}

const toText = (body: string | Uint8Array) => Buffer.from(body).toString()
const textOf = (part: string | Uint8Array) =>
  typeof part === 'string' ? part : Buffer.from(part).toString('latin1')
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString()

const fail = (reason: string): Verification => ({ ok: false, reason })

function toBytes(body: unknown): string | Uint8Array | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return body instanceof ArrayBuffer ? new Uint8Array(body) : undefined
}

function findHeader(headers: HeaderSource, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const expected = name.toLowerCase()
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === expected) return typeof value === 'string' ? value : value?.[0]
  }
  return undefined
}

const isHeaders = (headers: HeaderSource): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'
