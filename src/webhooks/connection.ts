import net, { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'

/** Shorter than receivers keep an idle connection, so that it is closed here first. */
const IDLE_MAX_MS = 1_000

interface Endpoint {
  hostname: string
  port: number
  isTls: boolean
  /** The one certificate to trust, as PEM; by default those that Node trusts. */
  certificate?: string | undefined
}

export type ReceiverConnection = ReturnType<typeof createConnection>

/**
 * The connection that one destination keeps between deliveries.
 * Simpler than an agent, because a destination gets one POST at a time, and safer: a socket that
 * the receiver has closed is noticed as soon as the event loop knows.
 */
export function createConnection(endpoint: Endpoint, lookup: LookupFunction) {
  let mode: 'keep-alive' | 'close' = 'keep-alive'
  let idle: Socket | undefined

  return {
    /** `close` once the receiver has closed a connection: a POST could be lost on the next one. */
    get mode() {
      return mode
    },
    /** The kept socket, or a new one. It does not keep the process alive: waiting for a delivery does. */
    take(): Socket {
      const kept = idle
      idle = undefined
      return kept && !kept.destroyed ? kept : open()
    },
    /** Returns a socket whose exchange is over. */
    giveBack(socket: Socket) {
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
    // An exchange has its own listener; between two an error only means that this socket is gone.
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

function connect(endpoint: Endpoint, lookup: LookupFunction): Socket {
  const { hostname, port, isTls, certificate } = endpoint
  const options = { host: hostname, port, lookup, noDelay: true }
  if (!isTls) return net.connect(options)
  // A server name must not be an address.
  const servername = isIP(hostname) ? '' : hostname
  return tls.connect({ ...options, servername, ...(certificate && { ca: certificate }) })
}
