import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a receiver has in its hands: headers with names in lower case, and the raw body. */
export interface SignedRequest {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  bytes: Uint8Array
}

export interface VerifierOptions {
  /** What the header names start with, in lower case. */
  prefix?: string
  nowMs?: number
}

const TOLERANCE_SECONDS = 300

/**
 * A receiver written only from the contract (Events: Signature): over the raw bytes, in constant
 * time, against real time. Says why it refuses; null means that it accepts.
 */
export function findRejection(
  { headers, bytes }: SignedRequest,
  secret: string,
  { prefix = 'x-service', nowMs = Date.now() }: VerifierOptions = {},
): 'unsigned' | 'signature' | 'timestamp' | null {
  const timestamp = headers[`${prefix}-timestamp`]
  const signature = headers[`${prefix}-signature`]
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'unsigned'
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), bytes])
  const digest = createHmac('sha256', secret).update(signed).digest('hex')
  const expected = Buffer.from(`v1=${digest}`)
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'signature'
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  return Math.abs(ageSeconds) <= TOLERANCE_SECONDS ? null : 'timestamp'
}
