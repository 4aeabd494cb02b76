import type { Json } from '../client/http.ts'

/** Stand-ins for every base URL, and every name of the world, in a transcript. */
const ANY_BASE = 'http://sandbox'
const ANY_WORLD = 'world'
const VOLATILE = '*'

/** Headers of the connection and the build, and lengths of bodies that hold a URL: they differ from run to run. */
const DROPPED =
  /^(date|connection|keep-alive|transfer-encoding|content-length|host|user-agent|x-sandbox-version)$/i
/** Fields and headers that stay, but whose values depend on the wall clock or on the build. */
const WALL_FIELDS = /^(wallNow|receivedAt|durationMs|version)$|-(timestamp|signature)$/i
/** Access tokens carry the name of the world. Share tokens have no signature, so they stay. */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g

/** Takes out of a transcript what differs from run to run. */
export function createMask(base: string) {
  const { origin, pathname, port, protocol } = new URL(base)
  const own = `${protocol}//127.0.0.1:${port}`
  const places = [base, own + pathname, origin, own]
  const world = pathname.slice(pathname.lastIndexOf('/') + 1)
  return mask

  function mask(value: Json): Json {
    if (typeof value === 'string') return value === world ? ANY_WORLD : maskText(value)
    if (Array.isArray(value)) return value.map(mask)
    if (value === null || typeof value !== 'object') return value
    const fields = Object.entries<Json>(value).flatMap(([name, part]): [string, Json][] => {
      if (name === 'headers') return [[name, mask(withoutDropped(part))]]
      // Deliveries are listed separately, so a response shows only their ids.
      if (name === 'deliveries' && Array.isArray(part)) return [[name, part.map(toId)]]
      const isSent = name === 'sentAt' && Object.hasOwn(value, 'durationMs')
      return [[name, isSent || WALL_FIELDS.test(name) ? VOLATILE : mask(part)]]
    })
    return Object.fromEntries(fields)
  }

  function maskText(value: string): string {
    const placed = places.reduce((text, place) => text.replaceAll(place, ANY_BASE), value)
    return placed.replace(TOKEN, '<access token>')
  }
}

const toId = (delivery: Json): Json => delivery?.id ?? delivery

const withoutDropped = (headers: Json): Json =>
  Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !DROPPED.test(name)))
