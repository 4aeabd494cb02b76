import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { realTime } from '../real-time.ts'
import { SMALL_BYTES, type Unread } from './unread.ts'

/** Requests of one connection that wait for their turn; one that sends more is closed. */
export const PIPELINED_MAX = 5_000

/** Bytes of answers that their clients have not taken; while there are more, further calls wait. */
export const UNREAD_BYTES_MAX = 64 * 1024 * 1024

/** How often room is looked for: a stream makes some before its answer ends. */
const LOOK_EVERY_MS = 1_000

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * One request of each connection at a time, and not two in a turn of the event loop. Node reads all that
 * a client has pipelined at once: it would answer a thousand of its calls before anybody else's, and
 * keep the answers in memory, whether the client reads them or not.
 */
export function takeTurns(handle: Handler, unread: Unread): Handler {
  /** Connections with an answer under way. */
  const busy = new Set<Socket>()
  const waiting = new Map<Socket, [IncomingMessage, ServerResponse][]>()
  /** Connections that wait until others have taken their answers. */
  const held = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue) {
      if (queue.push([request, response]) > PIPELINED_MAX) socket.destroy()
      return
    }
    const isHeld = !busy.has(socket) && isFull()
    if (!isHeld && !busy.has(socket)) return serve(request, response)
    waiting.set(socket, [[request, response]])
    // What the client sends meanwhile stays with the client; each answer would resume reading.
    socket.on('resume', socket.pause)
    socket.pause()
    if (isHeld) hold(socket)
  }

  function serve(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    busy.add(socket)
    // When all of the answer has left, or the connection ended.
    response.once('close', () => {
      busy.delete(socket)
      if (waiting.has(socket)) realTime.setImmediate(serveNext, socket)
      if (held.size > 0) realTime.setImmediate(release)
    })
    handle(request, response)
  }

  function serveNext(socket: Socket) {
    if (!socket.destroyed && isFull()) return hold(socket)
    const queue = waiting.get(socket) ?? []
    const [request, response] = queue.shift() ?? []
    if (queue.length === 0 || socket.destroyed) {
      waiting.delete(socket)
      socket.off('resume', socket.pause)
      socket.resume()
    }
    if (request && response && !socket.destroyed) serve(request, response)
  }

  /** Whether answers that are under way fill their room; small ones do not count. */
  function isFull(): boolean {
    let total = 0
    for (const { writableLength } of busy) {
      if (writableLength > SMALL_BYTES) total += writableLength
    }
    return total > UNREAD_BYTES_MAX
  }

  function hold(socket: Socket) {
    held.add(socket)
    if (timer) return
    timer = realTime.setInterval(look, LOOK_EVERY_MS).unref()
    unread.hurry(true)
  }

  /** Starts with the newest: those that fill the room would come before all others. */
  function release() {
    const socket = [...held].at(-1)
    if (socket === undefined || isFull()) return
    held.delete(socket)
    serveNext(socket)
    if (held.size > 0) realTime.setImmediate(release)
  }

  function look() {
    release()
    unread.hurry(held.size > 0)
    if (held.size > 0) return
    realTime.clearInterval(timer)
    timer = undefined
  }
}
