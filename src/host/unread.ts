import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { realTime } from '../real-time.ts'

/** How often connections are looked at while a client may leave an answer unread. */
const LOOKS = 4

/**
 * Ends connections whose client takes nothing of an answer for so long; calls that are still being
 * answered may take longer. A time limit of the whole server would be set anew at each call.
 */
export function endUnread(server: Server, maxMs: number): void {
  const open = new Set<Socket>()
  const add = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  server.on('connection', add)
  server.on('secureConnection', add)
  const look = realTime.setInterval(() => {
    for (const socket of open) {
      if (socket.writableLength > 0 && socket.timeout !== maxMs) socket.setTimeout(maxMs)
    }
  }, maxMs / LOOKS)
  look.unref()
  server.on('close', () => realTime.clearInterval(look))
  server.on('timeout', (socket: Socket) => {
    // Node gives idle connections a time of their own.
    if (socket.timeout !== maxMs || socket.writableLength > 0) socket.destroy()
  })
}
