// Responds to webhooks with 204, or with 401 if the service did not sign them. Node, nothing to install.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { RAMP_SANDBOX_SIGNING_SECRET: secret = '', PORT = '0' } = process.env
const TOLERANCE_SECONDS = 300
const seen = new Set()

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()

  const event = JSON.parse(body)
  const id = event.id ?? event.eventId
  if (!seen.has(id)) console.log(event.type, event.payload.status)
  seen.add(id)
  response.writeHead(204).end()
})

/** The signature covers the bytes as they came, so check it before anything parses them. */
function isGenuine(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  const sent = Buffer.from(headers['x-service-signature'] ?? '')
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
  const expected = Buffer.from(`v1=${hmac.digest('hex')}`)
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  // Anyone can sign with an empty secret.
  const isSame = secret !== '' && sent.length === expected.length && timingSafeEqual(sent, expected)
  return isSame && ageSeconds <= TOLERANCE_SECONDS
}

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
