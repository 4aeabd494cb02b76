import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { realTime } from '../real-time.ts'

/** Requests of one connection that wait for their turn; one that sends more is closed. */
export const PIPELINED_MAX = 5_000

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * One request of each connection at a time, and not two in a turn of the event loop. Node reads all that
 * a client has pipelined at once: it would answer a thousand of its calls before anybody else's, and
 * keep the answers in memory, whether the client reads them or not.
 */
export function takeTurns(handle: Handler): Handler {
  /** Connections with an answer under way. */
  const busy = new Set<Socket>()
  const waiting = new Map<Socket, [IncomingMessage, ServerResponse][]>()
  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue) {
      if (queue.push([request, response]) > PIPELINED_MAX) socket.destroy()
    } else if (busy.has(socket)) {
      waiting.set(socket, [[request, response]])
      // What the client sends meanwhile stays with the client; each answer would resume reading.
      socket.on('resume', socket.pause)
      socket.pause()
    } else serve(request, response)
  }

  function serve(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    busy.add(socket)
    // When all of the answer has left, or the connection ended.
    response.once('close', () => {
      if (waiting.has(socket)) realTime.setImmediate(serveNext, socket)
      else busy.delete(socket)
    })
    handle(request, response)
  }

  function serveNext(socket: Socket) {
    const queue = waiting.get(socket) ?? []
    const [request, response] = queue.shift() ?? []
    if (queue.length === 0 || socket.destroyed) {
      waiting.delete(socket)
      socket.off('resume', socket.pause)
      socket.resume()
    }
    busy.delete(socket)
    if (request && response && !socket.destroyed) serve(request, response)
  }
}
