import { SandboxError } from './error.ts'

type Json = ReturnType<typeof JSON.parse>

/** Bytes of one response that a client reads. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024
const DEPTH_MAX = 100

/** Thrown for a response that is too long or too deeply nested. */
class UnreadableResponse extends SandboxError {
  constructor(message: string) {
    super(message, { code: 'unreadable' })
  }
}

/** Reads the text of a response, up to a limit. */
export async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of readChunks(response)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** Reads the body of a response in chunks, up to a limit. */
export async function* readChunks({ body }: Response) {
  if (!body) return
  const reader = body.getReader()
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    length += value.length
    if (length > RESPONSE_BYTES_MAX) {
      await reader.cancel()
      throw new UnreadableResponse('the response is longer than 16 MiB')
    }
    yield value
  }
}

/** Rejects JSON so deeply nested that walking it could crash the process. */
export function assertShallow(value: Json, depth = 0): void {
  if (value === null || typeof value !== 'object') return
  if (depth >= DEPTH_MAX) {
    throw new UnreadableResponse(`the response is nested deeper than ${DEPTH_MAX} levels`)
  }
  for (const part of Object.values(value)) assertShallow(part, depth + 1)
}
