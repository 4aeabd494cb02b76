import type { Json } from '../client/http.ts'
import { findKind, isFieldName, isLabel, type Kind } from './fields.ts'
import {
  type ContractOperation,
  decodePart,
  findOperation,
  isPathWord,
  parseTarget,
} from './operations.ts'
import { createStandIns } from './stand-ins.ts'

/** Place of a body: an unknown name is shown only where the service gave it. */
export type BodySide = 'request' | 'response'

export interface MaskerOptions {
  /** Paths whose values are shown: `message`, `errors.message` or `createUser.firstName`. */
  keep?: readonly string[] | undefined
  /** Whether a value of a response is shown, by the name of its field. */
  shows?: (value: Json, name: string) => boolean
  /** From which ages are counted. Default: the wall clock. */
  now?: (() => number) | undefined
}

export type Masker = ReturnType<typeof createMasker>

export interface BodyPlace {
  /** An id of the contract, or `webhook`. */
  operation: string | undefined
  side: BodySide
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/

/**
 * Replaces what is secret or personal by stand-ins of the same form, the same value by the same
 * one. What a field holds is decided by the contract; a field that it does not have is masked.
 *
 * @example
 * const masker = createMasker()
 * masker.body({ operation: 'createUser', side: 'request' }, { email: 'ann@home.ca', city: 'Oka' })
 * // → { email: 'user1@example.com', city: 'city 1' }
 */
export function createMasker({ keep = [], shows, now = Date.now }: MaskerOptions = {}) {
  const standIns = createStandIns(now)
  const kept = new Set(keep.map((path) => path.replace(/\[\d*\]/g, '')))

  return {
    target,
    body: (place: BodyPlace, body: Json): Json =>
      maskIn({ ...place, path: [], kind: undefined }, body),
    headers(side: BodySide, headers: Readonly<Record<string, string>>): Record<string, string> {
      const entries = Object.entries(headers).map(([name, value]) => {
        return [name.toLowerCase(), value] as const
      })
      const shown = entries.filter(([name]) => isRecorded(side, name))
      return Object.fromEntries(
        shown.map(([name, value]) => [maskHeaderName(name), maskHeader(name, value)]),
      )
    },
    /** A text that is no JSON. */
    text: (text: string) => standIns.of(undefined, text, 'text'),
  }

  /** Path and query of a call. */
  function target(method: string, whole: string): string {
    const { pathname, searchParams } = parseTarget(whole)
    const operation = findOperation(method, pathname)
    const path = maskPath(operation, pathname)
    const query = [...searchParams].map(([name, value]): [string, string] => {
      const shown = isFieldName(name) ? name : standIns.of(undefined, name, 'field')
      const place = { operation: operation?.id, side: 'request', path: [name] } as const
      return [shown, String(maskIn({ ...place, kind: findKind(operation?.id, name) }, value))]
    })
    return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
  }

  function maskPath(operation: ContractOperation | undefined, pathname: string): string {
    const expected = operation?.path.split('/') ?? []
    const parts = pathname.split('/').map((part, i) => {
      if (isPathWord(part) && !expected[i]?.startsWith(':')) return part
      return encodeURIComponent(standIns.of('id', decodePart(part), 'id'))
    })
    return parts.join('/')
  }

  interface Place extends BodyPlace {
    path: readonly string[]
    kind: Kind | undefined
  }

  function maskIn(place: Place, value: Json): Json {
    const { operation, path, kind } = place
    if (value === null || value === undefined) return value
    if (Array.isArray(value)) return value.map((entry) => maskIn(place, entry))
    if (typeof value === 'object') return maskFields(place, value)
    if (isKept(operation, path)) return value
    if (place.side === 'response' && shows?.(value, path.at(-1) ?? '')) return value
    if (typeof value === 'boolean') return kind === 'switch' ? value : false
    if (typeof value === 'number') return standIns.ofNumber(kind, value)
    const isNamed = kind !== undefined || place.side === 'response'
    return standIns.of(kind, String(value), (isNamed && path.at(-1)) || 'value')
  }

  function maskFields(place: Place, fields: object): Json {
    const { operation, side, path } = place
    const entries = Object.entries(fields).map(([name, value]) => {
      const shown = maskName(side, name)
      const kind = findKind(operation, name)
      return [shown, maskIn({ operation, side, path: [...path, shown], kind }, value)]
    })
    return Object.fromEntries(entries)
  }

  /** A name that the contract does not have may be a value; what the service says is drift. */
  function maskName(side: BodySide, name: string): string {
    if (isFieldName(name) || isLabel(name)) return name
    const isShown = side === 'response' && IDENTIFIER.test(name) && !standIns.isIn(name)
    return isShown ? name : standIns.of(undefined, name, 'field')
  }

  function maskHeaderName(name: string): string {
    return standIns.isIn(name) ? standIns.of(undefined, name, 'header').replaceAll(' ', '-') : name
  }

  function isKept(operation: string | undefined, path: readonly string[]): boolean {
    if (kept.size === 0) return false
    return path.some((_, i) => {
      const rest = path.slice(i).join('.')
      return kept.has(rest) || kept.has(`${operation}.${rest}`)
    })
  }

  function maskHeader(name: string, value: string): string {
    if (kept.has(`header.${name}`) || PUBLIC_HEADERS[name]?.test(value)) return value
    if (name === 'x-api-key') return standIns.of('secret', value, 'key')
    if (name !== 'authorization') return MASKED_HEADER
    const [, scheme = '', token = ''] = /^(Bearer +)?([\s\S]*)$/.exec(value) ?? []
    return `${scheme}${standIns.of('token', token, 'token').replaceAll(' ', '-')}`
  }
}

/** Headers that are recorded: of a request those that decide the response, of a response all but the connection’s. */
const REQUEST_HEADERS = /^(x-api-key|authorization|content-type|x-[a-z-]+-(timestamp|signature))$/
const CONNECTION =
  /^(connection|content-length|content-encoding|date|keep-alive|server|transfer-encoding|vary)$|^x-sandbox-/
/** Text of every other header in a recording: only that it is there. */
const MASKED_HEADER = '*'

const isRecorded = (side: BodySide, name: string) =>
  side === 'request' ? REQUEST_HEADERS.test(name) : !CONNECTION.test(name)

/** Headers whose values identify nobody. */
const PUBLIC_HEADERS: Readonly<Record<string, RegExp>> = {
  'content-type': /^(application\/[a-z.+-]+|text\/(plain|html))(; ?charset=[\w-]+)?$/i,
  'retry-after': /^\d{1,6}$/,
  allow: /^[A-Z, ]+$/,
  deprecation: /^(@\d{1,12}|true)$/,
  sunset: /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
}
