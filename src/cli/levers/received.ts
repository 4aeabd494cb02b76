import { text as textOf } from 'node:stream/consumers'
import { readTextFile } from '../../text-file.ts'
import { invalid, orInvalid } from '../option-values.ts'

/** A webhook as a receiver wrote it down. */
interface Received {
  headers: Record<string, string>
  body: string
}

/**
 * Reads a request as it came over the wire (a request line or none, headers, an empty line, the body), or
 * as JSON with `headers` and `body`; from stdin for `-`.
 */
export async function readReceived(path: string): Promise<Received> {
  const text =
    path === '-'
      ? await textOf(process.stdin)
      : orInvalid('FILE', `${path} cannot be read`, () => readTextFile(path))
  const received = text.trimStart().startsWith('{') ? readJson(text) : readWire(text)
  if (received !== undefined) return received
  throw invalid(
    'FILE',
    `${path} is not a webhook as it was received.`,
    'Headers, an empty line and the body, as they came; or JSON such as {"headers": {…}, "body": "…"}.',
  )
}

function readJson(text: string): Received | undefined {
  try {
    const { headers, body } = JSON.parse(text)
    const isWhole = typeof headers === 'object' && headers !== null && typeof body === 'string'
    return isWhole ? { headers, body } : undefined
  } catch {
    return undefined
  }
}

function readWire(text: string): Received | undefined {
  const [, head, rest] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(text) ?? []
  if (head === undefined || rest === undefined) return undefined
  const lines = head.split(/\r?\n/).filter((line) => !/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line))
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([^\s:]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    headers[name.toLowerCase()] = value
  }
  return { headers, body: cut(rest, headers['content-length']) }
}

/** Editors append a line break that was not part of the body. */
function cut(body: string, length: string | undefined): string {
  const bytes = Buffer.from(body)
  const end = length === undefined ? Number.NaN : Number(length)
  return end < bytes.length ? bytes.subarray(0, end).toString() : body
}
