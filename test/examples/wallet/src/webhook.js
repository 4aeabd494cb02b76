// Receives the platform's webhooks: checks who sent them, and handles each one once.
import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

/** Gives each genuine event to `onEvent` once; returns the HTTP status to send. */
export function createWebhookHandler({ secret, onEvent }) {
  const seen = new Set()
  return function handle(headers, rawBody) {
    if (!isGenuine(secret, headers, rawBody)) return 401
    const event = JSON.parse(rawBody)
    const id = event.id ?? event.eventId
    if (!seen.has(id)) onEvent(event)
    // Remembered after it was handled, so that a failed event is not taken for a repeat when it is sent again.
    seen.add(id)
    return 204
  }
}

/** Checks the bytes as they arrived: JSON that is parsed and written again has a different signature. */
function isGenuine(secret, headers, rawBody) {
  // Anyone can sign with an empty secret.
  if (!secret) return false
  const timestamp = headers['x-service-timestamp'] ?? ''
  const sent = Buffer.from(headers['x-service-signature'] ?? '')
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody)
  const expected = Buffer.from(`v1=${hmac.digest('hex')}`)
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  return (
    sent.length === expected.length &&
    timingSafeEqual(sent, expected) &&
    ageSeconds <= TOLERANCE_SECONDS
  )
}
