import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { messageOf } from './world/domain-error.ts'

const MIB = 1024 * 1024
/** Longer than the largest fixture, and shorter than the longest text. */
const BYTES_MAX = 256 * MIB
const PIECE_BYTES = 64 * 1024

/** A text without the byte order mark that some editors write. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/**
 * The text of a file that a user names, without a byte order mark. A pipe may be one; a device such
 * as `/dev/zero` never ends.
 */
export function readTextFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    const pieces: Buffer[] = []
    let length = 0
    for (;;) {
      const count = readSync(file, piece)
      if (count === 0) return withoutMark(Buffer.concat(pieces).toString())
      length += count
      if (length > BYTES_MAX) throw tooLong()
      pieces.push(Buffer.from(piece.subarray(0, count)))
    }
  } finally {
    closeSync(file)
  }
}

/** Pipes that the shell has opened, as in `<(…)`, have a writer. */
const OPEN_PIPES = /^\/(dev|proc)\//

/** The text of a file, but not of a named pipe, whose reader waits until somebody writes to it. */
export function readOrdinaryFile(path: string): string {
  if (statSync(path).isFIFO() && !OPEN_PIPES.test(path)) {
    throw new Error('it is a named pipe, not a file')
  }
  return readTextFile(path)
}

/** Says of a file, or of another source, that it could not be read as JSON. */
export function describeUnread(source: string, error: unknown): string {
  const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
  return `${source} ${problem}: ${messageOf(error)}.`
}

const tooLong = () =>
  Object.assign(new Error(`it is longer than ${BYTES_MAX / MIB} MiB`), { code: 'EFBIG' })
