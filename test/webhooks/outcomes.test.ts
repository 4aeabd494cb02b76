import { createServer as createTlsServer } from 'node:https'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import type { Delivery } from '../../src/webhooks/delivery.ts'
import { RESPONSE_BODY_MAX } from '../../src/webhooks/post.ts'
import { certificate } from '../helpers/certificate.ts'
import { findFreePort } from '../helpers/sandbox.mjs'
import { openScene, type SceneOptions } from './scene.ts'
import { listen, openRawServer } from './servers.ts'

let receiver: Receiver

beforeEach(async () => {
  receiver = await createReceiver()
})

afterEach(() => receiver.close())

/** What became of one event that goes to a URL. */
async function deliverTo(url: string, options: SceneOptions = {}) {
  await using scene = openScene({ urls: { alpha: url }, ...options })
  return await scene.deliver()
}

const soon = { settings: { 'webhooks.timeout': 500 } }

it.each([200, 299])('a delivery is delivered when it gets %i', async (status) => {
  receiver.respondWith(status)
  const delivery = await deliverTo(receiver.url)
  expect(delivery).toMatchObject({ outcome: 'delivered', response: { status }, error: null })
  expect(receiver.received).toHaveLength(1)
})

it.each([300, 410, 500])(
  'a delivery is rejected when it gets %i, and is not sent again',
  async (status) => {
    receiver.respondWith(status)
    const delivery = await deliverTo(receiver.url)
    expect(delivery).toMatchObject({ outcome: 'rejected', response: { status }, error: null })
    expect(receiver.received).toHaveLength(1)
  },
)

it.each([302, 307])('a delivery does not follow a redirect (%i)', async (status) => {
  receiver.respondWith({ status, headers: { location: `${receiver.url}/elsewhere` } })
  const delivery = await deliverTo(`${receiver.url}/hook`)
  expect(delivery).toMatchObject({ outcome: 'rejected', response: { status } })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

it('a delivery is refused if nobody is listening', async () => {
  const delivery = await deliverTo(`http://127.0.0.1:${await findFreePort()}`)
  expect(delivery).toMatchObject({ outcome: 'refused', response: null })
  expect(delivery.error).toContain('ECONNREFUSED')
})

it('a delivery is refused by a receiver that does not speak HTTP', async () => {
  await using server = await openRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  expect(await deliverTo(server.url)).toMatchObject({
    outcome: 'refused',
    error: expect.stringContaining('HPE_'),
  })
})

it('a delivery is refused by a receiver that hangs up, once', async () => {
  await using server = await openRawServer((socket) => socket.on('data', () => socket.destroy()))
  const delivery = await deliverTo(server.url)
  expect(delivery).toMatchObject({ outcome: 'refused', error: 'socket hang up (ECONNRESET)' })
  expect(server.sockets).toHaveLength(1)
})

it('a delivery times out if the receiver hangs', async () => {
  receiver.respondWith(() => new Promise(() => undefined))
  const delivery = await deliverTo(receiver.url, soon)
  const error = 'The receiver had not responded after 500ms.'
  expect(delivery).toMatchObject({ outcome: 'timeout', response: null, error })
  expect(delivery.durationMs).toBeGreaterThanOrEqual(499)
  expect(receiver.received).toHaveLength(1)
})

it('a delivery times out in the middle of a response, and keeps what had arrived', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'
  await using server = await openRawServer((socket) => socket.on('data', () => socket.write(head)))
  // A busy machine needs longer to read it.
  const deliver = async (timeout = 50): Promise<Delivery> => {
    const settings = { 'webhooks.timeout': timeout }
    const delivery = await deliverTo(server.url, { settings })
    return delivery.response ? delivery : deliver(4 * timeout)
  }
  const response = { status: 200, statusText: 'OK', body: 'half' }
  expect(await deliver()).toMatchObject({ outcome: 'timeout', response })
})

it('a delivery is delivered when the connection breaks after a 2xx, and says so', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'
  await using server = await openRawServer((socket) => socket.on('data', () => socket.end(head)))
  const delivery = await deliverTo(server.url)
  expect(delivery).toMatchObject({ outcome: 'delivered', response: { body: 'half' } })
  expect(delivery.error).toContain('aborted')
})

it.each([
  [200, 'delivered'],
  [500, 'rejected'],
])(
  'a delivery is judged by its status of %i even if the body is not valid HTTP',
  async (status, outcome) => {
    const response = `HTTP/1.1 ${status} Said\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nno size`
    await using server = await openRawServer((socket) =>
      socket.on('data', () => socket.end(response)),
    )
    const delivery = await deliverTo(server.url)
    expect(delivery).toMatchObject({ outcome, response: { status, body: 'half' } })
    expect(delivery.error).toContain('HPE_')
  },
)

it('a delivery keeps the beginning of a response that does not end', async () => {
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  await using server = await openRawServer((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const pour = () => socket.writable && socket.write(chunk, pour)
      pour()
    }),
  )
  const delivery = await deliverTo(server.url)
  expect(delivery).toMatchObject({ outcome: 'delivered', error: null })
  expect(delivery.response?.body).toHaveLength(RESPONSE_BODY_MAX)
})

it('a delivery keeps the head and the body of a response', async () => {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-trace': '7' }
  receiver.respondWith({ status: 202, headers, body: 'merci, 漢🙂' })
  const { response } = await deliverTo(receiver.url)
  expect(response).toMatchObject({ status: 202, statusText: 'Accepted', body: 'merci, 漢🙂' })
  expect(response?.headers).toMatchObject(headers)
})

it('a delivery over https fails on an untrusted certificate', async () => {
  const server = createTlsServer(certificate)
  const port = await listen(server)
  const delivery = await deliverTo(`https://localhost:${port}`)
  server.close()
  expect(delivery).toMatchObject({ outcome: 'tls', response: null })
  expect(delivery.error).toContain('certificate')
})

it('a delivery over https is refused if nobody is listening', async () => {
  const delivery = await deliverTo(`https://localhost:${await findFreePort()}`)
  expect(delivery).toMatchObject({ outcome: 'refused' })
})
