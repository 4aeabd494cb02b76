import type { Json } from '../client/http.ts'
import { toFieldName } from './reading.ts'

/** Fields that hold words of the service. */
const WORD_FIELDS = ['field', 'kind', 'paymentType', 'status', 'type']
/** A word, also as a JSON pointer. */
const WORD = /^#?\/?[a-z][\w .-]{0,40}$/i
const LABEL = /^(CAD|(USDC|CADC)(-[A-Z]{2,4})?)$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
/** Larger numbers may identify a person. */
const NUMBER_MAX = 1e5

/**
 * Shows calls and responses without secrets and personal data. A value that could be somebody's is
 * replaced by the name of its field and a number, and equal values by the same one.
 */
export class Mask {
  #standIns = new Map<string, string>()
  #counts = new Map<string, number>()

  /** Path and query of a call; `template` is its path with the names of its parameters. */
  target(template: string, target: string): string {
    const { pathname, searchParams } = new URL(target, 'http://any')
    const names = template.split('/')
    const parts = pathname.split('/').map((part, i) => {
      const [, name] = /^:(\w+)/.exec(names[i] ?? '') ?? []
      return name === undefined ? part : this.#standIn(decodeURIComponent(part), name)
    })
    const query = [...searchParams].map(([name, value]) => `${name}=${this.#value(value, name)}`)
    return `${parts.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  }

  body(value: Json, field = 'text'): Json {
    if (Array.isArray(value)) return value.map((entry) => this.body(entry, field))
    if (value === null || typeof value !== 'object') return this.#value(value, field)
    const fields = Object.entries(value).map(([name, part]) => {
      const shown = toFieldName(name)
      return [shown, this.body(part, shown)]
    })
    return Object.fromEntries(fields)
  }

  #value(value: Json, field: string): Json {
    return isHarmless(value, field) ? value : this.#standIn(String(value), field)
  }

  #standIn(value: string, field: string): string {
    const known = this.#standIns.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(field) ?? 0) + 1
    const made = `<${field} ${count}>`
    this.#counts.set(field, count)
    this.#standIns.set(value, made)
    return made
  }
}

function isHarmless(value: Json, field: string): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') {
    return true
  }
  if (value !== '' && Math.abs(Number(value)) < NUMBER_MAX && field !== 'code') return true
  if (LABEL.test(value) || INSTANT.test(value)) return true
  return WORD_FIELDS.includes(field) && WORD.test(value)
}
