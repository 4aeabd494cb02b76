import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Listening, type ListenOptions, listen } from '../../src/host/server.ts'
import { createWorlds } from '../../src/host/worlds.ts'

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
    let answers = ''
    many.setEncoding('latin1').on('data', (text) => (answers += text))
    many.write(GET.repeat(500))
    one.write(GET.replace('a', 'b'))
    await once(one, 'data')
    expect(calls.indexOf('b')).toBeLessThan(20)
    await vi.waitFor(() => expect(countOf(answers)).toBe(500), { timeout: 5_000 })
    many.destroy()
    one.destroy()
  })

  it('are answered in order, bodies and all, however many they are', async () => {
    const { port } = await start({ fetch: async (request) => new Response(await request.text()) })
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let answers = ''
    socket.on('data', (text) => (answers += text))
    const post = (i: number) => {
      const body = `<${i}>`.padEnd(200, 'x')
      return `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    socket.write(Array.from({ length: 3_000 }, (_, i) => post(i)).join(''))
    await vi.waitFor(() => expect(countOf(answers)).toBe(3_000), { timeout: 10_000 })
    const order = [...answers.matchAll(/<(\d+)>/g)].map(([, i]) => Number(i))
    expect(order).toEqual(order.map((_, i) => i))
    socket.destroy()
  })

  it('are not answered faster than their client reads', async () => {
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

  it('are not read faster than they are answered', async () => {
    const { url, port } = await start({})
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let answers = ''
    socket.on('data', (text) => (answers += text))
    const count = 15_000
    socket.write(GET.repeat(count))
    expect((await fetch(url)).status).toBe(200)
    await vi.waitFor(() => expect(countOf(answers)).toBe(count), { timeout: 20_000 })
    socket.destroy()
  })
})

describe('an answer', () => {
  const LONG = Buffer.alloc(16 * 1024 * 1024)

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

  it('that takes long to come, or is read slowly, keeps it', { timeout: 120_000 }, async () => {
    const { port } = await start({
      async fetch({ url }) {
        if (url.endsWith('/late')) await new Promise((resolve) => setTimeout(resolve, 700))
        return new Response(url.endsWith('/late') ? 'late' : LONG)
      },
      unreadMaxMs: 300,
    })
    const late = await fetch(`http://127.0.0.1:${port}/late`)
    expect(await late.text()).toBe('late')
    const slow = connect(port, '127.0.0.1')
    slow.write(GET)
    slow.on('data', () => {
      slow.pause()
      setTimeout(() => slow.resume(), 2)
    })
    await vi.waitFor(() => expect(slow.bytesRead).toBeGreaterThan(LONG.length), {
      timeout: 110_000,
    })
    slow.destroy()
  })
})

describe('two hundred clients that read nothing', () => {
  it('keep nobody waiting', async () => {
    const { url, port } = await start({
      fetch: ({ url: asked }) =>
        asked.endsWith('/short') ? new Response('ok') : new Response(Buffer.alloc(4 * MIB)),
    })
    const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').pause())
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (const socket of sockets) socket.write(GET.repeat(3))
    for (let calls = 0; calls < 50; calls++) expect((await fetch(`${url}/short`)).status).toBe(200)
  })
})

describe('a client that leaves in the middle of a body', () => {
  it.each([
    ['with a length', 'Content-Length: 100\r\n\r\n{"email":'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\n{"email":\r\n'],
  ])('is no bug: %s', async (_, rest) => {
    const logged = vi.spyOn(console, 'error')
    const worlds = createWorlds({ clock: 'frozen' })
    const { port } = await start({ fetch: worlds.fetch })
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /v2/users HTTP/1.1\r\nHost: a\r\nx-api-key: sandbox-key\r\n'
    socket.write(`${head}Content-Type: application/json\r\n${rest}`)
    const requests = async () => {
      const answer = await worlds.fetch(new Request('http://127.0.0.1/_sandbox/requests'))
      return ((await answer.json()) as { requests: { status: number }[] }).requests
    }
    await vi.waitFor(async () => expect(await requests()).toHaveLength(1))
    socket.destroy()
    await vi.waitFor(async () => expect(await requests()).toMatchObject([{ status: 400 }]))
    expect(logged).not.toHaveBeenCalled()
    await worlds.close()
    logged.mockRestore()
  })
})
