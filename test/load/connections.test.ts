import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
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

const MIB = 1024 * 1024
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const countOf = (text: string) => text.split('HTTP/1.1 200').length - 1

describe('pipelined requests', () => {
  it('of one connection take turns with those of others', async () => {
    const calls: string[] = []
    const { port } = await start({
      fetch({ url }) {
        calls.push(new URL(url).host)
        return new Response('ok')
      },
    })
    const [many, one] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    await Promise.all([once(many, 'connect'), once(one, 'connect')])
    let responses = ''
    many.setEncoding('latin1').on('data', (text) => (responses += text))
    many.write(GET.repeat(200))
    one.write(GET.replace('a', 'b'))
    await once(one, 'data')
    expect(calls.indexOf('b')).toBeLessThan(20)
    await vi.waitFor(() => expect(countOf(responses)).toBe(200), { timeout: 5_000 })
    many.destroy()
    one.destroy()
  })

  it('get responses in order, bodies and all, however many they are', async () => {
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

  it('get no responses faster than their client reads', async () => {
    let calls = 0
    const { url, port } = await start({
      fetch({ url: asked }) {
        if (asked.includes('//a/')) calls++
        return new Response(Buffer.alloc(MIB))
      },
    })
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(GET.repeat(200))
    for (let others = 0; others < 50; others++) await (await fetch(url)).arrayBuffer()
    expect(calls).toBeGreaterThan(0)
    // What the system keeps of a connection is some of them.
    expect(calls).toBeLessThan(40)
    socket.destroy()
  })
})

describe('a response', () => {
  it('that nobody reads ends its connection', async () => {
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
})

describe('a client that leaves in the middle of a body', () => {
  it('is no bug', async () => {
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
})
