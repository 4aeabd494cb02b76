import { connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { type Listening, type ListenOptions, listen } from '../../src/host/server.ts'
import { Worlds } from '../../src/host/worlds.ts'

const open: Listening[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((listening) => listening.close()))
})

async function start(options: Partial<ListenOptions>): Promise<Listening> {
  const listening = await listen({ fetch: () => new Response('ok'), port: 0, ...options })
  open.push(listening)
  return listening
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const countOf = (text: string) => text.split('HTTP/1.1 200').length - 1

it('a sandbox responds to pipelined requests in order, bodies and all, however many they are', async () => {
  const { port } = await start({ fetch: async (request) => new Response(await request.text()) })
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let responses = ''
  socket.on('data', (text) => (responses += text))
  const post = (i: number) => {
    const body = `<${i}>`.padEnd(200, 'x')
    return `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  socket.write(Array.from({ length: 1_000 }, (_, i) => post(i)).join(''))
  await vi.waitFor(() => expect(countOf(responses)).toBe(1_000), { timeout: 10_000 })
  const order = [...responses.matchAll(/<(\d+)>/g)].map(([, i]) => Number(i))
  expect(order).toEqual(order.map((_, i) => i))
  socket.destroy()
})

it('a response that nobody reads ends its connection', async () => {
  let cancel = () => {}
  const cancelled = new Promise<void>((resolve) => (cancel = resolve))
  const endless = () =>
    new ReadableStream({ pull: (sink) => sink.enqueue(Buffer.alloc(64 * 1024)), cancel })
  const { port } = await start({ fetch: () => new Response(endless()), unreadMaxMs: 100 })
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(GET)
  await cancelled
  socket.destroy()
})

it('a client that disconnects in the middle of a body is not reported as a bug', async () => {
  const logged = vi.spyOn(console, 'error')
  const worlds = new Worlds({ clock: 'frozen' })
  const { port } = await start({ fetch: worlds.fetch })
  const socket = connect(port, '127.0.0.1')
  const head = 'POST /v2/users HTTP/1.1\r\nHost: a\r\nx-api-key: sandbox-key\r\n'
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`)
  const requests = async () => {
    const response = await worlds.fetch(new Request('http://127.0.0.1/_sandbox/requests'))
    return ((await response.json()) as { requests: { status: number }[] }).requests
  }
  await vi.waitFor(async () => expect(await requests()).toHaveLength(1))
  socket.destroy()
  await vi.waitFor(async () => expect(await requests()).toMatchObject([{ status: 400 }]))
  expect(logged).not.toHaveBeenCalled()
  await worlds.close()
  logged.mockRestore()
})
