/**
 * An id that nobody can guess. A page that a phone opens over http has no `crypto.randomUUID`, which
 * browsers keep for https and localhost.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
