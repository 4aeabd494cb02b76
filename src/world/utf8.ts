import { DomainError } from './domain-error.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a body. JSON is UTF-8; of anything else letters would be lost without a word. */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DomainError('invalid', 'The body is not UTF-8, as JSON must be.', { field: 'body' })
  }
}
