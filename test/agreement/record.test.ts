import { createServer as createHttpServer, type RequestOptions, request } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createMasker } from '../../src/agreement/mask.ts'
import { recordHar } from '../../src/agreement/record/har.ts'
import { openProxy } from '../../src/agreement/record/proxy.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { BrokenRecording, readRecording } from '../../src/agreement/recording.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

describe('the proxy', () => {
  it('passes a response on byte by byte, whatever its encoding, and records what it says', async () => {
    const zipped = gzipSync(JSON.stringify({ success: true, data: { message: 'Hello Ann' } }))
    const upstream = await serve((_, response) => {
      response.writeHead(418, { 'content-encoding': 'gzip', 'x-trace': 'ann' }).end(zipped)
    })
    const { url, entries } = await proxyOf(upstream)
    const response = await fetch(`${url}/v2/limits`)
    expect(response.status).toBe(418)
    expect(await response.json()).toMatchObject({ data: { message: 'Hello Ann' } })
    expect(await entries()).toMatchObject([
      {
        operation: 'getLimits',
        response: {
          status: 418,
          headers: { 'x-trace': '*' },
          body: { data: { message: 'message 1' } },
        },
      },
    ])
  })

  it('passes on every cookie that a response sets, and records only that there are some', async () => {
    const cookies = ['a=1; Path=/; Expires=Wed, 01 Jul 2026 12:00:00 GMT', 'b=2']
    const upstream = await serve((_, response) => {
      response.writeHead(200, { 'set-cookie': cookies }).end()
    })
    const { url, entries } = await proxyOf(upstream)
    expect((await fetch(`${url}/v2/limits`)).headers.getSetCookie()).toEqual(cookies)
    expect(await entries()).toMatchObject([{ response: { headers: { 'set-cookie': '*' } } }])
  })

  it('passes bytes on that are no text, and a response that is too long not at all', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0, 1])
    const upstream = await serve(({ url }, response) => {
      response.end(url === '/v2/limits' ? bytes : Buffer.alloc(17 * 1024 * 1024))
    })
    const { url, entries } = await proxyOf(upstream)
    expect(Buffer.from(await (await fetch(`${url}/v2/limits`)).arrayBuffer())).toEqual(bytes)
    expect((await fetch(`${url}/v2/quotes`)).status).toBe(502)
    const long = 'the response is longer than 16 MiB'
    expect(await entries()).toMatchObject([{ response: { status: 200 } }, { failure: long }])
  })

  it.each([
    ['before a response', ''],
    ['within a response', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"success"'],
  ])('responds with 502 where a connection broke %s, and records why', async (_, sent) => {
    const upstream = createNetServer((socket) => {
      socket.once('data', () => socket.write(sent, () => socket.destroy()))
    })
    const { url, entries } = await proxyOf(await listening(upstream, 'http'))
    expect((await fetch(`${url}/v2/limits`)).status).toBe(502)
    const [entry] = await entries()
    expect(entry).toMatchObject({ response: null, failure: 'UND_ERR_SOCKET' })
  })

  it('asks no host but the service', async () => {
    const asked: (string | undefined)[] = []
    const upstream = await serve((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const { url, entries } = await proxyOf(upstream)
    const elsewhere = `//localhost:9/v2/limits`
    const paths = [elsewhere, '//a:b/', `${url}/v2/limits`]
    const statuses = []
    for (const path of paths) statuses.push(await ask(url, { path }))
    expect(statuses).toEqual([200, 200, 400])
    expect(asked).toEqual(paths.slice(0, 2))
    expect(await entries()).toHaveLength(2)
  })

  it('passes on the body of a DELETE that came in chunks as its body', async () => {
    const asked: string[] = []
    const upstream = await serve(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      asked.push(`${request.method} ${request.url} ${body}`)
      response.end()
    })
    const { url, entries } = await proxyOf(upstream)
    const body = 'GET /v2/users HTTP/1.1\r\nhost: a\r\n\r\n'
    const path = '/v2/webhook-configurations'
    const options = { method: 'DELETE', path, headers: { 'transfer-encoding': 'chunked' } }
    expect(await ask(url, options, body)).toBe(200)
    expect(await ask(url, { path: '/v2/limits' })).toBe(200)
    expect(asked).toEqual([`DELETE ${path} ${body}`, 'GET /v2/limits '])
    await entries()
  })
})

describe('a service that is not to be trusted', () => {
  it('gets the control token only for its own ids of requests, and sends it nowhere else', async () => {
    const asked: string[] = []
    const elsewhere = await serve((request, response) => {
      asked.push(`elsewhere ${request.url}`)
      response.end()
    })
    const ids = new Map([
      ['/v2/limits', '../../elsewhere'],
      ['/v2/quotes', 'req_7'],
      ['/v2/users', 'req_8'],
    ])
    const upstream = await serve((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`)
      if (request.url?.endsWith('req_8')) response.writeHead(307, { location: elsewhere })
      else response.setHeader('x-sandbox-request', ids.get(String(request.url)) ?? '')
      response.end('{"at":"2030-01-01T00:00:00Z"}')
    })
    const { url, entries } = await proxyOf(upstream, { controlToken: 'control' })
    for (const path of ids.keys()) await ask(url, { path })
    expect(asked).toEqual([
      '/v2/limits undefined',
      '/v2/quotes undefined',
      '/_sandbox/requests/req_7 Bearer control',
      '/v2/users undefined',
      '/_sandbox/requests/req_8 Bearer control',
    ])
    expect((await entries())[1]).toMatchObject({ at: '2030-01-01T00:00:00.000Z' })
  })

  it('gets no key or token into a recording as the name of a field or header', async () => {
    const key = 'sk_live_Abc0123456789'
    const upstream = await serve((_, response) => {
      response.writeHead(200, { [`x-${key}`]: '1', 'content-type': 'application/json' })
      response.end(JSON.stringify({ [key]: 1, data: { [`of_${key}`]: 2 }, deep: nest(200) }))
    })
    const { url, entries } = await proxyOf(upstream)
    await ask(url, { path: '/v2/limits', headers: { 'x-api-key': key } })
    expect(JSON.stringify(await entries()).toLowerCase()).not.toContain(key.toLowerCase())
  })
})

const nest = (depth: number): object => (depth === 0 ? {} : { deeper: nest(depth - 1) })

describe('the receiver of webhooks', () => {
  it('passes each on as it is, and its response back', async () => {
    let received = ''
    const target = await serve(async (request, response) => {
      for await (const chunk of request) received += chunk
      response.writeHead(503).end()
    })
    const { webhookUrl = '', entries } = await proxyOf('http://127.0.0.1:1', {
      forward: `${target}/hooks`,
    })
    const body = '{ "type" : "user.update", "payload": { "email": "ann@home.ca" } }'
    const response = await fetch(webhookUrl, { method: 'POST', body })
    expect(response.status).toBe(503)
    expect(received).toBe(body)
    expect(await entries()).toMatchObject([
      {
        kind: 'webhook',
        request: { body: { payload: { email: 'user1@example.com' } } },
        response: { status: 503 },
      },
    ])
  })
})

describe('a HAR file', () => {
  it('becomes a recording of what the contract has in it', () => {
    const { recorder, read } = memory()
    const call = (url: string, status = 200) => ({
      startedDateTime: '2026-07-01T12:00:00.000Z',
      time: 12.5,
      request: { method: 'GET', url, headers: [{ name: 'X-API-Key', value: 'live' }] },
      response: { status, headers: [], content: { text: '{"success":true,"data":[]}' } },
    })
    const entries = [
      call('https://api.example.com/base/v2/users?email=ann%40home.ca'),
      call('https://api.example.com/logo.png'),
      call('https://api.example.com/v2/limits', 0),
    ]
    expect(recordHar(JSON.stringify({ log: { entries } }), recorder)).toBe(2)
    expect(read()).toMatchObject([
      { operation: 'findUsers', target: '/v2/users?email=user1%40example.com' },
      { operation: 'getLimits', response: null },
    ])
    expect(() => recordHar('{}', recorder)).toThrow(BrokenRecording)
  })
})

function memory() {
  const lines: string[] = []
  const recorder = createRecorder({
    masker: createMasker(),
    write: (line) => void lines.push(line),
  })
  return { recorder, read: () => readRecording(lines.join('')) }
}

/** Sends what `fetch` would not; returns the status. */
function ask(url: string, options: RequestOptions, body = ''): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, ...options }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asking.on('error', reject).end(body)
  })
}

async function proxyOf(upstream: string, given: { forward?: string; controlToken?: string } = {}) {
  const { recorder, read } = memory()
  const { forward, controlToken } = given
  const webhooks = { port: 0, forward }
  const proxy = await openProxy({ recorder, upstream, controlToken, port: 0, webhooks })
  const entries = async () => {
    await proxy.close()
    return read()
  }
  return { ...proxy, entries }
}

const serve = (handle: Parameters<typeof createHttpServer>[1] & object) =>
  listening(createHttpServer(handle), 'http')

async function listening(server: Server, scheme: string) {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}
