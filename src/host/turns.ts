import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { realTime } from '../real-time.ts'

/** Requests of one connection that wait for their turn; one that sends more is closed. */
export const PIPELINED_MAX = 5_000

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * One request of each connection in every turn of the event loop. Node reads all that a client has
 * pipelined at once, and would answer a thousand of its calls before anybody else's.
 */
export function takeTurns(handle: Handler): Handler {
  /** Connections that have had their turn. */
  const served = new Set<Socket>()
  const waiting = new Map<Socket, [IncomingMessage, ServerResponse][]>()
  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue) {
      if (queue.push([request, response]) > PIPELINED_MAX) socket.destroy()
    } else if (served.has(socket)) {
      waiting.set(socket, [[request, response]])
      // What the client sends meanwhile stays with the client; each answer would resume reading.
      socket.on('resume', socket.pause)
      socket.pause()
    } else serve(request, response)
  }

  function serve(request: IncomingMessage, response: ServerResponse) {
    if (served.size === 0) realTime.setImmediate(nextTurn)
    served.add(request.socket)
    handle(request, response)
  }

  function nextTurn() {
    served.clear()
    for (const [socket, queue] of waiting) {
      const [request, response] = queue.shift() ?? []
      if (queue.length === 0 || socket.destroyed) {
        waiting.delete(socket)
        socket.off('resume', socket.pause)
        socket.resume()
      }
      if (request && response && !socket.destroyed) serve(request, response)
    }
  }
}
