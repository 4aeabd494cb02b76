import { isRealDate } from '../world/duration.ts'
import { isEmail } from '../world/profile.ts'

export interface FormContext {
  /** The instant of the call, from which ages are counted. */
  now: number
  /** The stand-in of an address, for a value that it is a part of. */
  standInOf(email: string): string
}

/** A way to write values, and other values that are written in the same way. */
export interface Form {
  fits(value: string): boolean
  /** The `n`-th value of this form; it is checked as the value is checked. */
  make(n: number, value: string, context: FormContext): string
  /** Whether values in capitals and small letters mean the same. */
  isCaseless?: true
}

const form = (pattern: RegExp, make: Form['make']): Form => ({
  fits: (value) => pattern.test(value),
  make,
})

/** Form of every other text; stand-ins name its field instead of calling it a text. */
export const anyText = form(/^/, (n) => `text ${n}`)

export const email: Form = { fits: isEmail, make: (n) => `user${n}@example.com`, isCaseless: true }
export const phone = form(/^(\+1)?\d{10}$/, (n, value) => {
  return `${value.startsWith('+1') ? '+1' : ''}416555${pad(n, 4)}`
})

const YEAR_MS = 365.25 * 86_400_000
/** Bounds of ages that rules distinguish, and an age in between to stand for all. */
const AGES: readonly (readonly [below: number, standIn: number])[] = [
  [0, -5],
  [18, 10],
  [60, 35],
  [130, 75],
  [Number.POSITIVE_INFINITY, 150],
]
const DAYS_MAX = 1_000

/** A day of an age with the same rules. */
export const date: Form = {
  fits: isRealDate,
  make(n, value, { now }) {
    const age = (now - Date.parse(value)) / YEAR_MS
    const [, standIn = 35] = AGES.find(([below]) => age < below) ?? []
    const days = (n % DAYS_MAX) * 86_400_000
    return new Date(now - standIn * YEAR_MS - days).toISOString().slice(0, 10)
  },
}

/** Dates, of which one at least does not exist. */
export const unrealDates: Form = {
  fits: (value) => (value.match(/\d{4}-\d\d-\d\d/g) ?? []).some((found) => !isRealDate(found)),
  make: (n) => `2023-02-30 ${n}`,
}

const PROVINCES = ['ON', 'QC', 'BC', 'AB', 'MB', 'SK', 'NS', 'NB', 'NL', 'PE', 'NT', 'NU', 'YT']
export const province: Form = {
  fits: (value) => PROVINCES.includes(value.toUpperCase()),
  make: (n, value) => likeCase(PROVINCES[n % PROVINCES.length] ?? 'ON', value),
}

const POSTAL_CODE = /^[abceghj-nprstvxy]\d[abceghj-nprstv-z][ -]?\d[abceghj-nprstv-z]\d$/i
export const postalCode = form(POSTAL_CODE, (n, value) => {
  const [a, b, c] = pad(n, 3)
  return likeCase(`A${a}A${value.length === 7 ? value[3] : ''}${b}A${c}`, value)
})

export const evmAddress = form(/^0x[0-9a-f]{40}$/i, (n) => toHex(n, 40))
export const evmHash = form(/^0x[0-9a-f]{64}$/i, (n) => toHex(n, 64))
/** Addresses and hashes of Solana. */
export const base58 = (min: number, max: number): Form =>
  form(new RegExp(`^[1-9A-HJ-NP-Za-km-z]{${min},${max}}$`), (n) => toBase58(n).padStart(max, '1'))
export const uuid = form(
  /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  (n) => `00000000-0000-4000-8000-${pad(n, 12)}`,
)
export const paymentReference = form(/^CA[A-Za-z0-9]{10}$/, (n) => `CA${pad(n, 10)}`)
export const eventId = form(/^evt_[0-9a-f]+$/, (n) => `evt_${n}`)
export const digits = form(/^\d{1,40}$/, (n, value) => pad(n, value.length))
/** Numbers that a service counts up, as numbers or as texts. */
export const serial = form(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, (n) => String(900_000 + n))
export const mediaType = form(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/, (n) => `application/x-${n}`)

export const secret = form(/./s, (n) => `secret-${n}`)
export const token = form(
  /^[\w-]+\.[\w-]+\.[\w-]*$/,
  (n) => `eyJhbGciOiJIUzI1NiJ9.${toBase64(`{"n":${n}}`)}.c3RhbmQtaW4`,
)

/** Share tokens of a sandbox say whose they are. */
export const shareToken: Form = {
  fits: (value) => readApplicant(value) !== undefined,
  make(_, value, { standInOf }) {
    const [head = ''] = /^_act-.*?jwt-/.exec(value) ?? []
    const kind = ['expired-', 'not-found-', 'incomplete-'].find((word) => head.includes(word)) ?? ''
    const claims = JSON.stringify({ email: standInOf(readApplicant(value) ?? '') })
    return `_act-sbx-${kind}jwt-${toBase64('{"alg":"none"}')}.${toBase64(claims)}.`
  },
}

/** The applicant of a share token that a sandbox made. */
function readApplicant(text: string): string | undefined {
  const [, claims = ''] = /^_act-(?:[A-Za-z0-9-]*-)?jwt-[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text) ?? []
  try {
    const { email: applicant } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    return typeof applicant === 'string' ? applicant : undefined
  } catch {
    return undefined
  }
}

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.0\.0\.0)/
export const url: Form = {
  fits: (value) => /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value),
  make(n, value) {
    const { protocol, hostname, username, password, hash } = new URL(value)
    const user = username || password ? 'user:word@' : ''
    const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname)
    const host = PRIVATE.test(hostname) ? '10.0.0.1' : isLocal ? '127.0.0.1' : 'www.example.com'
    return pad64(`${protocol}//${user}${host}/url-${n}${hash ? '#part' : ''}`, value)
  },
}

/** Media types of documents in a KYB submission. */
export const MEDIA_TYPE =
  /^(application\/(pdf|json)|image\/(png|jpe?g|webp|heic)|text\/(plain|html))$/i
const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)((?:;[\w.-]+=[^;,]*)*);base64,/i
export const dataUri: Form = {
  fits: (value) => DATA_URI.test(value.slice(0, 300)),
  make(n, value) {
    const [head = '', type = ''] = DATA_URI.exec(value.slice(0, 300)) ?? []
    const content = value.slice(head.length)
    const start = `data:${MEDIA_TYPE.test(type) ? type : 'application/x-other'};base64,`
    if (content === '') return start
    return start + (isBase64(content) ? toPaddedBase64(n) : `not base64 ${n}`)
  },
}
export const base64: Form = {
  fits: (value) => value.length > 500 && isBase64(value),
  make: (n) => toPaddedBase64(n),
}

const pad = (n: number, length: number) =>
  String(n % 10 ** Math.min(length, 15)).padStart(length, '0')

/** A rule may limit the length, so a long value stays as long. */
export const pad64 = (standIn: string, value: string) =>
  value.length > 64 ? standIn.padEnd(value.length, '.') : standIn

const likeCase = (text: string, value: string) => (/[a-z]/.test(value) ? text.toLowerCase() : text)

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function toBase58(n: number): string {
  return n === 0 ? '' : toBase58(Math.floor(n / 58)) + BASE58[n % 58]
}

const toHex = (n: number, length: number) => `0x${n.toString(16).padStart(length, '0')}`
const toBase64 = (text: string) => Buffer.from(text).toString('base64url')
const toPaddedBase64 = (n: number) => Buffer.from(`stand-in ${n}`).toString('base64')
const isBase64 = (text: string) =>
  text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''))
