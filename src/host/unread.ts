import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { realTime } from '../real-time.ts'

/** Less than this of an answer is no reason to hurry its client. */
export const SMALL_BYTES = 64 * 1024

/** The part of the usual time that a client gets while others wait for it. */
const HURRIED_PART = 1 / 20

/** Looks after answers that their clients do not take. */
export interface Unread {
  /** Ends connections of a server whose client takes nothing of an answer for too long. */
  watch(server: Server): void
  /** While others wait for them, clients with much to take get less time. */
  hurry(isHurried: boolean): void
}

/**
 * Calls that are still being answered may take longer than `maxMs`. A time limit of the whole server
 * would be set anew at each call.
 */
export function createUnread(maxMs: number): Unread {
  const open = new Set<Socket>()
  const hurriedMs = Math.ceil(maxMs * HURRIED_PART)
  let isHurried = false
  return {
    watch(server) {
      server.on('connection', add)
      server.on('secureConnection', add)
      const timer = realTime.setInterval(look, hurriedMs).unref()
      server.on('close', () => realTime.clearInterval(timer))
      server.on('timeout', (socket: Socket) => {
        // Node gives idle connections a time of their own.
        const isOurs = socket.timeout === maxMs || socket.timeout === hurriedMs
        if (!isOurs || socket.writableLength > 0) socket.destroy()
      })
    },
    hurry(now) {
      isHurried = now
      look()
    },
  }

  function add(socket: Socket) {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }

  /**
   * Node's time limit begins anew whenever the client takes a part, also of one long write. It is not
   * made longer before the answer ends: that, too, would begin it anew.
   */
  function look() {
    for (const socket of open) {
      const { writableLength, timeout } = socket
      const limitMs = isHurried && writableLength > SMALL_BYTES ? hurriedMs : maxMs
      if (writableLength > 0 && !(timeout && timeout <= limitMs)) socket.setTimeout(limitMs)
    }
  }
}
