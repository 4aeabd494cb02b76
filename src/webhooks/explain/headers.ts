import type { HeaderSource } from '../sign.ts'
import type { SignatureProblem } from './problem.ts'

/** The two headers of a webhook, as they came. */
export interface SignatureHeaders {
  timestamp: string | undefined
  signature: string | undefined
  problems: SignatureProblem[]
}

/** Finds the two headers, also under a prefix that is not the one of this world. */
export function readHeaders(headers: HeaderSource, prefix: string): SignatureHeaders {
  const all = toLowerCase(headers)
  const problems: SignatureProblem[] = []
  const find = (end: 'timestamp' | 'signature') => {
    const name = `${prefix}-${end === 'timestamp' ? 'Timestamp' : 'Signature'}`
    const exact = all.get(name.toLowerCase())
    if (exact !== undefined) return exact
    const [other, value] = [...all].find(([key]) => key.endsWith(`-${end}`)) ?? []
    problems.push(
      other === undefined
        ? {
            code: `${end}-missing`,
            message: `The header ${name} is missing.`,
            hint: 'Pass all headers as they came; a proxy or a framework may have dropped it.',
          }
        : {
            code: 'header-prefix',
            message: `The header is ${other}, not ${name}.`,
            hint: 'The setting names.headerPrefix says what both headers start with.',
          },
    )
    return value
  }
  return { timestamp: find('timestamp'), signature: find('signature'), problems }
}

function toLowerCase(headers: HeaderSource): Map<string, string> {
  const entries: [string, string][] = []
  if (headers instanceof Headers) headers.forEach((value, name) => void entries.push([name, value]))
  else {
    for (const [name, value] of Object.entries(headers)) {
      const first: unknown = Array.isArray(value) ? value[0] : value
      if (typeof first === 'string') entries.push([name.toLowerCase(), first])
    }
  }
  return new Map(entries)
}

const MILLISECONDS_MIN = 1e11

export interface ReadTimestamp {
  /** As it must be signed: seconds, as text. */
  seconds: string | undefined
  problem: SignatureProblem | undefined
}

/** The seconds that a timestamp means, whatever form it has. */
export function readTimestamp(text: string | undefined): ReadTimestamp {
  if (text === undefined) return { seconds: undefined, problem: undefined }
  if (!/^\d{1,15}$/.test(text)) {
    const problem = {
      code: 'timestamp-format',
      message: 'The timestamp is not a whole number of seconds.',
      hint: 'It is Unix time in seconds, such as 1751328000.',
    }
    return { seconds: undefined, problem }
  }
  if (Number(text) < MILLISECONDS_MIN) return { seconds: text, problem: undefined }
  const seconds = String(Math.floor(Number(text) / 1000))
  const problem = {
    code: 'timestamp-milliseconds',
    message: 'The timestamp is in milliseconds.',
    hint: `It is Unix time in seconds: ${seconds}.`,
  }
  return { seconds, problem }
}

export interface ReadSignature {
  /** The digest, as lower-case hex. */
  digest: string | undefined
  problems: SignatureProblem[]
}

/** The digest that a signature means, whatever form it has. */
export function readSignature(text: string | undefined): ReadSignature {
  if (text === undefined) return { digest: undefined, problems: [] }
  const [, scheme, rest = ''] = /^(?:(\w+)=)?(.*)$/s.exec(text) ?? []
  const problems: SignatureProblem[] = []
  if (scheme !== 'v1') {
    problems.push({
      code: 'signature-prefix',
      message: 'The signature does not start with v1=.',
      hint: 'The header holds v1= and then the digest; compare the header as a whole.',
    })
  }
  const digest = toHex(scheme !== 'v1' && scheme !== undefined && rest === '' ? text : rest)
  if (digest === undefined) problems.push(malformed(rest))
  else if (digest !== rest) problems.push(/^[0-9a-f]+$/i.test(rest) ? UPPER_CASE : BASE64)
  return { digest, problems }
}

function toHex(text: string): string | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  return Buffer.from(text, 'base64').toString('hex')
}

const UPPER_CASE: SignatureProblem = {
  code: 'signature-case',
  message: 'The digest is written in upper-case hex.',
  hint: 'Write it in lower case: the signature is compared byte by byte.',
}
const BASE64: SignatureProblem = {
  code: 'signature-encoding',
  message: 'The digest is written in base64.',
  hint: 'Write it in lower-case hex: digest("hex"), hexdigest().',
}

const malformed = ({ length }: string): SignatureProblem => ({
  code: 'signature-format',
  message: `The digest has ${length} characters, and is not 64 hexadecimal digits.`,
  hint: 'It is an HMAC-SHA256, which has 64 hexadecimal digits.',
})
