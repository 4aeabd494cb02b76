import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

const PIECE = Buffer.alloc(1024 * 1024, 'x')
/** More than any reader may take; it ends, so that a reader without a bound fails its test at once. */
const PIECES_MAX = 64

/** Responds with a body that goes on until its reader leaves. */
export function respondEndlessly(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  Readable.from(Array(PIECES_MAX).fill(PIECE)).pipe(response)
}
