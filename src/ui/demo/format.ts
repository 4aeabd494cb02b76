const LOCALE = 'en-CA'
const cad = { style: 'currency', currency: 'CAD', currencyDisplay: 'narrowSymbol' } as const

export const formatCad = new Intl.NumberFormat(LOCALE, cad).format
/** Omits the cents of whole dollars. */
export const formatRound = (value: number): string => formatCad(value).replace(/[.,]00(?!\d)/, '')
/**
 * Rounds parts to cents so that they add up to the rounded total: the cents that are left over go
 * to the largest remainders.
 */
export function roundParts(parts: readonly number[], total: number): number[] {
  const exact = parts.map((part) => Math.round(part * 1e8) / 1e6)
  const cents = exact.map(Math.floor)
  const left = Math.round(total * 100) - cents.reduce((sum, cent) => sum + cent, 0)
  const remainders = exact.map((value, at) => [value % 1, at] as const)
  remainders.sort(([one], [other]) => other - one)
  const lucky = remainders.slice(0, left).map(([, at]) => at)
  return cents.map((cent, at) => (cent + (lucky.includes(at) ? 1 : 0)) / 100)
}

export const formatRate = new Intl.NumberFormat(LOCALE, {
  ...cad,
  minimumFractionDigits: 4,
  maximumFractionDigits: 6,
}).format
export const formatPlain = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format
const formatCoins = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
}).format

/** `USDC` of `USDC-ETH`. */
export const coinOf = (label: string): string => label.split('-')[0] ?? label

/** `$250.00` or `177.01 USDC`, by the label. */
export const formatAmount = (value: number, label: string): string =>
  label === 'CAD' ? formatCad(value) : `${formatCoins(value)} ${coinOf(label)}`

/** The phone is in Toronto, like the people of the stories. */
const formatIn = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { timeZone: 'America/Toronto', ...options }).format
export const formatTime = formatIn({ hour: 'numeric', minute: '2-digit' })
export const formatShort = formatIn({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
export const formatMoment = formatIn({ dateStyle: 'medium', timeStyle: 'short' })

const HOUR_MS = 3_600_000
const two = (count: number) => String(count).padStart(2, '0')

/** `29:41`, and `23 h 58` from an hour on. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  if (ms > HOUR_MS) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)}`
  return `${minutes}:${two(seconds % 60)}`
}

/** A typed amount, such as `1,250.50`; undefined if it is none. */
export function parseAmount(text: string): number | undefined {
  const plain = toPlain(text)
  return /^\d{1,15}(\.\d*)?$/.test(plain) ? Number(plain) : undefined
}

export const shorten = (text: string): string => `${text.slice(0, 6)}…${text.slice(-6)}`

export const decimalsOf = (text: string): number => toPlain(text).split('.')[1]?.length ?? 0

function toPlain(text: string): string {
  return text.replace(/[\s$]/g, '').replace(/,(?=\d{3})/g, '')
}
