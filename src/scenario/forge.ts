import { createHmac } from 'node:crypto'
import { type Json, parseJson } from '../client/http.ts'
import type { Forgery, Rewording } from './disturbance.ts'

/** A webhook as it goes to a receiver. */
export interface Copy {
  headers: Record<string, string>
  body: Buffer
}

/** A copy that a receiver must not accept, and what is wrong with it. */
interface ForgedCopy {
  flaw: string
  copy: Copy
}

const STALE_SECONDS = 301
/** So far ahead that a delay on the way does not make it right. */
const AHEAD_SECONDS = 3_600

/** Makes copies that a receiver must not accept. */
export function forge(copy: Copy, how: Forgery, secret: string): ForgedCopy[] {
  const { headers, body } = copy
  if (how === 'body') {
    const changed = { headers, body: changeBody(body.toString()) }
    return [{ flaw: 'with a changed body', copy: changed }]
  }
  if (how === 'timestamp') {
    return [
      { flaw: 'with an old timestamp', copy: sign(copy, secret, -STALE_SECONDS) },
      { flaw: 'with a timestamp an hour ahead', copy: sign(copy, secret, AHEAD_SECONDS) },
    ]
  }
  const name = headerOf(headers, '-signature')
  const { [name]: signature = '', ...others } = headers
  const wrong = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  return [
    { flaw: 'with a bad signature', copy: { headers: { ...others, [name]: wrong }, body } },
    { flaw: 'with an empty signature', copy: { headers: { ...others, [name]: 'v1=' }, body } },
    { flaw: 'without a signature', copy: { headers: others, body } },
  ]
}

/** Serialises the same event differently, as another version of the provider might. */
export function reword(copy: Copy, how: Rewording, secret: string): Copy {
  const json: Json = parseJson(copy.body.toString())
  const text =
    how === 'written differently'
      ? writeDifferently(json)
      : JSON.stringify({ ...json, payload: { ...json.payload, note: 'new' }, sequence: 1 })
  return sign({ ...copy, body: Buffer.from(text) }, secret)
}

/** Sends the id of the event as `eventId`, as the contract's other sample does. */
export function rename(copy: Copy, secret: string): Copy {
  const { id, ...rest }: Json = parseJson(copy.body.toString())
  return sign({ ...copy, body: Buffer.from(JSON.stringify({ eventId: id, ...rest })) }, secret)
}

/** Makes a genuine event of a type or a status that a receiver does not know. */
export function makeUnknown(copy: Copy, what: 'type' | 'status', secret: string): Copy {
  const json: Json = parseJson(copy.body.toString())
  const id = `${json.id ?? json.eventId}-unknown-${what}`
  const changed =
    what === 'type'
      ? { ...json, id, type: 'account.note', payload: { note: 'new' } }
      : { ...json, id, payload: { ...json.payload, status: 'under review by partner' } }
  return sign({ ...copy, body: Buffer.from(JSON.stringify(changed)) }, secret)
}

function sign({ headers, body }: Copy, secret: string, aheadSeconds = 0): Copy {
  const timestamp = headerOf(headers, '-timestamp')
  const at = String(Number(headers[timestamp]) + aheadSeconds)
  const digest = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
  const signature = headerOf(headers, '-signature')
  return { headers: { ...headers, [timestamp]: at, [signature]: `v1=${digest}` }, body }
}

const headerOf = (headers: Copy['headers'], end: string) =>
  Object.keys(headers).find((name) => name.endsWith(end)) ?? ''

/** Writes spaces, `1.0` for `1` and `\u00e9` for é; the @ of an address stands for other letters. */
function writeDifferently(json: Json): string {
  const spaced = JSON.stringify(json, null, 1)
  return spaced
    .replace(/(": -?\d+)(,?)$/gm, '$1.0$2')
    .replace(
      /[@\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}

/** Changes the status, and makes the amount ten times as much. */
function changeBody(text: string): Buffer {
  const json = parseJson(text)
  const { status, leftSideValue } = json.payload ?? json
  const other = status === 'complete' || status === 'verified' ? 'expired' : 'complete'
  const changed = text
    .replace(`"status":"${status}"`, `"status":"${other}"`)
    .replace(`"leftSideValue":${leftSideValue}`, `"leftSideValue":${leftSideValue * 10}`)
  return Buffer.from(changed)
}
