import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const CERT_FILE = join(import.meta.dirname, 'localhost.pem')
export const KEY_FILE = join(import.meta.dirname, 'localhost.key')

/** A certificate of `localhost` and loopback that nobody trusts, valid until 2126. */
export const certificate = {
  cert: readFileSync(CERT_FILE, 'utf8'),
  key: readFileSync(KEY_FILE, 'utf8'),
}
