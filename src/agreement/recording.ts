import * as z from 'zod'

const Message = () =>
  z.object({
    headers: z.record(z.string(), z.string()),
    /** The JSON of the body; null for none. */
    body: z.any(),
    /** A body that is no JSON, instead. */
    text: z.string().optional(),
  })
export type RecordedMessage = z.infer<ReturnType<typeof Message>>

/** One call and its response, masked. */
const Call = () =>
  z.object({
    kind: z.literal('call'),
    /** In the order in which they began. */
    n: z.int(),
    /** When it began: world time where a sandbox responded, else the wall clock. */
    at: z.iso.datetime({ offset: true }),
    ms: z.number(),
    /** Id of the operation of the contract; null for a path that it does not have. */
    operation: z.string().regex(/^\w+$/).nullable(),
    method: z.string().regex(/^[A-Z][A-Z-]*$/),
    /** Path and query, below the base URL. */
    target: z.string().startsWith('/'),
    request: Message(),
    /** Null where none came, for the reason in `failure`. */
    response: Message().extend({ status: z.int() }).nullable(),
    failure: z.string().optional(),
  })
export type RecordedCall = z.infer<ReturnType<typeof Call>>

/** One webhook that came, masked, and the receiver’s response. */
const Webhook = () =>
  z.object({
    kind: z.literal('webhook'),
    n: z.int(),
    at: z.iso.datetime({ offset: true }),
    request: Message(),
    response: z.object({ status: z.int() }).nullable(),
  })
export type RecordedWebhook = z.infer<ReturnType<typeof Webhook>>

export type RecordingEntry = RecordedCall | RecordedWebhook

const Head = () => z.object({ kind: z.literal('recording'), version: z.literal(1) })
type RecordingHead = z.infer<ReturnType<typeof Head>>

export const HEAD: RecordingHead = { kind: 'recording', version: 1 }
const ENTRIES_MAX = 100_000

export const formatLine = (line: RecordingHead | RecordingEntry): string =>
  `${JSON.stringify(line)}\n`

/** A file that is not a recording, with the line where that shows. */
export class BrokenRecording extends Error {}

/** The entries of a recording, in the order in which they began. */
export function readRecording(text: string): RecordingEntry[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [head = '', ...rest] = lines
  const message = 'Line 1 is not the head of a recording; make one with ramp-sandbox record.'
  parse(Head(), head, message)
  if (rest.length > ENTRIES_MAX) {
    throw new BrokenRecording(`It has ${rest.length} lines; at most ${ENTRIES_MAX} are read.`)
  }
  const Entry = z.discriminatedUnion('kind', [Call(), Webhook()])
  const entries = rest.map((line, i) =>
    parse(Entry, line, `Line ${i + 2} is neither a call nor a webhook.`),
  )
  return entries.sort((a, b) => a.n - b.n)
}

function parse<Value>(schema: z.ZodType<Value>, line: string, message: string): Value {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    throw new BrokenRecording(message)
  }
}
