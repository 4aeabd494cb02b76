import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, createCertificate } from '../host/certificate.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { readTextFile } from '../text-file.ts'
import type { OptionSpecs, Values } from './command.ts'
import { invalid, orInvalid } from './option-values.ts'

export const TLS_OPTIONS = {
  tls: { help: 'https, with a certificate that is made at the first start' },
  'tls-cert': { value: 'FILE', help: 'https with this certificate (PEM), and its chain' },
  'tls-key': { value: 'FILE', help: 'its private key (PEM)' },
} as const satisfies OptionSpecs

/** Certificate and key of https, and where clients find what to trust. */
export interface Tls extends Certificate {
  certFile: string
  /** SHA-256, as `openssl x509 -fingerprint -sha256` shows it. */
  fingerprint: string
  /** True if clients do not trust it by default. */
  isSelfSigned: boolean
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const PRIVATE_MODE = 0o600
const DAY_MS = 24 * 60 * 60 * 1000

interface TlsPlace {
  /** Names besides those of loopback. */
  hosts: readonly string[]
  /** The data file: a certificate that is made stays beside it. */
  data: string | undefined
}

/** Undefined for plain http. */
export function openTls(values: Values<typeof TLS_OPTIONS>, place: TlsPlace): Tls | undefined {
  const { tls, 'tls-cert': certFile, 'tls-key': keyFile } = values
  if (certFile === undefined && keyFile === undefined) return tls ? takeOwn(place) : undefined
  if (certFile === undefined || keyFile === undefined) {
    throw invalid('--tls-cert', 'Give --tls-cert and --tls-key together.')
  }
  return orInvalid('--tls-cert', '--tls-cert and --tls-key cannot be used', () => {
    const given = { cert: readTextFile(certFile), key: readTextFile(keyFile) }
    assertPair(given, { cert: certFile, key: keyFile })
    process.getBuiltinModule('node:tls').createSecureContext(given)
    return toTls(given, certFile)
  })
}

/** Reuses the stored certificate while it is valid for all hosts; otherwise makes a new one. */
function takeOwn({ hosts, data }: TlsPlace): Tls {
  const names = [...LOOPBACK, ...hosts]
  const base = data ?? join(createTemporaryFolder(), 'tls')
  const files = { cert: `${base}.cert.pem`, key: `${base}.key.pem` }
  const kept = data === undefined ? undefined : orUndefined(() => readKept(files, names))
  if (kept) {
    orInvalid('--tls', `The certificate beside ${data} cannot be used`, () => {
      assertPair(kept, files)
      chmodSync(files.key, PRIVATE_MODE)
    })
    return toTls(kept, files.cert)
  }
  const made = createCertificate(names, Date.now())
  writeFileSync(files.cert, made.cert)
  // Without a data file the certificate ends with the process, and so does the key.
  if (data !== undefined) writePrivate(files.key, made.key)
  return toTls(made, files.cert)
}

/** Writes a file that only its owner can read, whatever the permissions of the old file. */
function writePrivate(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text, { mode: PRIVATE_MODE, flag: 'wx' })
}

function assertPair({ cert, key }: Certificate, files: Certificate): void {
  if (new X509Certificate(cert).checkPrivateKey(toPrivateKey(key, files.key))) return
  throw new Error(`${files.key} is not the key of ${files.cert}`)
}

function toPrivateKey(key: string, file: string): KeyObject {
  try {
    return createPrivateKey(key)
  } catch {
    throw new Error(`${file} holds no private key that can be read`)
  }
}

function readKept(files: Certificate, names: readonly string[]): Certificate | undefined {
  const cert = readTextFile(files.cert)
  const parsed = new X509Certificate(cert)
  const lasts = Date.parse(parsed.validTo) > Date.now() + DAY_MS
  const hasAll = names.every((name) => parsed.checkHost(name) ?? parsed.checkIP(name))
  return lasts && hasAll ? { cert, key: readTextFile(files.key) } : undefined
}

function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A file for NODE_EXTRA_CA_CERTS: the certificate, beside what the variable names already. */
export function toTrusted({ certFile, cert }: Tls, known: string | undefined): string {
  if (known === undefined) return certFile
  const file = join(createTemporaryFolder(), 'trusted.pem')
  // Node itself warns where that cannot be read.
  writeFileSync(file, `${orUndefined(() => readTextFile(known)) ?? ''}\n${cert}`)
  return file
}

function toTls(certificate: Certificate, certFile: string): Tls {
  const parsed = new X509Certificate(certificate.cert)
  const isSelfSigned = parsed.issuer === parsed.subject
  return { ...certificate, certFile, fingerprint: parsed.fingerprint256, isSelfSigned }
}
