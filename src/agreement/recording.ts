import type { Json } from '../client/http.ts'

export interface RecordingHead {
  kind: 'recording'
  version: 1
}

export interface RecordedMessage {
  headers: Record<string, string>
  /** The JSON of the body; null for none. */
  body: Json
  /** A body that is no JSON, instead. */
  text?: string
}

/** One call and its answer, masked. */
export interface RecordedCall {
  kind: 'call'
  /** In the order in which they began. */
  n: number
  /** When it began: world time where a sandbox answered, else the wall clock. */
  at: string
  ms: number
  /** Id of the operation of the contract; null for a path that it does not have. */
  operation: string | null
  method: string
  /** Path and query, below the base URL. */
  target: string
  request: RecordedMessage
  /** Null where none came, for the reason in `failure`. */
  response: (RecordedMessage & { status: number }) | null
  failure?: string
}

/** One webhook that came, masked, and how the receiver answered. */
export interface RecordedWebhook {
  kind: 'webhook'
  n: number
  at: string
  request: RecordedMessage
  response: { status: number } | null
}

export type RecordingEntry = RecordedCall | RecordedWebhook

export const HEAD: RecordingHead = { kind: 'recording', version: 1 }
const ENTRIES_MAX = 100_000

export const formatLine = (line: RecordingHead | RecordingEntry): string =>
  `${JSON.stringify(line)}\n`

/** A file that is not a recording, with the line where that shows. */
export class BrokenRecording extends Error {}

/** The entries of a recording, in the order in which they began. */
export function readRecording(text: string): RecordingEntry[] {
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }))
  const [head, ...rest] = lines.filter(({ line }) => line !== '')
  if (head === undefined) throw new BrokenRecording('It is empty.')
  const { kind, version } = parseLine(head)
  if (kind !== HEAD.kind || version !== HEAD.version) {
    const message = 'Line 1 is not the head of a recording of this version.'
    throw new BrokenRecording(`${message} Make one with ramp-sandbox record.`)
  }
  if (rest.length > ENTRIES_MAX) {
    throw new BrokenRecording(`It has ${rest.length} lines; at most ${ENTRIES_MAX} are read.`)
  }
  return rest.map(readEntry).sort((a, b) => a.n - b.n)
}

interface Line {
  line: string
  number: number
}

function readEntry(given: Line): RecordingEntry {
  const entry = parseLine(given)
  const isEntry = entry.kind === 'webhook' || (entry.kind === 'call' && isCall(entry))
  const isPlaced = Number.isSafeInteger(entry.n) && Number.isFinite(Date.parse(entry.at))
  if (isEntry && isPlaced && isMessage(entry.request)) return entry
  throw new BrokenRecording(`Line ${given.number} is neither a call nor a webhook.`)
}

function isCall({ method, target, operation, response }: Json): boolean {
  const isNamed = operation === null || /^\w+$/.test(operation)
  const isSent = /^[A-Z][A-Z-]*$/.test(method) && /^\//.test(target)
  const isAnswered = isMessage(response) && Number.isInteger(response.status)
  return isNamed && isSent && (response === null || isAnswered)
}

const isMessage = (message: Json): boolean =>
  typeof message?.headers === 'object' && message.headers !== null && 'body' in message

function parseLine({ line, number }: Line): Json {
  try {
    const parsed: Json = JSON.parse(line)
    if (parsed !== null && typeof parsed === 'object') return parsed
  } catch {
    // Said below.
  }
  throw new BrokenRecording(`Line ${number} is not a JSON object.`)
}
