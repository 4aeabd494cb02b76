import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A webhook as a receiver sees it. */
export interface Post {
  /** The integrator it was meant for. */
  integrator: string
  timestamp: string
  signature: string
  body: string
}

/** One real receiver for all lives; the first part of a path names the life. */
export interface Receiver {
  urlOf(life: number): string
  /** What arrived for a life since the last call. */
  take(life: number): Post[]
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const posts = new Map<string, Post[]>()
  const server = createServer(async (request, response) => {
    const [, life = '', integrator = ''] = (request.url ?? '').split('/')
    const { headers } = request
    const post = {
      integrator,
      timestamp: String(headers['x-service-timestamp']),
      signature: String(headers['x-service-signature']),
      body: (await buffer(request)).toString(),
    }
    posts.set(life, [...(posts.get(life) ?? []), post])
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (life) => `http://127.0.0.1:${port}/${life}`,
    take(life) {
      const taken = posts.get(String(life)) ?? []
      posts.delete(String(life))
      return taken
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
