import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** One address for the worlds of all runs, so that a receiver finds the API where it was told. */
export interface Gateway {
  readonly url: string
  /** Calls go to the world at this base URL from now on. */
  lead(to: string): void
  close(): Promise<void>
}

export interface GatewayOptions {
  /** 0 picks a free one. */
  port: number
  send(request: Request): Response | Promise<Response>
}

const FRAMING = /^(host|connection|keep-alive|transfer-encoding|content-length|content-encoding)$/i

export async function openGateway({ port, send }: GatewayOptions): Promise<Gateway> {
  let base = ''
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(502).end(`${error.message}\n`)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The API cannot be offered at port ${port}: ${error.message}.`)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}`,
    lead(to) {
      base = to
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/', headers } = request
    const sent = Object.entries(headers).filter(([name]) => !FRAMING.test(name))
    const body = method === 'GET' || method === 'HEAD' ? null : await buffer(request)
    const init = { method, headers: sent.map(([name, value]) => [name, String(value)]), body }
    const answered = await send(new Request(base + url, init as RequestInit))
    const kept = [...answered.headers].filter(([name]) => !FRAMING.test(name))
    response.writeHead(answered.status, Object.fromEntries(kept))
    response.end(Buffer.from(await answered.arrayBuffer()))
  }
}
