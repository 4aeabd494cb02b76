// What an integrator's app has: a webhook receiver that compares the timestamp of a signature with its own clock.
const { createHmac, timingSafeEqual } = require('node:crypto')
const { once } = require('node:events')
const { createServer } = require('node:http')

const TOLERANCE_S = 300

exports.startReceiver = async () => {
  const accepted = []
  let secret = ''
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    // A chunk may end in the middle of a character, so join the bytes before anything reads them.
    const body = Buffer.concat(chunks)
    const isGenuine = isSigned(request.headers, body, secret)
    if (isGenuine) accept(JSON.parse(body))
    response.writeHead(isGenuine ? 204 : 401).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  /** The same event may come twice. */
  function accept(event) {
    const isKnown = accepted.some((each) => idOf(each) === idOf(event))
    if (!isKnown) accepted.push(event)
  }

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    accepted,
    trust(signingSecret) {
      secret = signingSecret
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const idOf = ({ id, eventId = id }) => eventId

function isSigned(headers, body, secret) {
  // Anyone can sign with an empty secret.
  if (!secret) return false
  const timestamp = headers['x-service-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return false
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const [actual, expected] = [headers['x-service-signature'] ?? '', `v1=${digest}`].map(Buffer.from)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
