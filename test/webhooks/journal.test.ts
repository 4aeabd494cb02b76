import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { presentDelivery, requestOf } from '../../src/webhooks/delivery.ts'
import { v2 } from '../../src/webhooks/v2.ts'
import { findRejection } from '../verifier.ts'
import { NOW, openScene, SECRET } from './scene.ts'

interface Envelope {
  id?: string
  eventId?: string
  type: string
  payload: Record<string, unknown>
}

let receiver: Receiver<Envelope>

beforeEach(async () => {
  receiver = await createReceiver()
})

afterEach(() => receiver.close())

describe('what is sent', () => {
  it('is the envelope of the contract, signed, under the headers of the contract', async () => {
    await using scene = openScene({ urls: { alpha: `${receiver.url}/hooks?key=1` } })
    scene.happen()
    await scene.settled()
    const { method, path, headers, body } = await receiver.next()
    const [event] = scene.world.events.after(0)
    expect(body).toBe(
      `{"id":"${event?.id}","apiVersion":"v2","occurredAt":"2026-07-01T00:00:00.000Z","type":"user.update",` +
        `"payload":{"userId":"${event?.ref}","email":"alpha-alice@example.com","status":"verified"}}`,
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
    'verifies over its raw bytes for %s',
    async (email) => {
      await using scene = openScene({ urls: { alpha: receiver.url }, email })
      scene.happen()
      const request = await receiver.next()
      expect(findRejection(request, SECRET)).toBeNull()
      expect(request.json.payload.email).toBe(`alpha-${email}`)
    },
  )

  it('carries real time, wherever the world stands', async () => {
    await using scene = openScene({ urls: { alpha: receiver.url } })
    scene.world.now += 400 * 86_400_000
    scene.happen()
    const request = await receiver.next()
    expect(findRejection(request, SECRET)).toBeNull()
    expect(request.body).toContain('"occurredAt":"2027-08-05T00:00:00.000Z"')
  })

  it('goes out unsigned before any secret exists, and the journal says so', async () => {
    await using scene = openScene({ urls: { alpha: receiver.url }, secret: null })
    scene.happen()
    const { headers } = await receiver.next()
    expect(headers).not.toHaveProperty('x-service-signature')
    expect(headers).toHaveProperty('x-service-timestamp')
    const [delivery] = await scene.settled()
    expect(delivery).toMatchObject({ outcome: 'delivered' })
    expect(delivery?.reason).toMatch(/^Unsigned: .* webhooks\.withoutSecret/)
  })

  it('uses the names that the settings give to headers and to the security answer', async () => {
    const settings = {
      'names.headerPrefix': 'X-Ramp',
      'names.securityAnswerField': 'moneyAnswer',
      'webhooks.test': 'transaction.update',
    }
    await using scene = openScene({ urls: { alpha: receiver.url }, settings })
    const [integrator] = scene.world.integrators
    if (integrator) await scene.outbox.sendTest(integrator)
    const request = await receiver.next()
    expect(findRejection(request, SECRET, { prefix: 'x-ramp' })).toBeNull()
    expect(Object.keys(request.json.payload)).toEqual([
      'transactionId',
      'status',
      'email',
      'wallet',
      'paymentId',
      'leftSideLabel',
      'leftSideValue',
      'rightSideLabel',
      'rightSideValue',
      'moneyAnswer',
      'externalSessionId',
    ])
  })
})

describe('the journal', () => {
  it('holds exactly what was sent and what came back', async () => {
    receiver.respondWith({ status: 418, headers: { 'x-tea': 'yes' }, body: 'short and stout' })
    await using scene = openScene({ urls: { alpha: receiver.url } })
    scene.happen()
    const { headers, body } = await receiver.next()
    // Node adds it: it belongs to the hop.
    const { connection, ...own } = headers
    const [delivery] = await scene.settled()
    if (!delivery) throw new Error('nothing was journalled')
    const { request, ...shown } = presentDelivery(delivery)
    const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(Object.fromEntries(sent)).toEqual(own)
    expect(connection).toBe('keep-alive')
    expect(request.body).toBe(body)
    expect(shown).toEqual({
      id: 'dlv_1',
      eventId: scene.world.events.at(1)?.id,
      type: 'user.update',
      ref: scene.world.events.at(1)?.ref,
      status: scene.world.events.at(1)?.status,
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
      occurredAt: new Date(NOW).toISOString(),
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      durationMs: expect.any(Number),
    })
  })

  it('says what was suppressed, and renders its body only when that is read', async () => {
    let rendered = 0
    const counting = {
      ...v2,
      render(...args: Parameters<typeof v2.render>) {
        rendered++
        return v2.render(...args)
      },
    }
    const done: string[] = []
    const onDone = ({ id }: { id: string }) => void done.push(id)
    await using scene = openScene({ generations: [counting], onDone })
    scene.happen(2)
    expect(scene.outbox.pending).toBe(0)
    expect(rendered).toBe(0)
    expect(done).toEqual(['dlv_1', 'dlv_2'])
    const [delivery] = await scene.settled()
    expect(delivery).toMatchObject({
      outcome: 'suppressed',
      url: null,
      sent: null,
      response: null,
    })
    expect(delivery?.reason).toContain('no webhook configuration')
    expect(delivery && requestOf(delivery)).toEqual({
      headers: {},
      body: expect.stringContaining('user.update'),
    })
    expect(rendered).toBe(1)
  })
})

describe('a resend', () => {
  it('sends the same event once more, in a row of its own, signed anew', async () => {
    let wall = Date.now() - 120_000
    await using scene = openScene({ urls: { alpha: receiver.url }, wallClock: () => wall })
    scene.happen()
    const [first] = await scene.settled()
    if (!first) throw new Error('nothing was journalled')
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
  ] as const)('with another %s is refused for its %s', async (mutation, rejection) => {
    await using scene = openScene({ urls: { alpha: receiver.url } })
    scene.happen()
    const [first] = await scene.settled()
    if (!first) throw new Error('nothing was journalled')
    const second = await scene.outbox.resend(first, mutation)
    const request = receiver.received[1]
    if (!request) throw new Error('nothing was resent')
    expect(findRejection(request, SECRET)).toBe(rejection)
    expect(second.reason).not.toBeNull()
    expect(second.sent?.body).toBe(request.body)
    const changed = [...request.bytes].filter((byte, i) => byte !== receiver.received[0]?.bytes[i])
    expect(changed).toHaveLength(mutation === 'body' ? 1 : 0)
    expect(request.bytes).toHaveLength(receiver.received[0]?.bytes.length ?? 0)
    expect(() => request.json).not.toThrow()
  })

  it('goes to where the event would go now', async () => {
    await using scene = openScene()
    scene.happen()
    const [suppressed] = await scene.settled()
    const [integrator] = scene.world.integrators
    if (!suppressed || !integrator) throw new Error('nothing was journalled')
    expect(await scene.outbox.resend(suppressed)).toMatchObject({ outcome: 'suppressed' })
    integrator.webhook = { url: receiver.url, createdAt: NOW, updatedAt: NOW }
    expect(await scene.outbox.resend(suppressed)).toMatchObject({ outcome: 'delivered' })
    expect(receiver.received).toHaveLength(1)
  })

  it('does not queue behind a hung delivery', async () => {
    receiver.respondWith(() => new Promise(() => undefined))
    await using scene = openScene({ urls: { alpha: receiver.url } })
    scene.happen(2)
    await receiver.next()
    const [first] = scene.outbox.journal.after(0)
    if (!first) throw new Error('nothing was journalled')
    receiver.respondWith(200)
    expect(await scene.outbox.resend(first)).toMatchObject({ outcome: 'delivered' })
    expect(scene.outbox.pending).toBe(2)
  })
})

describe('the test operation', () => {
  it('sends a synthetic event at once, past the queue', async () => {
    receiver.respondWith(({ json }) =>
      json.payload.email === 'webhook-test@example.com' ? 202 : new Promise(() => undefined),
    )
    await using scene = openScene({ urls: { alpha: receiver.url } })
    const [integrator] = scene.world.integrators
    if (!integrator) throw new Error('an integrator is needed')
    scene.happen(3)
    const first = await scene.outbox.sendTest(integrator)
    const second = await scene.outbox.sendTest(integrator)
    expect(first).toMatchObject({ outcome: 'delivered', type: 'user.update' })
    expect(first.response).toMatchObject({ status: 202, statusText: 'Accepted' })
    expect(first.eventId).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(second.eventId).not.toBe(first.eventId)
    expect(scene.world.events.last).toBe(3)
  })
})

describe('what is still queued', () => {
  it('can be carried over to another outbox, with the bytes it had', async () => {
    receiver.respondWith(() => new Promise(() => undefined))
    await using before = openScene({ urls: { alpha: receiver.url } })
    before.happen(3)
    await receiver.next()
    const queued = before.outbox.queued()
    expect(queued).toHaveLength(2)
    const bodies = queued.map(({ body }) => body)
    await before.outbox.close()
    receiver.respondWith(200)
    const settings = { 'names.envelopeId': 'eventId' }
    await using after = openScene({ urls: { alpha: receiver.url }, settings })
    after.outbox.requeue(JSON.parse(JSON.stringify(queued)))
    const outcomes = (await after.settled()).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['delivered', 'delivered'])
    expect(receiver.received.slice(1).map(({ body }) => body)).toEqual(bodies)
  })
})
