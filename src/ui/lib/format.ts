import type { TransactionRecord } from '../../control-api/wire.ts'
import { shared } from './draw.ts'

const LOCAL = 'local-time'

/** True if times are shown in the browser's zone instead of UTC. */
export const isLocal = shared(localStorage.getItem(LOCAL) === 'yes')

export function toggleLocal(): void {
  isLocal.value = !isLocal.value
  localStorage.setItem(LOCAL, isLocal.value ? 'yes' : 'no')
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['min', MINUTE_MS],
  ['s', 1_000],
] as const

/** `3 min 20 s`: the two largest units. */
function formatLength(ms: number): string {
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

const toText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
const toLocal = (at: number): number => at - new Date(at).getTimezoneOffset() * MINUTE_MS
const toZone = (at: number): number => (isLocal.value ? toLocal(at) : at)

/** `2026-07-01 12:00:00`, in UTC or, where that is chosen, in local time. */
export const formatInstant = (at: number): string => toText(toZone(at))

/** The time, with the date unless it is the same day. */
export function formatShort(at: number, now: number): string {
  const [date = '', time = ''] = formatInstant(at).split(' ')
  const isSameDay = Math.floor(toZone(at) / DAY_MS) === Math.floor(toZone(now) / DAY_MS)
  return isSameDay ? time : `${date.slice(5)} ${time}`
}

/** Both times, for a tooltip. */
export const formatBoth = (at: number): string => `${toText(at)} UTC, ${toText(toLocal(at))} local`

const cents = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
export const formatCents = new Intl.NumberFormat('en-CA', cents).format
export const formatNumber = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 6 }).format

type Trade = Pick<
  TransactionRecord,
  'leftSideLabel' | 'leftSideValue' | 'rightSideLabel' | 'rightSideValue'
>

/** `250.00 CAD → 177.04 USDC-ETH` */
export const formatTrade = (row: Trade): string =>
  `${formatCents(row.leftSideValue)} ${row.leftSideLabel} → ${formatCents(row.rightSideValue)} ${row.rightSideLabel}`

export function formatBytes(count: number): string {
  return count < 1024 ? `${count} B` : `${formatNumber(Math.round(count / 102.4) / 10)} kB`
}

/** `12.3 ms`, or nothing while it is under way. */
export const formatTook = ({ durationMs }: { durationMs: number | null }): string =>
  durationMs === null ? '' : `${formatNumber(Math.round(durationMs * 10) / 10)} ms`

export const pluralOf = (noun: string): string =>
  noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`

export const plural = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : pluralOf(noun)}`

/** A status or an outcome as badges and filters say it. */
export const shortStatus = (status: string): string =>
  status === 'refused'
    ? 'no response'
    : status.replace(/^(pending|processing) request money transfer$/, '$1')

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

/** Decodes a part of a URL; broken escapes stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
