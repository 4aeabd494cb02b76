import { parse } from './difference.ts'

/** The order in which the service writes the fields of an envelope and of each payload. */
const ENVELOPE = ['id', 'eventId', 'apiVersion', 'occurredAt', 'type', 'payload']
const USER = ['userId', 'email', 'status']
const AMOUNTS = [
  'wallet',
  'paymentId',
  'leftSideLabel',
  'leftSideValue',
  'rightSideLabel',
  'rightSideValue',
  'etransferSecurityAnswer',
  'externalSessionId',
]
const TRANSACTION = ['transactionId', 'status', 'email', ...AMOUNTS]
const LEGACY = ['email', 'txId', 'status', ...AMOUNTS]

/** Other ways to write a body, some of which may be what was signed. */
export function spellingsOf(body: string): string[] {
  const spelt = new Set([
    body.trimEnd(),
    `${body}\n`,
    `${body}\r\n`,
    body.replace(/^\uFEFF/, ''),
    ...misread(body),
    ...rewritten(parse(body)),
  ])
  spelt.delete(body)
  return [...spelt]
}

/** UTF-8 that was read as Latin-1. */
function misread(body: string): string[] {
  const isLatin = /[\x80-\xff]/.test(body) && !/[^\0-\xff]/.test(body)
  return isLatin ? [Buffer.from(body, 'latin1').toString()] : []
}

function rewritten(json: unknown): string[] {
  if (json === null || typeof json !== 'object') return []
  return [json, sorted(json, orderOf), sorted(json, () => [])].flatMap((value) => {
    const compact = JSON.stringify(value)
    const forms = [compact, spaced(value), JSON.stringify(value, null, 2)]
    return [...forms, ...forms.map(toAscii), compact.replaceAll('/', '\\/')]
  })
}

/** The same values, fields in a given order and those that it does not name by the alphabet. */
function sorted(value: unknown, order: (value: object) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, order))
  if (value === null || typeof value !== 'object') return value
  const names = order(value)
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length)
  const entries = Object.entries(value).sort(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : Number(a > b)),
  )
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item, order)]))
}

function orderOf(value: object): readonly string[] {
  if ('payload' in value) return ENVELOPE
  if ('transactionId' in value) return TRANSACTION
  return 'userId' in value ? USER : LEGACY
}

/** As Python writes it: a space behind each comma and colon. */
function spaced(value: unknown): string {
  const lines = JSON.stringify(value, null, 1).replace(/,\n\s*/g, ', ')
  return lines.replace(/([[{])\n\s*/g, '$1').replace(/\n\s*([\]}])/g, '$1')
}

const toAscii = (text: string) =>
  text.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
