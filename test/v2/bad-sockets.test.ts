import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../../src/host/server.ts'
import { createWorlds } from '../../src/host/worlds.ts'
import { parseFailure, type TextResponse } from '../contract.ts'
import { appOf, KEY, type TestApp } from '../helpers/app.ts'
import { expectNothingChanged } from '../helpers/state.ts'

const MIB = 1024 * 1024

describe('over a socket', () => {
  let server: Listening
  let app: TestApp
  // One connection: what is left unread of one body must not harm the next call.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    const worlds = createWorlds({ clock: '2026-07-01T12:00:00Z' })
    app = appOf(
      (request) => worlds.fetch(request),
      '',
      () => worlds.close(),
    )
    server = await listen({ fetch: worlds.fetch, port: 0 })
  })
  afterAll(async () => {
    agent.destroy()
    await server.close()
    await app.close()
  })

  interface Sent {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string | Buffer
    chunked?: boolean
  }

  /** Sends bytes as they are: nothing between the test and the server tidies them up. */
  function send({ method = 'POST', path = '/v2/users', headers, body, chunked }: Sent) {
    return new Promise<TextResponse>((resolve, reject) => {
      const length =
        body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = { 'x-api-key': KEY, 'content-type': 'application/json', ...length, ...headers }
      const to = { host: '127.0.0.1', port: server.port, agent }
      const request = httpRequest({ ...to, method, path, headers: sent })
      let received: TextResponse | undefined
      request.on('error', reject)
      request.on('close', () => received && resolve(received))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          received = { status: response.statusCode ?? 0, headers: toHeaders(response), text }
        })
      })
      if (chunked) request.write(body?.slice(0, 1000) ?? '')
      request.end(chunked ? body?.slice(1000) : body)
    })
  }

  const toHeaders = ({ headers }: IncomingMessage) =>
    new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))

  const padded = (bytes: number, filler = 'x') => {
    const room = bytes - Buffer.byteLength('{"email":"nobody","pad":""}')
    return `{"email":"nobody","pad":"${filler.repeat(room / Buffer.byteLength(filler))}"}`
  }

  it.each([false, true])(
    'takes a body of 1 MiB and no byte more (chunked: %s)',
    async (chunked) => {
      const fits = await send({ body: padded(MIB), chunked })
      expect([fits.status, parseFailure(fits).errors[0]?.field]).toEqual([400, 'email'])
      for (const bytes of [MIB + 1, 8 * MIB]) {
        const response = await expectNothingChanged(app, () =>
          send({ body: padded(bytes), chunked }),
        )
        expect([response.status, parseFailure(response).errors[0]?.field]).toEqual([413, 'body'])
      }
    },
  )

  it('hangs up on a caller who has a response and never sends the rest', async () => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1')
    let response = ''
    socket.on('data', (text) => (response += text))
    socket.write('POST /v2/users HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{}')
    await once(socket, 'close')
    expect(response).toMatch(/^HTTP\/1\.1 401 /)
  })
})
