import type { IncomingHttpHeaders } from 'node:http'
import type { Fetch } from './http.ts'
import type { Received } from './receiver.ts'

interface PassOnOptions {
  fetch?: Fetch
  signal?: AbortSignal
}

/** Forwards a received request to another URL. The response is decompressed. */
export async function passOn(
  { method, headers, bytes }: Received,
  to: string,
  { fetch = (request) => globalThis.fetch(request), signal }: PassOnOptions = {},
) {
  const init: RequestInit = {
    method,
    headers: withoutFraming(headers),
    body: method === 'GET' || method === 'HEAD' ? null : bytes,
    redirect: 'manual',
    ...(signal && { signal }),
  }
  const response = await fetch(new Request(to, init))
  const { 'content-encoding': _, ...shown } = withoutFraming(Object.fromEntries(response.headers))
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    // Cookies stay separate headers, because they cannot be joined.
    headers: { ...shown, ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** Headers of one connection, which are not forwarded. */
const FRAMING =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/

export const withoutFraming = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      FRAMING.test(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )
