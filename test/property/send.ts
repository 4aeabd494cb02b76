import type { Mutation, Request } from './request.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are whatever was drawn
type Json = any

/** What stands behind the names that begin with `$`. */
export type Names = Readonly<Record<string, string | number>>

/** A drawn call as it goes over the wire. */
export function toWire(request: Request, names: Names): [path: string, init: RequestInit] {
  const { method, template } = request
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encode(String(resolve(request.path[name], names) ?? '') || 'x'),
  )
  const query = mutateQuery(request, names)
  const text = bodyText(request, names)
  const isSent = text !== undefined && method !== 'GET'
  const isTyped = isSent || (method !== 'GET' && template.startsWith('/_sandbox'))
  const headers = {
    ...(resolve(request.headers, names) as Record<string, string>),
    ...(isTyped && { 'content-type': 'application/json' }),
  }
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  return [`${path}${search}`, { method, headers, ...(isSent && { body: text }) }]
}

/** Half a character cannot stand in a URL, and dots alone would be another path. */
const encode = (text: string) => (/^\.+$/.test(text) ? 'x' : encodeURIComponent(toWhole(text)))

const toWhole = (text: string) => Buffer.from(text).toString()

function mutateQuery({ query, mutation, body }: Request, names: Names): [string, string][] {
  const all = query.map(([name, value]): [string, string] => [name, toText(resolve(value, names))])
  if (body !== undefined || all.length === 0) return all
  const spot = 'at' in mutation ? mutation.at % all.length : 0
  const [name] = all[spot] as [string, string]
  switch (mutation.kind) {
    case 'drop':
      return all.toSpliced(spot, 1)
    case 'replace':
      return all.with(spot, [name, toText(mutation.value)])
    case 'add':
      return [...all, [mutation.name, toText(mutation.value)]]
    default:
      return all
  }
}

const toText = (value: unknown) =>
  toWhole(typeof value === 'object' ? JSON.stringify(value) : String(value))

function bodyText({ body, mutation, method }: Request, names: Names): string | undefined {
  if (method === 'GET') return undefined
  if (body === undefined) return undefined
  return JSON.stringify(mutateBody(resolve(body, names), mutation)) ?? '{}'
}

function mutateBody(body: Json, mutation: Mutation): Json {
  if (body === null || typeof body !== 'object') return body
  const keys = Object.keys(body)
  const key = 'at' in mutation ? (keys[mutation.at % Math.max(keys.length, 1)] ?? 'x') : ''
  switch (mutation.kind) {
    case 'drop':
      return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
    case 'replace':
      return { ...body, [key]: mutation.value }
    case 'add':
      return { ...body, [mutation.name]: mutation.value }
    default:
      return body
  }
}

/** Puts ids, tokens and codes of the world in the place of their names. */
function resolve(value: Json, names: Names): Json {
  if (typeof value === 'string') {
    const whole = names[value.slice(1)]
    if (value.startsWith('$')) return whole ?? value
    return value.replace(/\$(\w+)/g, (found, name: string) => String(names[name] ?? found))
  }
  if (Array.isArray(value)) return value.map((part) => resolve(part, names))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part, names)]))
}
