import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Certificate } from '../host/server.ts'
import { readTextFile } from '../text-file.ts'
import type { OptionSpecs, Values } from './command.ts'
import { invalid, orInvalid } from './option-values.ts'

export const TLS_OPTIONS = {
  'tls-cert': { value: 'FILE', help: 'https with this certificate (PEM), and its chain' },
  'tls-key': { value: 'FILE', help: 'its private key (PEM)' },
} as const satisfies OptionSpecs

/** Reads the certificate for https; undefined for plain http. */
export function readCertificate(values: Values<typeof TLS_OPTIONS>): Certificate | undefined {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw invalid('--tls-cert', 'Give --tls-cert and --tls-key together.')
  }
  return orInvalid('--tls-cert', '--tls-cert and --tls-key cannot be used', () => {
    const given = { cert: readTextFile(certFile), key: readTextFile(keyFile) }
    assertPair(given, { cert: certFile, key: keyFile })
    process.getBuiltinModule('node:tls').createSecureContext(given)
    return given
  })
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
