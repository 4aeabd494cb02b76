import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import type { Receiver } from '../../src/client/receiver.ts'

/** A server that speaks TCP, to misbehave below HTTP. */
export interface RawServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** Connections that were made so far. */
  readonly sockets: readonly Socket[]
}

export async function openRawServer(onSocket: (socket: Socket) => void): Promise<RawServer> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  const port = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Makes a receiver respond a moment later, and returns what says how many it had open at most. */
export function countOpen<Body>(receiver: Receiver<Body>): () => number {
  let open = 0
  let openAtMost = 0
  receiver.respondWith(async () => {
    openAtMost = Math.max(openAtMost, ++open)
    await new Promise((resolve) => setImmediate(resolve))
    open--
    return 200
  })
  return () => openAtMost
}
