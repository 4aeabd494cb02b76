import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, it, vi } from 'vitest'
import { type Listening, type ListenOptions, listen } from '../src/host/server.ts'

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((entry) => entry?.address === '::1')

const open: Listening[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((listening) => listening.close()))
})

async function start(options: Partial<ListenOptions> = {}): Promise<Listening> {
  const fetch = (request: Request) => new Response(`hello from ${new URL(request.url).pathname}`)
  const listening = await listen({ fetch, port: 0, ...options })
  open.push(listening)
  return listening
}

const textAt = async (url: string) => (await fetch(url)).text()

/** Sends latin1 bytes as they are, and reads until the server closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let response = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return response
}

it('a server listens on loopback alone for a name under localhost, whatever that resolves to', async () => {
  const { url } = await start({ host: 'ramp.localhost' })
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(await textAt(`${url}/there`)).toBe('hello from /there')
})

it.runIf(hasIPv6)('a server responds at both loopback addresses on one port', async () => {
  const { url, port } = await start()
  expect(url).toBe(`http://127.0.0.1:${port}`)
  const responses = [`${url}/a`, `http://[::1]:${port}/a`].map(textAt)
  expect(await Promise.all(responses)).toEqual(['hello from /a', 'hello from /a'])
})

it('a server says that a port is taken, and what to do', async () => {
  const { port } = await start()
  await expect(start({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use; free it, or choose another port`,
  )
})

const long = 'a'.repeat(20_000)
const host = 'Host: a\r\n'

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['an unknown method', `BREW / HTTP/1.1\r\n${host}\r\n`, 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a bad chunk', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`, 400],
  ['a long header', `GET / HTTP/1.1\r\n${host}X: ${long}\r\n\r\n`, 431],
])('a malformed request gets a clean response: %s', async (_, bytes, status) => {
  const { url, port } = await start({
    fetch: async (request) => new Response(await request.text()),
  })
  expect(await exchange(port, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect((await fetch(url)).status).toBe(200)
})

it('a bug is logged, gets 500, and does not stop what comes after', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const { url } = await start({
    fetch(request) {
      if (request.url.endsWith('/bug')) throw new Error('a bug')
      return new Response('well')
    },
  })
  expect((await fetch(`${url}/bug`)).status).toBe(500)
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'a bug' }))
  expect(await textAt(url)).toBe('well')
  logged.mockRestore()
})

it('closing does not wait for idle, silent, half-sent, hanging or streaming calls', async () => {
  const stream = () => new ReadableStream({ start: (sink) => sink.enqueue(Buffer.from('data\n')) })
  const { url, port, close } = await start({
    fetch: (request) =>
      request.url.endsWith('/hang') ? new Promise(() => {}) : new Response(stream()),
  })
  const silent = connect(port, '127.0.0.1').resume()
  const half = connect(port, '127.0.0.1').resume()
  half.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab')
  const hanging = fetch(`${url}/hang`).then(
    () => 'responded',
    () => 'ended',
  )
  const streaming = await fetch(url)
  const body = streaming.text().catch(() => 'ended')
  const ends = [
    once(silent, 'close'),
    once(
      half.on('error', () => {}),
      'close',
    ),
    hanging,
    body,
  ]
  await Promise.all([close(), close()])
  await Promise.all(ends)
  await expect(fetch(url)).rejects.toThrow()
})

it('closing lets a call in progress get its response', async () => {
  const calls = new EventEmitter()
  const { url, close } = await start({
    async fetch() {
      calls.emit('asked')
      const [response] = await once(calls, 'response')
      return new Response(response)
    },
  })
  const asked = once(calls, 'asked')
  const call = textAt(url)
  await asked
  const closed = close()
  calls.emit('response', 'in time')
  expect(await call).toBe('in time')
  await closed
})
