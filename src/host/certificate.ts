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

const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)
const COMMON_NAME = oid(0x55, 0x04, 0x03)
const KEY_USAGE = oid(0x55, 0x1d, 0x0f)
const SUBJECT_ALT_NAME = oid(0x55, 0x1d, 0x11)
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13)
const EXTENDED_KEY_USAGE = oid(0x55, 0x1d, 0x25)
const SERVER_AUTH = oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01)

/** A self-signed certificate of a server (RFC 5280) that responds to these names and addresses. */
export function createCertificate(hosts: readonly string[], now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const unsigned = toUnsigned(publicKey, hosts, now)
  const signature = sign('sha256', unsigned, privateKey)
  const signed = sequence(unsigned, sequence(ECDSA_WITH_SHA256), bitString(signature))
  return {
    cert: toPem(signed),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function toUnsigned(publicKey: KeyObject, hosts: readonly string[], now: number): Buffer {
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, 'ramp-sandbox'))))
  // A client whose clock is a little behind must not reject it as not yet valid.
  const validity = sequence(time(now - DAY_MS), time(now + VALID_MS))
  return sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    // The leading digit keeps the number positive.
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    sequence(ECDSA_WITH_SHA256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(), true),
        extension(KEY_USAGE, tagged(0x03, Buffer.of(7, 0x80)), true),
        extension(EXTENDED_KEY_USAGE, sequence(SERVER_AUTH)),
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
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const missing = Array<string>(8 - first.length - last.length).fill('0')
  const groups = [...first, ...missing, ...last].map((group) => group.padStart(4, '0'))
  return Buffer.from(groups.join(''), 'hex')
}

function extension(id: Buffer, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.of(0xff))] : []
  return sequence(id, ...critical, tagged(0x04, value))
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts))
const bitString = (bytes: Buffer) => tagged(0x03, Buffer.concat([Buffer.of(0), bytes]))

/** `YYMMDDhhmmssZ`. */
function time(at: number): Buffer {
  return tagged(0x17, new Date(at).toISOString().replace(/^20|[-T:]|\.\d+/g, ''))
}

/** An object identifier in the bytes of its DER form. */
function oid(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
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
