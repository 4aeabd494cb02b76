import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { QUEUE_MAX } from '../../src/webhooks/queue.ts'
import { LONG_MS, openScene } from './scene.ts'
import { countOpen, openRawServer } from './servers.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const hang = () => new Promise<number>(() => undefined)

let receiver: Receiver<{ id: string }>
let other: Receiver<{ id: string }>

beforeEach(async () => {
  receiver = await createReceiver()
  other = await createReceiver()
})

afterEach(() => Promise.all([receiver.close(), other.close()]))

const idsOf = ({ received }: Receiver<{ id: string }>) => received.map(({ json }) => json.id)

it('deliveries to one destination are sent one at a time, in the order of the events', async () => {
  const openAtMost = countOpen(receiver)
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(100)
  await scene.settled()
  expect(idsOf(receiver)).toEqual(scene.world.events.after(0).map(({ id }) => id))
  expect(openAtMost()).toBe(1)
})

it('deliveries to one destination continue after one that failed', async () => {
  let count = 0
  receiver.respondWith(() => (++count === 2 ? 500 : 200))
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(3)
  const outcomes = (await scene.settled()).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['delivered', 'rejected', 'delivered'])
})

it(`deliveries to one destination overflow when ${QUEUE_MAX} are waiting`, async () => {
  receiver.respondWith(hang)
  await using scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(QUEUE_MAX)
  expect(scene.outbox.deliveries.after(0).at(-1)?.outcome).toBe('pending')
  scene.happen()
  expect(scene.outbox.deliveries.after(0).at(-1)).toMatchObject({
    outcome: 'overflow',
    reason: expect.stringContaining(`${QUEUE_MAX} deliveries were already waiting`),
  })
  expect(scene.outbox.pending).toBe(QUEUE_MAX)
})

it('a hung receiver delays no other destination', async () => {
  receiver.respondWith(hang)
  await using scene = openScene({ urls: { alpha: receiver.url, beta: other.url } })
  scene.happen(5, 'alpha')
  scene.happen(5, 'beta')
  const rest = scene.outbox.deliveries.after(0).slice(6)
  expect(await scene.outbox.wait(rest, LONG_MS)).toBe(0)
  expect(other.received).toHaveLength(5)
  expect(scene.outbox.pending).toBe(5)
})

it('a hung receiver does not delay closing, which aborts deliveries in progress', async () => {
  receiver.respondWith(hang)
  const scene = openScene({ urls: { alpha: receiver.url } })
  scene.happen(3)
  await receiver.next()
  const waiting = scene.outbox.drain(LONG_MS)
  await scene.outbox.close()
  expect(await waiting).toBe(0)
  const outcomes = scene.outbox.deliveries.after(0).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['refused', 'suppressed', 'suppressed'])
  scene.happen()
  expect(scene.outbox.deliveries.after(0).at(-1)).toMatchObject({
    outcome: 'suppressed',
    reason: 'The sandbox was closed.',
  })
})

it('connections that the receiver closes after each response lose nothing and repeat nothing', async () => {
  let requests = 0
  await using server = await openRawServer((socket) =>
    socket.once('data', () => {
      requests++
      socket.end(OK)
    }),
  )
  await using scene = openScene({ urls: { alpha: server.url } })
  for (let i = 0; i < 20; i++) await scene.deliver()
  const outcomes = new Set((await scene.settled()).map(({ outcome }) => outcome))
  expect([...outcomes]).toEqual(['delivered'])
  expect(requests).toBe(20)
})

it('connections that break in the middle of a second POST do not repeat it', async () => {
  let requests = 0
  await using server = await openRawServer((socket) =>
    socket.on('data', () => (++requests === 2 ? socket.destroy() : socket.write(OK))),
  )
  await using scene = openScene({ urls: { alpha: server.url } })
  scene.happen(3)
  const outcomes = (await scene.settled()).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['delivered', 'refused', 'delivered'])
  expect(requests).toBe(3)
})
