import type { Delivery } from '../webhooks/delivery.ts'
import { fromMicros, type Micros } from '../world/money.ts'
import type { Transaction, User } from '../world/state.ts'

const DAY_MS = 86_400_000
const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** `3 min 20 s`: the two largest units. */
export function formatLength(ms: number): string {
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
export function formatDistance(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) < 1000) return 'now'
  return distance < 0 ? `${formatLength(-distance)} ago` : `in ${formatLength(distance)}`
}

/** `2026-07-01 12:00:00`, in UTC. */
export const formatInstant = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** The time, with the date unless it is the same day. */
export function formatShort(at: number, now: number): string {
  const [date = '', time = ''] = formatInstant(at).split(' ')
  return Math.floor(at / DAY_MS) === Math.floor(now / DAY_MS) ? time : `${date.slice(5)} ${time}`
}

const cents = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
export const formatCents = new Intl.NumberFormat('en-CA', cents).format
export const formatNumber = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 6 }).format

export const formatMoney = (micros: Micros, label: string): string =>
  `${formatCents(fromMicros(micros))} ${label}`
/** `250.00 CAD → 177.04 USDC-ETH` */
export const formatTrade = (row: Transaction): string =>
  `${formatMoney(row.leftSide, row.leftSideLabel)} → ${formatMoney(row.rightSide, row.rightSideLabel)}`

export function formatBytes(count: number): string {
  return count < 1024 ? `${count} B` : `${formatNumber(Math.round(count / 102.4) / 10)} kB`
}

/** `12.3 ms`, or nothing while it is under way. */
export const formatTook = ({ durationMs }: Pick<Delivery, 'durationMs'>): string =>
  durationMs === null ? '' : `${formatNumber(Math.round(durationMs * 10) / 10)} ms`

export const plural = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : pluralOf(noun)}`

export const pluralOf = (noun: string) =>
  noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`

export const formatDelivery = ({ type, event, dialect, hook }: Delivery): string =>
  `${dialect === 'v1' ? `v1 ${hook ?? ''}` : type}: ${event.status.replace(' request money transfer', '')}`

export const formatName = ({ profile }: User): string =>
  [profile.firstName, profile.lastName].filter(Boolean).join(' ') || 'no name yet'

/** The first and last characters of a long id. */
export const shortenId = (id: string): string =>
  id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id

/** Indents JSON; text that is not JSON stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export const formatHeaders = (headers: Readonly<Record<string, string | string[]>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

interface CurlCall {
  method: string
  url: string
  headers: Readonly<Record<string, string | string[]>>
  body?: string | undefined
}

/** Writes a call as a curl command, in which `$TOKEN` stays a shell variable. */
export function toCurl({ method, url, headers, body }: CurlCall): string {
  const quote = (text: string) => (text.includes('$TOKEN') ? `"${text}"` : shellQuote(text))
  const lines = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    quote(`${name}: ${value}`),
  ])
  const verb = method === 'GET' ? [] : ['-X', method]
  const data = body === undefined ? [] : ['--data-binary', shellQuote(body)]
  return ['curl -sS', ...verb, ...lines, ...data, shellQuote(url)].join(' ')
}

/** Decodes a part of a URL; broken escapes stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
