import net, { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'

/** Shorter than receivers keep an idle connection open, so that they are not the ones to close it. */
const IDLE_MAX_MS = 1_000

export interface Endpoint {
  hostname: string
  port: number
  isTls: boolean
}

/** The connection that one destination keeps between deliveries. */
export interface ReceiverConnection {
  /** `close` once the receiver closed a connection by itself: a POST on such a one could be lost. */
  readonly mode: 'keep-alive' | 'close'
  /** The kept socket, or a new one. It does not keep the process alive: waiting for a delivery does. */
  take(): Socket
  /** Takes back a socket on which an exchange is over. */
  giveBack(socket: Socket): void
  close(): void
}

/**
 * Simpler and faster than an agent, because a destination gets one POST at a time, and surer: a
 * socket that the receiver has closed is known here as soon as the event loop knows it.
 */
export function createConnection(endpoint: Endpoint, lookup: LookupFunction): ReceiverConnection {
  let mode: ReceiverConnection['mode'] = 'keep-alive'
  let idle: Socket | undefined

  return {
    get mode() {
      return mode
    },
    take() {
      const kept = idle
      idle = undefined
      return kept && !kept.destroyed ? kept : open()
    },
    giveBack(socket) {
      if (idle || mode === 'close') socket.destroy()
      else idle = socket
    },
    close() {
      idle?.destroy()
    },
  }

  function open(): Socket {
    const socket = connect(endpoint, lookup)
    socket.unref()
    // An exchange listens for itself; between two of them an error only means that this one is over.
    socket.on('error', () => undefined)
    socket.once('end', () => {
      mode = 'close'
      socket.destroy()
    })
    socket.setTimeout(IDLE_MAX_MS, () => {
      if (socket === idle) socket.destroy()
    })
    return socket
  }
}

function connect({ hostname, port, isTls }: Endpoint, lookup: LookupFunction): Socket {
  const options = { host: hostname, port, lookup, noDelay: true }
  // A name to be certified must not be an address.
  return isTls
    ? tls.connect({ ...options, servername: isIP(hostname) ? '' : hostname })
    : net.connect(options)
}
