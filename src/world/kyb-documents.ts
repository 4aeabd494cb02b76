import type { Problem } from './domain-error.ts'
import { TEXT_LENGTH_MAX } from './profile.ts'
import { shorten } from './shorten.ts'

/** What is stored of a document: enough to recognise it, so that the state stays small. */
export interface KybDocument {
  name: string | null
  type: string | null
  /** In bytes. */
  size: number
  sha256: string
}

/** Hashes decoded base64. It is passed in, because world/ has no hash of its own. */
export type Digest = (base64: string) => string

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)(;[\w.-]+=[^;,]*)*;base64,/i
const DATA_URI_HELP = 'a data URI in base64 such as data:application/pdf;base64,JVBERi0…'
/** Longer than any head of a data URI. */
const DATA_URI_HEAD_MAX = 300

interface Content {
  type: string
  base64: string
}

/** What is wrong with a document. It names its media type twice: beside its URI and in it. */
export function findDocumentProblems(path: string, type: string, url: string): Problem[] {
  const content = parseDataUri(url)
  if (content && normalizeType(type) !== normalizeType(content.type)) {
    const message = `${path}.type is ${type}, but its data URI says ${content.type}.`
    return [{ field: `${path}.type`, message }]
  }
  return findUriProblems(`${path}.url`, url)
}

const normalizeType = (type: string) => type.toLowerCase().replace('image/jpg', 'image/jpeg')

/** A certificate is a data URI, bare base64, or a short text such as a reference. */
export function findCertificateProblems(field: string, text: string): Problem[] {
  if (/^data:/i.test(text)) return findUriProblems(field, text)
  if (text.trim() === '') return [{ field, message: `${field} must not be empty.` }]
  if (text.length <= TEXT_LENGTH_MAX || isBase64(text)) return []
  const message = `${field} must be ${DATA_URI_HELP}, base64, or at most ${TEXT_LENGTH_MAX} characters.`
  return [{ field, message }]
}

/** The form only: any content will do for a document. */
function findUriProblems(field: string, text: string): Problem[] {
  const content = parseDataUri(text)
  if (!content) return [{ field, message: `${field} must be ${DATA_URI_HELP}.` }]
  const { base64 } = content
  if (base64 === '') return [{ field, message: `${field} holds an empty document.` }]
  if (isBase64(base64)) return []
  return [{ field, message: `${field} holds text that is not base64, with its padding.` }]
}

export function keepDocument(
  { name, url }: { name: string; url: string },
  digest: Digest,
): KybDocument {
  const { type, base64 } = parseDataUri(url) ?? { type: null, base64: '' }
  return { name, type, size: sizeOf(base64), sha256: digest(base64) }
}

/** Short texts are kept as they are. */
export function keepCertificate(text: string, digest: Digest): KybDocument | string {
  const content = parseDataUri(text)
  if (content === undefined && text.length <= TEXT_LENGTH_MAX) return text
  const { type, base64 } = content ?? { type: null, base64: text }
  return { name: null, type, size: sizeOf(base64), sha256: digest(base64) }
}

function parseDataUri(text: string): Content | undefined {
  // A copy: the type is kept, and a part of the text would keep all of it in memory.
  const [head, type] = DATA_URI.exec(shorten(text, DATA_URI_HEAD_MAX, '')) ?? []
  if (head === undefined || type === undefined) return undefined
  return { type, base64: text.slice(head.length) }
}

/** Looks for a wrong character: a pattern for all of it would backtrack over megabytes. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(withoutPadding(text))
}

const withoutPadding = (base64: string) =>
  base64.slice(0, base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0))

const sizeOf = (base64: string) => Math.floor((withoutPadding(base64).length * 3) / 4)
