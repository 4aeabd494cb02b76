import type { Micros } from '../world/money.ts'
import { fromMicros } from '../world/money.ts'

const DAY_MS = 86_400_000
const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** `3 min 20 s`: the two largest units, which is what people ask for. */
export function tellLength(ms: number): string {
  let rest = Math.round(Math.max(ms, 0) / 1000) * 1000
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ') || '0 s'
}

/** `12 min ago`, `in 42 min`, `now`. */
export function tellDistance(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) < 1000) return 'now'
  return distance < 0 ? `${tellLength(-distance)} ago` : `in ${tellLength(distance)}`
}

/** `2026-07-01 12:00:00`, in UTC. */
export const tellInstant = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** The time alone on the same day, else the date too. */
export function tellShort(at: number, now: number): string {
  const [date = '', time = ''] = tellInstant(at).split(' ')
  return Math.floor(at / DAY_MS) === Math.floor(now / DAY_MS) ? time : `${date.slice(5)} ${time}`
}

const digits = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 6 })
const cents = new Intl.NumberFormat('en-CA', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

export const tellMoney = (micros: Micros, label: string): string =>
  `${cents.format(fromMicros(micros))} ${label}`
export const tellNumber = (value: number): string => digits.format(value)

export function tellBytes(count: number): string {
  return count < 1024 ? `${count} B` : `${tellNumber(Math.round(count / 102.4) / 10)} kB`
}

export const plural = (count: number, noun: string): string =>
  `${tellNumber(count)} ${count === 1 ? noun : pluralOf(noun)}`

const pluralOf = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** Text as JSON people can read, or as it is. */
export function tellJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** One word of a shell, whatever is in it. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
