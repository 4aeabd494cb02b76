import type { Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import { PROFILE_FIELD_NAMES, toV1Name } from '../../world/profile.ts'
import { shorten } from '../../world/shorten.ts'
import { fieldsSent, type Hint, namesOf, type RejectedCall } from './rejected-call.ts'

/** What v2 renamed otherwise than in case (contract, Versioning: 3). */
const RENAMED: readonly (readonly [v1: string, v2: string])[] = [
  ...PROFILE_FIELD_NAMES.map((name) => [toV1Name(name), name] as const),
  ['login_code', 'code'],
]
/** Longer names of fields are cut: a name may be as long as a body. */
const NAME_LENGTH_MAX = 200
/** Fields of another name that are compared; a body of another shape may have thousands. */
const COMPARED_MAX = 50

/** A required field that was sent elsewhere, or under another name. */
export function findMisplaced({ field, place }: Problem, call: RejectedCall): Hint | undefined {
  const { operation } = call
  if (operation === undefined || place === 'fixture' || place === undefined) return undefined
  const body = fieldsSent(call)
  const query = call.c.req.query()
  const elsewhere = place === 'query' ? findInBody(field, body) : findInQuery(field, query)
  if (elsewhere) return elsewhere
  const around = Object.keys(body).find((name) => isObjectWith(body[name], field))
  if (place === 'body' && around !== undefined) {
    return { hint: `${field} was sent inside ${around}; send it at the top.`, nearest: field }
  }
  const names = namesOf(operation)[place]
  const sent = Object.keys(place === 'query' ? query : body)
  const unknown = sent.filter((name) => !names.includes(name)).slice(0, COMPARED_MAX)
  const meant =
    unknown.find((name) => isSameName(name, field)) ??
    unknown.find((name) => findName(name, names) === field)
  if (meant === undefined) return undefined
  return { hint: `${meant} was sent; its name is ${field}.`, nearest: field }
}

function findInBody(field: string, body: Readonly<Record<string, unknown>>): Hint | undefined {
  const value = body[field]
  if (value === undefined || typeof value === 'object') return undefined
  // Also encodes what is not valid Unicode, where encodeURIComponent would throw.
  const nearest = `?${new URLSearchParams({ [field]: String(value) })}`
  return { hint: `${field} was sent in the body; it belongs in the query.`, nearest }
}

function findInQuery(field: string, query: Readonly<Record<string, string>>): Hint | undefined {
  const name = Object.keys(query).find((sent) => isSameName(sent, field))
  if (name === undefined) return undefined
  const nearest = JSON.stringify({ [field]: query[name] })
  const renamed = name === field ? '' : ` as ${field}`
  return { hint: `${name} was sent in the query; it belongs in the body${renamed}.`, nearest }
}

/** An API key that was sent in another header. */
export function findKey({ c }: RejectedCall): Hint | undefined {
  const headers = c.req.header()
  if (headers['x-api-key']) return undefined
  const name = Object.keys(headers).find((sent) => toPlain(sent).endsWith('apikey'))
  if (name !== undefined) {
    return { hint: `${name} was sent; its name is x-api-key.`, nearest: 'x-api-key' }
  }
  if (headers.authorization === undefined) return undefined
  return { hint: 'Authorization takes the access token of a user, not the API key.' }
}

/** All fields of a body that was left empty, as v1 took them in the query. */
export function findBodyInQuery({ operation, c }: RejectedCall): Hint | undefined {
  const names = operation ? namesOf(operation).body : []
  const fields = Object.entries(c.req.query()).flatMap(([sent, value]) => {
    const name = names.find((known) => isSameName(sent, known))
    return name === undefined ? [] : [[name, value] as const]
  })
  if (fields.length === 0) return undefined
  const nearest = JSON.stringify(Object.fromEntries(fields))
  return { hint: 'The fields were sent in the query; they belong in the body.', nearest }
}

/** A field that the operation does not know, with the name that was probably meant. */
export function toUnknownField(sent: string, names: readonly string[]): Problem {
  const meant = findName(sent, names)
  const message = `${shorten(sent, NAME_LENGTH_MAX)} is not a field of this request`
  const problem = { field: sent, code: 'unknown-field' } as const
  if (meant === undefined) return { ...problem, message: `${message}.` }
  return { ...problem, message: `${message}; did you mean ${meant}?`, nearest: meant }
}

/** The name that was meant: in another case, of the other version, or mistyped. */
function findName(sent: string, names: readonly string[]): string | undefined {
  return names.find((name) => isSameName(sent, name)) ?? findNearest(sent, names)
}

/** `first_name`, `First-Name` and `firstName` are the same; so are names of v1 and of v2. */
function isSameName(a: string, b: string): boolean {
  return toPlain(a) === toPlain(b) || RENAMED.some((pair) => pair.includes(a) && pair.includes(b))
}

export const toPlain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()

const isObjectWith = (value: unknown, field: string): boolean =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, field)
