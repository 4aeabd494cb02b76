import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of answers that nobody has taken yet; while there are more, further calls wait. */
export const UNSENT_MAX = 64 * 1024 * 1024
/** Less than this of an answer is not looked at any more. */
const SMALL_BYTES = 64 * 1024

/** Counts what of the answers of a server waits to be taken by its clients. */
export interface Unsent {
  follow(response: ServerResponse): void
  isFull(): boolean
  /** Ends the connections that took nothing since this was called last. */
  endStuck(): void
}

export function createUnsent(max = UNSENT_MAX): Unsent {
  /** Answers of which it is not known yet how long they are. */
  const begun = new Set<ServerResponse>()
  /** Those that are long, with what was left when it was looked at for `endStuck` last. */
  const long = new Map<Socket, number>()
  return {
    follow: (response) => void begun.add(response),
    isFull() {
      for (const response of begun) look(response)
      let total = 0
      for (const socket of long.keys()) {
        if (isSmall(socket)) long.delete(socket)
        else total += socket.writableLength
      }
      return total > max
    },
    endStuck() {
      for (const [socket, before] of long) {
        if (socket.writableLength === before) socket.destroy()
        long.set(socket, socket.writableLength)
      }
    },
  }

  function look(response: ServerResponse) {
    const { socket, headersSent, closed } = response
    if (!headersSent && !closed) return
    begun.delete(response)
    if (socket && !isSmall(socket)) long.set(socket, socket.writableLength)
  }
}

const isSmall = (socket: Socket) => socket.destroyed || socket.writableLength <= SMALL_BYTES
