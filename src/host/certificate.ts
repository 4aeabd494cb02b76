import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate with its private key, both as PEM. */
export interface Certificate {
  cert: string
  key: string
}

const DAY_MS = 24 * 60 * 60 * 1000
/** The longest that all operating systems accept. */
const VALID_MS = 397 * DAY_MS

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** A self-signed certificate of a server (RFC 5280) that answers to these names and addresses. */
export function createCertificate(hosts: readonly string[], now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const unsigned = toUnsigned(publicKey, hosts, now)
  const signature = sign('sha256', unsigned, privateKey)
  const signed = sequence(unsigned, sequence(oid(ECDSA_WITH_SHA256)), bitString(signature))
  return {
    cert: toPem(signed),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function toUnsigned(publicKey: KeyObject, hosts: readonly string[], now: number): Buffer {
  const name = sequence(set(sequence(oid(COMMON_NAME), tagged(0x0c, 'ramp-sandbox'))))
  // A clock that is a little behind must not find it too new.
  const validity = sequence(time(now - DAY_MS), time(now + VALID_MS))
  return sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    sequence(oid(ECDSA_WITH_SHA256)),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(), true),
        extension(KEY_USAGE, tagged(0x03, Buffer.of(7, 0x80)), true),
        extension(EXTENDED_KEY_USAGE, sequence(oid(SERVER_AUTH))),
        extension(SUBJECT_ALT_NAME, sequence(...hosts.map(toAlternativeName))),
      ),
    ),
  )
}

function toAlternativeName(host: string): Buffer {
  return isIP(host) === 0 ? tagged(0x82, host) : tagged(0x87, toAddressBytes(host))
}

function toAddressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const missing = 8 - (first?.length ?? 0) - (last?.length ?? 0)
  const groups = [...(first ?? []), ...Array<string>(missing).fill('0'), ...(last ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.of(0xff))] : []
  return sequence(oid(id), ...critical, tagged(0x04, value))
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts))
const set = (part: Buffer) => tagged(0x31, part)
const bitString = (bytes: Buffer) => tagged(0x03, Buffer.concat([Buffer.of(0), bytes]))

/** A whole number from its bytes; a leading zero keeps it from being negative. */
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]))
}

function time(at: number): Buffer {
  return tagged(
    0x17,
    `${new Date(at)
      .toISOString()
      .replace(/[-T:]|\.\d+/g, '')
      .slice(2)}`,
  )
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(toBase128)]))
}

/** Seven bits a byte, all but the last one marked. */
function toBase128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

/** A value with its tag and length, as DER writes them. */
function tagged(tag: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string)
  const { length } = bytes
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), bytes])
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 | digits.length), digits, bytes])
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
