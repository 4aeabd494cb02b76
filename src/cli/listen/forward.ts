import { connect } from 'node:net'
import type { DeliveryRecord } from '../../http/control/wire.ts'
import { createPoster, type PostResult } from '../../webhooks/post.ts'

const TIMEOUT_MS = 10_000
const CONNECT_MAX_MS = 1_000
/** What belongs to the connection and not to the webhook. */
const CONNECTION_HEADERS = /^(host|connection)$/i

export function createForwarder(urls: readonly (string | undefined)[]) {
  const allowHosts = urls.flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
  const poster = createPoster({ allowHosts })
  return {
    /** Posts the same bytes under the same signature. */
    forward({ request }: DeliveryRecord, url: string): Promise<PostResult> {
      const destination = poster.destinationOf(url)
      const signed = Object.entries(request.headers).filter(
        ([name]) => !CONNECTION_HEADERS.test(name),
      )
      const headers = { Host: destination.host, ...Object.fromEntries(signed) }
      return poster.post(destination, { at: Date.now(), headers, body: request.body }, TIMEOUT_MS)
    },
    close: poster.close,
  }
}

export function canConnect(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    timeout: CONNECT_MAX_MS,
  })
  return new Promise((resolve) => {
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false))
  })
}
