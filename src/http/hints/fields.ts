import type { Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import { PROFILE_FIELD_NAMES, toV1Name } from '../../world/profile.ts'
import { shorten } from '../../world/shorten.ts'
import type { OperationDescription } from '../operation-description.ts'

/** What v2 renamed otherwise than in case (contract, Versioning: 3). */
const RENAMED: readonly (readonly [v1: string, v2: string])[] = [
  ...PROFILE_FIELD_NAMES.map((name) => [toV1Name(name), name] as const),
  ['login_code', 'code'],
]
/** Longer names of fields are cut: a name may be as long as a body. */
const NAME_LENGTH_MAX = 200

interface Names {
  query: readonly string[]
  body: readonly string[]
}

const NAMES = new WeakMap<OperationDescription, Names>()

/** The fields that an operation takes. */
export function namesOf(operation: OperationDescription): Names {
  const known = NAMES.get(operation)
  if (known) return known
  const names = { query: namesIn(operation.query?.()), body: namesIn(operation.body?.()) }
  NAMES.set(operation, names)
  return names
}

const namesIn = (schema: object = {}): string[] =>
  'shape' in schema ? Object.keys(schema.shape ?? {}) : []

/** A field that the operation does not know, with the name that was probably meant. */
export function toUnknownField(sent: string, names: readonly string[]): Problem {
  const meant = findName(sent, names)
  const message = `${shorten(sent, NAME_LENGTH_MAX)} is not a field of this request`
  const problem = { field: sent, code: 'unknown-field' } as const
  if (meant === undefined) return { ...problem, message: `${message}.` }
  return { ...problem, message: `${message}; did you mean ${meant}?`, nearest: meant }
}

/** The name that was meant: in another case, of the other version, or mistyped. */
export const findName = (sent: string, names: readonly string[]): string | undefined =>
  names.find((name) => isSameName(sent, name)) ?? findNearest(sent, names)

/** `first_name`, `First-Name` and `firstName` are the same; so are names of v1 and of v2. */
export const isSameName = (a: string, b: string): boolean =>
  toPlain(a) === toPlain(b) || RENAMED.some((pair) => pair.includes(a) && pair.includes(b))

export const toPlain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
