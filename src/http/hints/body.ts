import type { Problem } from '../../world/domain-error.ts'
import { parsePrintable } from '../nesting.ts'
import { type Asked, namesOf, querySent, type Repair } from './asked.ts'
import { findSame } from './names.ts'

/** Bodies that are no JSON object. */
export function repairBody({ field }: Problem, asked: Asked): Repair | undefined {
  if (field === 'content-type') {
    const strayed = asked.record.sent === '' ? repairEmpty(asked) : undefined
    return strayed ?? { nearest: 'Content-Type: application/json' }
  }
  if (field !== 'body') return undefined
  const { body } = asked
  if (Array.isArray(body) && body.length === 1) {
    return { hint: 'Send the object itself, not a list of one.', nearest: toShort(body[0]) }
  }
  return typeof body === 'string' ? repairText(body.trim(), asked) : undefined
}

function repairText(text: string, asked: Asked): Repair | undefined {
  if (text === '') return repairEmpty(asked)
  if (text.length > LENGTH_MAX) return undefined
  const inner = parsePrintable(text)
  if (typeof inner === 'string' && isObject(parsePrintable(inner))) {
    return { hint: 'The body is JSON inside a JSON text: it was encoded twice.', nearest: inner }
  }
  if (Array.isArray(inner) && inner.length === 1) {
    return { hint: 'Send the object itself, not a list of one.', nearest: toShort(inner[0]) }
  }
  if (/^[\w.[\]-]+=[^{}]*$/.test(text)) {
    const nearest = toShort(Object.fromEntries(new URLSearchParams(text)))
    return { hint: 'The body is a form; send JSON.', nearest }
  }
  const mended = mend(text)
  if (mended === undefined) return undefined
  return { hint: 'Quotes, commas or comments are not those of JSON.', nearest: toShort(mended) }
}

function repairEmpty(asked: Asked): Repair | undefined {
  const { operation } = asked
  const names = operation ? namesOf(operation).body : []
  const fields = Object.entries(querySent(asked)).flatMap(([sent, value]) => {
    const name = findSame(sent, names)
    return name === undefined ? [] : [[name, value] as const]
  })
  if (fields.length === 0) return undefined
  const nearest = toShort(Object.fromEntries(fields))
  return { hint: 'The fields came in the query; they belong in the body.', nearest }
}

/** JSON as a JavaScript literal is written: single quotes, bare names, commas too many. */
function mend(text: string): unknown {
  const guess = text
    .replace(/'([^'"\\]*)'/g, '"$1"')
    .replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":')
    .replace(/,\s*([}\]])/g, '$1')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b/g, 'null')
  const value = parsePrintable(guess)
  return isObject(value) ? value : undefined
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Longer texts are not mended; they could also be nested deeper than printing bears. */
const LENGTH_MAX = 2_000

const toShort = (value: unknown) => JSON.stringify(value)?.slice(0, LENGTH_MAX)
