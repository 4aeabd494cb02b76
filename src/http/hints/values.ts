import type { Problem } from '../../world/domain-error.ts'
import { findNearest } from '../../world/nearest.ts'
import { type Asked, querySent, type Repair, valueAt } from './asked.ts'
import { FORMATS } from './formats.ts'

/** The same value in the form that is asked for. */
export function repairValue(problem: Problem, asked: Asked): Repair | undefined {
  const value = valueAt(asked.body, problem.field) ?? querySent(asked)[problem.field]
  if (value === undefined || value === null) return undefined
  const nearest = toNearest(problem, value)
  if (nearest === undefined || nearest === JSON.stringify(value)) return undefined
  return { hint: `Send ${problem.field} as ${nearest}.`, nearest }
}

/** As JSON; what stands in a query has no quotes. */
function toNearest({ field, message }: Problem, value: unknown): string | undefined {
  const name = field.split('.').at(-1) ?? field
  const format = FORMATS.get(name)
  const formatted = format?.(value)
  if (formatted !== undefined) return JSON.stringify(formatted)
  const [, most] = / from \d+ to (\d+)\.$/.exec(message) ?? []
  if (most !== undefined && typeof value !== 'object') {
    return Number(value) > Number(most) ? most : '1'
  }
  if (/must be a(n integer| whole number| number)\b/.test(message)) return toNumber(value)
  if (message.includes('must be a boolean')) return toBoolean(value)
  if (message.includes('must be a string')) return toText(value)
  const [, listed] = / must be one of (.+?)(?:, not .*)?\.$/.exec(message) ?? []
  return listed && typeof value === 'string' ? toListed(value, listed.split(', ')) : undefined
}

function toNumber(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const digits = value.replace(/[\s,_$]|CAD|USDC|CADC/gi, '')
  return /^-?\d{1,15}(\.\d+)?$/.test(digits) ? String(Number(digits)) : undefined
}

const YES = /^(true|yes|y|1|on)$/i
const NO = /^(false|no|n|0|off)$/i

function toBoolean(value: unknown): string | undefined {
  if (typeof value === 'object') return undefined
  if (YES.test(String(value))) return 'true'
  return NO.test(String(value)) ? 'false' : undefined
}

function toText(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? `"${value}"` : undefined
}

function toListed(value: string, words: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  const found = words.find((word) => plain(word) === plain(value)) ?? findNearest(value, words)
  return found === undefined ? undefined : JSON.stringify(found)
}
