import type { Json } from '../../client/http.ts'
import { findKind } from '../fields.ts'
import { isMade } from '../replay/matches.ts'
import { Code, toSource } from './source.ts'

/** A result of a call that has a name once something refers to it. */
export interface Named {
  name: string
  isUsed: boolean
}

export type Names = ReturnType<typeof createNames>

/** Around the number of a name that is not settled yet: only those that are used are counted. */
const MARK = '\u00b7'
const MARKED = new RegExp(`([A-Za-z][A-Za-z0-9]*)${MARK}(\\d+)${MARK}`, 'g')

/** Numbers the names of a text in the order in which they occur: `order`, `order2`. */
export function settleNames(text: string, taken: readonly string[]): string {
  const used = new Set(taken)
  const settled = new Map<string, string>()
  return text.replace(MARKED, (marked, stem: string) => {
    const name = settled.get(marked) ?? findFree(stem, used)
    used.add(name)
    settled.set(marked, name)
    return name
  })
}

/** `user12` would read as another user than `user1`, so that becomes `user1_2`. */
function findFree(stem: string, used: ReadonlySet<string>): string {
  const separator = /\d$/.test(stem) ? '_' : ''
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}${separator}${n}`
    if (!used.has(name)) return name
  }
}

/** What stands in a scenario for the values that the service made. */
export function createNames() {
  let last = 0
  const codes = new Map<string, { code: string; of: Named | undefined }>()
  return { create, note, noteAll, find, fill }

  /** A new name that begins with these words: `order`, `order2`. */
  function create(stem: string): Named {
    return { name: `${stem}${MARK}${++last}${MARK}`, isUsed: false }
  }

  function note(value: unknown, code: string, of?: Named) {
    const key = String(value)
    if (!codes.has(key)) codes.set(key, { code, of })
  }

  /** Remembers every value that an answer made. */
  function noteAll(operation: string | undefined, data: Json, code: string, of: Named) {
    if (data === null || typeof data !== 'object') return
    for (const [field, value] of Object.entries<Json>(data)) {
      const place = Array.isArray(data) ? `${code}[${field}]` : `${code}.${field}`
      const isLeaf = typeof value === 'string' || typeof value === 'number'
      if (!isLeaf) noteAll(operation, value, place, of)
      else if (value !== '' && isMade(findKind(operation, field))) note(value, place, of)
    }
  }

  /** The code for a value; undefined for one that a client chose. */
  function find(value: unknown): Code | undefined {
    const found = codes.get(String(value))
    if (found === undefined) return undefined
    if (found.of) found.of.isUsed = true
    return new Code(found.code)
  }

  /** A body with code for what the service made. */
  function fill(operation: string | undefined, value: Json, name = ''): Json {
    if (Array.isArray(value)) return value.map((part) => fill(operation, part, name))
    if (value !== null && typeof value === 'object') {
      const fields = Object.entries<Json>(value)
      return Object.fromEntries(fields.map(([key, part]) => [key, fill(operation, part, key)]))
    }
    return (isMade(findKind(operation, name)) && find(value)) || value
  }
}

/** One statement of a scenario; it declares a name only where another one uses it. */
export type Statement = string | { named: Named; code: string; expected?: Json }

export function formatStatement(line: Statement): string {
  if (typeof line === 'string') return line
  const { named, code, expected } = line
  // A call of several lines would hide what is expected of it.
  const isNamed = named.isUsed || (expected !== undefined && code.includes('\n'))
  const declared = isNamed ? `const ${named.name} = ${code}` : code
  if (expected === undefined) return declared
  const actual = isNamed ? named.name : code
  const last = actual.length - actual.lastIndexOf('\n') - 1
  const check = `expect(${actual}, ${toSource(expected, 0, last + 13)})`
  return isNamed ? `${declared}\n${check}` : check
}
