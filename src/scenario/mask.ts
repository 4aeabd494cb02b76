import type { Json } from '../client/http.ts'

/** What every base URL reads as in a transcript. */
const ANY_BASE = 'http://sandbox'
const ANY_WORLD = 'world'
const VOLATILE = '*'

/** Headers of the connection, and lengths of bodies that hold a URL: they differ from run to run. */
const DROPPED = /^(date|connection|keep-alive|transfer-encoding|content-length|host|user-agent)$/i
/** Headers whose presence says something, and whose value differs. */
const STARRED = /-(timestamp|signature)$/i
/** Fields that depend on the wall clock or on this build. */
const WALL_FIELDS = /^(wallNow|receivedAt|durationMs|version)$/
/** Access tokens carry the name of the world. Share tokens have no signature, so they stay. */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g

export type Mask = ReturnType<typeof createMask>

/** Takes out of a transcript what differs from run to run. */
export function createMask(base: string) {
  const { origin, pathname, port, protocol } = new URL(base)
  const own = `${protocol}//127.0.0.1:${port}`
  const places = [base, own + pathname, origin, own]
  const world = pathname.slice(pathname.lastIndexOf('/') + 1)
  return { headers, text, json }

  function headers(named: Readonly<Record<string, string>>): Record<string, string> {
    const kept = Object.entries(named).filter(([name]) => !DROPPED.test(name))
    return Object.fromEntries(
      kept.map(([name, value]) => [name, STARRED.test(name) ? VOLATILE : text(value)]),
    )
  }

  function text(value: string): string {
    const placed = places.reduce((text, place) => text.replaceAll(place, ANY_BASE), value)
    return placed.replace(TOKEN, '<access token>')
  }

  function json(value: Json): Json {
    if (typeof value === 'string') return value === world ? ANY_WORLD : text(value)
    if (Array.isArray(value)) return value.map(json)
    if (value === null || typeof value !== 'object') return value
    const isSent = Object.hasOwn(value, 'durationMs')
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        if (name === 'deliveries' && Array.isArray(part)) return [name, part.map(toId)]
        if (name === 'headers' && isNamed(part)) return [name, headers(part)]
        const isWall = WALL_FIELDS.test(name) || (isSent && name === 'sentAt')
        return [name, isWall ? VOLATILE : json(part)]
      }),
    )
  }
}

/** Deliveries are listed by themselves, so that an answer need not repeat them. */
const toId = (delivery: Json): Json => delivery?.id ?? delivery

function isNamed(value: unknown): value is Record<string, string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  return Object.values(value).every((part) => typeof part === 'string')
}
