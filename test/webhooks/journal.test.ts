import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { requestOf } from '../../src/webhooks/delivery.ts'
import { rotateSigningSecret } from '../../src/world/integrators.ts'
import { findRejection } from '../verifier.ts'
import { NOW, openScene, SECRET } from './scene.ts'

interface Envelope {
  id?: string
  type: string
  payload: Record<string, unknown>
}

let receiver: Receiver<Envelope>

beforeEach(async () => {
  receiver = await createReceiver()
})

afterEach(() => receiver.close())

it('a webhook is the signed envelope of the contract, with the headers of the contract', async () => {
  await using scene = openScene({ urls: { alpha: `${receiver.url}/hooks?key=1` } })
  await scene.deliver()
  const { method, path, headers, body } = await receiver.next()
  const [event] = scene.world.events.after(0)
  expect(body).toBe(
    `{ "id": "${event?.id}", "apiVersion": "v2", "occurredAt": "2026-07-01T00:00:00.000Z", "type": "user.update", ` +
      `"payload": { "userId": "${event?.ref}", "email": "alpha-alice@example.com", "status": "verified" } }`,
  )
  expect({ method, path }).toEqual({ method: 'POST', path: '/hooks?key=1' })
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': expect.stringMatching(/^ramp-sandbox\/\d+\.\d+\.\d+/),
    'x-service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
  })
})

it.each(['zoé@example.com', '漢字@example.com', '🙂"\\\u2028@example.com'])(
  'a webhook verifies over its raw bytes for %s',
  async (email) => {
    await using scene = openScene({ urls: { alpha: receiver.url }, email })
    scene.happen()
    const request = await receiver.next()
    expect(findRejection(request, SECRET)).toBeNull()
    expect(request.json.payload.email).toBe(`alpha-${email}`)
  },
)

it('a webhook carries real time, whatever the world time', async () => {
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.world.now += 400 * 86_400_000
  scene.happen()
  const request = await receiver.next()
  expect(findRejection(request, SECRET)).toBeNull()
  expect(request.body).toContain('"occurredAt": "2027-08-05T00:00:00.000Z"')
})

it('a webhook goes out unsigned before any secret exists, and the journal says so', async () => {
  await using scene = openScene({ urls: { alpha: receiver.url }, secret: null })
  const delivery = await scene.deliver()
  const { headers } = await receiver.next()
  expect(headers).not.toHaveProperty('x-service-signature')
  expect(headers).toHaveProperty('x-service-timestamp')
  expect(delivery).toMatchObject({ outcome: 'delivered' })
  expect(delivery.reason).toMatch(/^Unsigned: .* webhooks\.withoutSecret/)
})

it('a webhook uses the names in the settings for headers and the security answer', async () => {
  const settings = {
    'names.headerPrefix': 'X-Ramp',
    'names.securityAnswerField': 'moneyAnswer',
    'webhooks.test': 'transaction.update',
  }
  await using scene = openScene({ urls: { alpha: receiver.url }, settings })
  await scene.outbox.sendTest(scene.integrator)
  const request = await receiver.next()
  expect(findRejection(request, SECRET, { prefix: 'x-ramp' })).toBeNull()
  expect(request.json.payload).toHaveProperty('moneyAnswer')
  expect(request.json.payload).not.toHaveProperty('securityAnswer')
})

it('the journal holds exactly what was sent and what came back', async () => {
  receiver.respondWith({ status: 418, headers: { 'x-tea': 'yes' }, body: 'short and stout' })
  await using scene = openScene({ urls: { alpha: receiver.url } })
  const delivery = await scene.deliver()
  const { headers, body } = await receiver.next()
  // Node adds it: it belongs to the hop.
  const { connection, ...own } = headers
  const request = requestOf(delivery)
  const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
  expect(Object.fromEntries(sent)).toEqual(own)
  expect(connection).toBe('keep-alive')
  expect(request.body).toBe(body)
  expect(delivery).toMatchObject({
    id: 'dlv_1',
    eventId: scene.world.events.after(0)[0]?.id,
    type: 'user.update',
    ref: scene.world.events.after(0)[0]?.ref,
    status: scene.world.events.after(0)[0]?.status,
    generation: 'v2',
    hook: null,
    repeatOf: null,
    integrator: 'alpha',
    url: receiver.url,
    outcome: 'rejected',
    reason: null,
    response: {
      status: 418,
      statusText: "I'm a Teapot",
      headers: expect.objectContaining({ 'x-tea': 'yes' }),
      body: 'short and stout',
    },
    error: null,
    occurredAt: NOW,
    sent: { at: expect.any(Number) },
    durationMs: expect.any(Number),
  })
})

it('the journal keeps the form at the time of the event, even if nothing was sent', async () => {
  await using scene = openScene({ settings: { 'webhooks.body': 'compact' } })
  const delivery = await scene.deliver()
  scene.world.changeSettings({ 'webhooks.body': 'spaced', 'names.envelopeId': 'eventId' })
  const [event] = scene.world.events.after(0)
  expect(requestOf(delivery).body).toContain(`{"id":"${event?.id}","apiVersion":"v2",`)
})

it('the journal says what was suppressed, and what would have been sent', async () => {
  await using scene = openScene()
  const delivery = await scene.deliver()
  expect(delivery).toMatchObject({ outcome: 'suppressed', url: null, sent: null, response: null })
  expect(delivery.reason).toContain('No webhook URL was configured')
  expect(requestOf(delivery).body).toContain('user.update')
})

it('a resend sends the same event once more, as a separate row, with a new signature', async () => {
  let wall = Date.now() - 120_000
  await using scene = openScene({ urls: { alpha: receiver.url }, wallClock: () => wall })
  const first = await scene.deliver()
  wall = Date.now()
  const second = await scene.outbox.resend(first)
  expect(second).toMatchObject({ id: 'dlv_2', outcome: 'delivered', eventId: first.eventId })
  const [was, is] = receiver.received
  if (!was || !is) throw new Error('two requests are needed')
  expect(is.body).toBe(was.body)
  expect(is.headers['x-service-timestamp']).not.toBe(was.headers['x-service-timestamp'])
  expect(findRejection(is, SECRET)).toBeNull()
})

it.each([
  ['body', 'signature'],
  ['signature', 'signature'],
  ['timestamp', 'timestamp'],
] as const)('a resend with another %s is refused for its %s', async (mutation, rejection) => {
  await using scene = openScene({ urls: { alpha: receiver.url } })
  const first = await scene.deliver()
  const second = await scene.outbox.resend(first, { mutate: mutation })
  const request = receiver.received[1]
  if (!request) throw new Error('nothing was resent')
  expect(findRejection(request, SECRET)).toBe(rejection)
  expect(second.reason).not.toBeNull()
  expect(second.sent?.body).toBe(request.body)
  const { body } = receiver.received[0] ?? {}
  const changed = body?.replace('"status": "verified"', '"status": "rejected"')
  expect(request.body).toBe(mutation === 'body' ? changed : body)
})

it('a resend goes to the destination that the event would have now', async () => {
  await using scene = openScene()
  const suppressed = await scene.deliver()
  expect(await scene.outbox.resend(suppressed)).toMatchObject({ outcome: 'suppressed' })
  scene.integrator.webhook = { url: receiver.url, createdAt: NOW, updatedAt: NOW }
  expect(await scene.outbox.resend(suppressed)).toMatchObject({ outcome: 'delivered' })
  expect(receiver.received).toHaveLength(1)
})

it('a resend does not queue behind a hung delivery', async () => {
  receiver.respondWith(() => new Promise(() => undefined))
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(2)
  await receiver.next()
  const [first] = scene.outbox.deliveries.after(0)
  if (!first) throw new Error('nothing was journalled')
  receiver.respondWith(200)
  expect(await scene.outbox.resend(first)).toMatchObject({ outcome: 'delivered' })
  expect(scene.outbox.pending).toBe(2)
})

it('the test operation sends a synthetic event at once, past the queue', async () => {
  receiver.respondWith(({ json }) =>
    json.payload.email === 'webhook-test@example.com' ? 202 : new Promise(() => undefined),
  )
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(3)
  const first = await scene.outbox.sendTest(scene.integrator)
  const second = await scene.outbox.sendTest(scene.integrator)
  expect(first).toMatchObject({ outcome: 'delivered', type: 'user.update' })
  expect(first.response).toMatchObject({ status: 202, statusText: 'Accepted' })
  expect(first.eventId).toMatch(/^evt_[0-9a-f]{32}$/)
  expect(second.eventId).not.toBe(first.eventId)
  expect(scene.world.events.total).toBe(3)
})

it('a resend is signed with the secret at the time of the resend', async () => {
  await using scene = openScene({ urls: { alpha: receiver.url } })
  const first = await scene.deliver()
  const next = rotateSigningSecret(scene.world, scene.integrator)
  await scene.outbox.resend(first)
  const rejections = receiver.received.map((request) => [
    findRejection(request, SECRET),
    findRejection(request, next),
  ])
  expect(rejections).toEqual([
    [null, 'signature'],
    ['signature', null],
  ])
})

const aWhile = async () => {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
}

it('a webhook of a world on disk is sent only once its event is on disk', async () => {
  const writing: (() => void)[] = []
  const written = () => new Promise<void>((resolve) => void writing.push(resolve))
  await using scene = openScene({
    urls: { alpha: receiver.url },
    disk: { written, saved: written },
  })
  scene.happen(2)
  await aWhile()
  expect(receiver.received).toEqual([])
  writing[1]?.()
  await aWhile()
  expect(receiver.received).toEqual([])
  writing[0]?.()
  await scene.settled()
  expect(receiver.received).toHaveLength(2)
})

it('a webhook of a world on disk waits while its event cannot be written, and no call waits for it', async () => {
  let save = () => {}
  const saved = () => new Promise<void>((resolve) => (save = resolve))
  const written = () => Promise.reject(new Error('ENOSPC: no space left on device'))
  await using scene = openScene({ urls: { alpha: receiver.url }, disk: { written, saved } })
  scene.happen()
  expect(await scene.outbox.drain(60_000)).toBe(1)
  expect(scene.outbox.deliveries.after(0)).toMatchObject([{ outcome: 'pending', sent: null }])
  save()
  await receiver.next()
  expect(await scene.settled()).toMatchObject([{ outcome: 'delivered' }])
})
