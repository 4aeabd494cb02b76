import { createHmac, timingSafeEqual } from 'node:crypto'

/** Checks the signature over the bytes of the body, as they arrived. */
export function isGenuine(headers, body, secret = process.env.RAMP_SANDBOX_SIGNING_SECRET) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!secret || !(age <= 300)) return false
  const hmac = createHmac('sha256', secret)
    .update(`${timestamp}.`)
    .update(body ?? '')
  const expected = Buffer.from(`v1=${hmac.digest('hex')}`)
  const sent = Buffer.from(headers['x-service-signature'] ?? '')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
