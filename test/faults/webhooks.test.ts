import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { KEY } from '../helpers/app.ts'
import { holdPauses } from '../helpers/fake-timers.ts'
import { logIn, PENDING, type Person, PROCESSING, receiveFunds, settle } from '../helpers/story.ts'
import { findRejection } from '../verifier.ts'
import { openServed, type Served } from './served.ts'

interface Envelope {
  status?: string
  payload: { status: string }
}

let served: Served
let receiver: Receiver<Envelope>
let secret: string
let alice: Person

beforeEach(async () => {
  receiver = await createReceiver()
  served = await openServed()
  const body = { url: receiver.url }
  const configured = await served.app.call('PUT /v2/webhook-configurations', { body })
  secret = configured.signingSecret ?? ''
  alice = await logIn(served.app)
})

afterEach(async () => {
  await served[Symbol.asyncDispose]()
  await receiver.close()
})

const fault = (then: object, more: object = {}) =>
  served.post('/faults', { on: 'webhook', then, ...more })
const deliveries = async () => (await served.get('/webhooks/deliveries')).deliveries
const drain = () => served.post('/webhooks/drain')
const statuses = () => receiver.received.map(({ json }) => json.payload?.status ?? json.status)
const rejections = () => receiver.received.map((request) => findRejection(request, secret))

it('a webhook that a fault drops is never sent, and its row says why', async () => {
  await fault({ drop: true }, { match: { status: PENDING } })
  const { id } = await alice.buy()
  await receiveFunds(served.app, id)
  expect(statuses()).toEqual([PROCESSING])
  expect(await deliveries()).toMatchObject([
    {
      url: receiver.url,
      outcome: 'suppressed',
      reason: 'fault_1: not sent.',
      request: { headers: {}, body: expect.stringContaining(PENDING) },
      response: null,
      sentAt: null,
      durationMs: null,
    },
    { outcome: 'delivered', reason: null },
  ])
})

it('a fault on webhooks is refused for a status that looks like a typo, which no webhook would ever have', async () => {
  const typo = fault({ drop: true }, { match: { status: 'complet' } })
  await expect(typo).rejects.toThrow('did you mean complete?')
  expect(await fault({ drop: true }, { match: { status: 'on hold' } })).toMatchObject({ hits: 0 })
})

it.each([
  [{ hook: 'verifiedEmail', generation: 'v2' }, 'match.generation must be v1 with the hook'],
  [{ hook: 'verifiedEmail', type: 'transaction.update' }, 'match.type must be user.update with'],
  [{ type: 'user.update', status: 'complete' }, 'match.type must be transaction.update with'],
  [
    { hook: 'transactionComplete', status: 'verified' },
    'match.hook must be verifiedEmail with the status',
  ],
] as const)(
  'a fault on webhooks is refused for %j, which no webhook has',
  async (match, sentence) => {
    await expect(fault({ drop: true }, { match })).rejects.toThrow(sentence)
  },
)

it('a fault on v1 webhooks is refused for a change of the envelope, which they lack', async () => {
  const changed = fault({ mutate: 'eventId' }, { match: { hook: 'verifiedEmail' } })
  await expect(changed).rejects.toThrow('then.mutate cannot be eventId for v1 webhooks')
})

it('a webhook that a fault delays holds back what follows to the same destination, in order', async () => {
  await fault({ delay: '300ms' })
  const pauses = holdPauses()
  const { id } = await alice.buy()
  await expect.poll(() => pauses.lengths).toEqual([300])
  const received = receiveFunds(served.app, id)
  await served.get('/health')
  expect(statuses()).toEqual([])
  pauses.end()
  await received
  expect(statuses()).toEqual([PENDING, PROCESSING])
  expect(rejections()).toEqual([null, null])
  expect((await deliveries())[0].reason).toBe('fault_1: sent 300ms late.')
})

it('a webhook that a fault duplicates is sent twice in a row, with one id', async () => {
  await fault({ duplicate: true })
  const { id } = await alice.buy()
  await receiveFunds(served.app, id)
  expect(statuses()).toEqual([PENDING, PENDING, PROCESSING])
  const [first, second] = receiver.received
  expect(second?.body).toBe(first?.body)
  expect(rejections()).toEqual([null, null, null])
  const [a, b] = await deliveries()
  expect([b.eventId, b.reason]).toEqual([a.eventId, a.reason])
  expect([a.repeatOf, b.repeatOf]).toEqual([null, a.id])
  expect((await served.get('/faults')).items).toMatchObject([{ seen: 1, hits: 1 }])
})

it('a webhook that a fault signs wrongly is refused by its receiver', async () => {
  await fault({ mutate: 'signature' })
  await alice.buy()
  await drain()
  expect(rejections()).toEqual(['signature'])
  expect((await deliveries())[0].reason).toBe('fault_1: signed with another secret.')
})

it('a webhook that a fault makes stale is signed with a timestamp that is too old by a second', async () => {
  await fault({ mutate: 'timestamp' })
  await alice.buy()
  await drain()
  expect(rejections()).toEqual(['timestamp'])
  const [request] = receiver.received
  if (!request) throw new Error('nothing arrived')
  const sentAt = Number(request.headers['x-service-timestamp']) * 1000
  const onTime = (ageMs: number) => findRejection(request, secret, { nowMs: sentAt + ageMs })
  expect([onTime(300_999), onTime(301_000)]).toEqual([null, 'timestamp'])
})

it('a fault on webhooks can match by type, status, user, generation and legacy hook', async () => {
  const legacy = {
    transactionStatusUpdateEnabled: true,
    transactionStatusUpdateUrl: receiver.url,
    transactionCompleteEnabled: true,
    transactionCompleteUrl: receiver.url,
  }
  await served.app.send('/webhooks', {
    method: 'PATCH',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(legacy),
  })
  const { id } = await alice.buy()
  await fault({ drop: true }, { match: { hook: 'transactionComplete', ref: id } })
  await fault({ drop: true }, { match: { generation: 'v2', status: 'complete' } })
  await fault({ drop: true }, { match: { type: 'user.update' } })
  await fault({ drop: true }, { match: { integrator: 'second' } })
  await receiveFunds(served.app, id)
  await settle(served.app, id)
  const rows = (await deliveries()).filter((row: { reason: string | null }) =>
    row.reason?.startsWith('fault_'),
  )
  expect(rows).toMatchObject([
    { generation: 'v2', hook: null, reason: 'fault_2: not sent.' },
    { generation: 'v1', hook: 'transactionComplete', reason: 'fault_1: not sent.' },
  ])
})

it('a webhook that a fault sends with beforeResponse is acknowledged before its call gets a response', async () => {
  await fault({ beforeResponse: true }, { times: 2 })
  const seen: number[] = []
  receiver.respondWith(async () => {
    const { items } = await served.get('/transactions')
    seen.push(items.length)
    return 200
  })
  const { id } = await alice.buy()
  expect(statuses()).toEqual([PENDING])
  await alice.cancel(id)
  expect(statuses()).toEqual([PENDING, 'cancelled'])
  expect(seen).toEqual([1, 1])
  expect((await deliveries())[0]).toMatchObject({
    outcome: 'delivered',
    reason: 'fault_1: sent before the response to the call that caused it.',
  })
})

it('a webhook that a fault sends with beforeResponse does not hold up other calls', async () => {
  let release = () => {}
  const released = new Promise<number>((resolve) => (release = () => resolve(200)))
  receiver.respondWith(() => released)
  await fault({ beforeResponse: true })
  let hasResponse = false
  const buying = alice.buy().then(() => (hasResponse = true))
  await receiver.next()
  await served.get('/health')
  expect(hasResponse).toBe(false)
  release()
  await buying
})
