import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { Certificate } from './server.ts'
import type { StartOptions } from './start-options.ts'

/** Reads the certificate for https; undefined for plain http. */
export function readCertificate({ tlsCert, tlsKey }: StartOptions): Certificate | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw invalid('Give --tls-cert and --tls-key together.')
  }
  try {
    const given = { cert: readTextFile(tlsCert), key: readTextFile(tlsKey) }
    assertPair(given, { cert: tlsCert, key: tlsKey })
    process.getBuiltinModule('node:tls').createSecureContext(given)
    return given
  } catch (error) {
    throw invalid(`--tls-cert and --tls-key cannot be used: ${messageOf(error)}.`)
  }
}

const invalid = (message: string) => new DomainError('invalid', message, { field: '--tls-cert' })

function assertPair({ cert, key }: Certificate, files: Certificate): void {
  if (new X509Certificate(cert).checkPrivateKey(toPrivateKey(key, files.key))) return
  throw new Error(`${files.key} is not the key of ${files.cert}`)
}

function toPrivateKey(key: string, file: string): KeyObject {
  try {
    return createPrivateKey(key)
  } catch {
    throw new Error(`${file} has no readable private key`)
  }
}
