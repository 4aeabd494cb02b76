import type { Json } from '../../client/http.ts'
import { findKind, type Kind } from '../fields.ts'
import type { RecordedCall } from '../recording.ts'
import { isObject } from '../replay/compare.ts'
import { isWord } from '../vocabulary.ts'
import type { Names } from './names.ts'

/** What a reader wants to see of an answer; times and wording differ from run to run. */
const SHOWN: ReadonlySet<Kind | undefined> = new Set<Kind>([
  'amount',
  'count',
  'field',
  'switch',
  'word',
])

/** What a scenario expects of an answer: its status, and what it says about money and statuses. */
export function toExpected(call: RecordedCall, names: Names): Json {
  const { operation, response, request, target } = call
  if (response === null) return {}
  const sent = request.body !== null && typeof request.body === 'object' ? request.body : {}
  const { success: _, ...body } = isObject(response.body) ? response.body : {}
  const shown = pick(body, '')
  return { status: response.status, ...(isEmpty(shown) ? {} : { body: shown }) }

  function pick(value: Json, name: string): Json {
    if (Array.isArray(value)) return value.map((entry) => pick(entry, name) ?? {})
    if (isObject(value)) {
      const fields = Object.entries(value).map(([key, part]) => [key, pick(part, key)])
      const left = fields.filter(([, part]) => part !== undefined && !isEmpty(part))
      return Object.fromEntries(left)
    }
    const kind = findKind(operation ?? undefined, name)
    // A body sends them, so its answer says nothing new.
    if (sent[name] === value) return undefined
    if (kind === 'id') return target.includes(value) ? undefined : names.find(value)
    if (!SHOWN.has(kind) || value === null) return undefined
    return kind === 'word' && !isWord(String(value)) ? undefined : value
  }
}

/** An empty list says that there is none; an empty object says nothing. */
const isEmpty = (value: Json): boolean =>
  isObject(value) &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length === 0
