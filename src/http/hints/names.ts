import type { Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import type { Operation } from '../operation.ts'
import { type Asked, fieldsSent, namesOf, querySent, type Repair } from './asked.ts'
import { shorten } from './shorten.ts'

/** What v2 renamed otherwise than by its case (contract, Versioning: 3). */
const RENAMED: readonly (readonly [v1: string, v2: string])[] = [
  ['address1', 'addressLine1'],
  ['address2', 'addressLine2'],
  ['postal', 'postalCode'],
  ['login_code', 'code'],
]

/** A field that is required, and came under another name; or a name that is not known. */
export function repairName({ field, message }: Problem, asked: Asked): Repair | undefined {
  const { operation } = asked
  if (operation === undefined) return undefined
  const isQuery = message.endsWith('in the query.')
  const names = namesOf(operation)[isQuery ? 'query' : 'body']
  if (message.includes(' is not a ')) return repairUnknown(field, operation, names)
  if (!message.includes('is required')) return undefined
  const sent = Object.keys(isQuery ? querySent(asked) : fieldsSent(asked))
  const meant = findMeant(field, { sent, names })
  if (meant === undefined) return undefined
  return { hint: `${meant} came; ${nameOf(operation)} calls it ${field}.`, nearest: field }
}

interface Sent {
  sent: readonly string[]
  /** Of all that could have been sent. */
  names: readonly string[]
}

/** Under which name a field came; not one that is like it, yet stands for another. */
function findMeant(field: string, { sent, names }: Sent): string | undefined {
  const strangers = sent.filter((name) => !names.includes(name)).slice(0, STRANGERS_MAX)
  return (
    strangers.find((name) => findSame(name, [field]) !== undefined) ??
    strangers.find(
      (name) => findSame(name, names) === undefined && findNearest(name, names) === field,
    )
  )
}

/** Fields of another name that are looked at; a request of another shape may have thousands. */
const STRANGERS_MAX = 50

function repairUnknown(field: string, operation: Operation, names: string[]): Repair | undefined {
  const nearest = findName(field, names)
  if (nearest === undefined) return undefined
  return { hint: `${nameOf(operation)} calls it ${nearest}.`, nearest }
}

/** A note on a field that was ignored or refused because the contract does not name it. */
export function describeUnknown(sent: string, operation: Operation): string {
  const { body } = namesOf(operation)
  const field = shorten(sent, NAME_LENGTH_MAX)
  const same = findSame(field, body) ?? toV2Name(field)
  if (same !== field) {
    return `${field} is not a field of this request; ${nameOf(operation)} calls it ${same}.`
  }
  const near = findNearest(field, body)
  const hint = near === undefined ? '.' : `; did you mean ${near}?`
  return `${field} is not a field of this request${hint}`
}

/** Longer names of fields are cut: a name may be as long as a body. */
const NAME_LENGTH_MAX = 200

/** Notes on fields that one call gets. */
export const NOTES_MAX = 20

/** A call that is refused for something else may also hold fields that would have been ignored. */
export function noteStrangers(asked: Asked): void {
  const { operation, record } = asked
  if (operation?.dialect.name !== 'v2' || record.notes.length > 0) return
  const { body } = namesOf(operation)
  const strangers = body.length === 0 ? [] : Object.keys(fieldsSent(asked))
  const unknown = strangers.filter((name) => !body.includes(name)).slice(0, NOTES_MAX)
  for (const name of unknown) record.note(describeUnknown(name, operation))
}

/** What v2 calls a field of v1, where this request has neither. */
function toV2Name(field: string): string {
  const [, renamed] = RENAMED.find(([v1]) => v1 === field) ?? []
  return renamed ?? field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const nameOf = ({ dialect }: Operation) =>
  dialect.name === 'v2' || dialect.name === 'v1' ? dialect.name : 'the contract'

/** The name that was meant: in another case, of the other generation, or mistyped. */
function findName(sent: string, names: readonly string[]): string | undefined {
  return findSame(sent, names) ?? findNearest(sent, names)
}

/** The same name in another case, or of the other generation. */
export function findSame(sent: string, names: readonly string[]): string | undefined {
  const plain = toPlain(sent)
  const isSame = (name: string) => toPlain(name) === plain
  const isRenamed = (name: string) =>
    RENAMED.some((pair) => pair.includes(sent) && pair.includes(name))
  return names.find(isSame) ?? names.find(isRenamed)
}

/** `first_name`, `First-Name` and `firstName` alike. */
const toPlain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
