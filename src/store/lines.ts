import { crc32 } from 'node:zlib'
import type { Line } from './line.ts'

const CHECKSUM_LENGTH = 8
const SPACE = 32

/** The end of a line, and its checksum, which covers all lines before it. */
export interface Position {
  size: number
  checksum: number
}

/** Lines on their way into the file. */
export class Group {
  #text = ''
  #size: number
  #checksum: number

  constructor({ size, checksum }: Position) {
    this.#size = size
    this.#checksum = checksum
  }

  get length(): number {
    return this.#text.length
  }

  /** End of the lines that were taken. */
  get end(): Position {
    return { size: this.#size, checksum: this.#checksum }
  }

  /** Begins a file with a line that changes later, so that only its own checksum covers it. */
  addHeader(header: string): void {
    this.#text = header
  }

  add(line: Line): void {
    const json = JSON.stringify(line)
    this.#checksum = crc32(json, this.#checksum)
    this.#text += formatLine(json, this.#checksum)
  }

  takeBytes(): Buffer {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#size += bytes.length
    return bytes
  }
}

export const formatLine = (json: string, checksum = crc32(json)) => `${toHex(checksum)} ${json}\n`

/** Reads a line without its newline; undefined if it does not belong after the lines before it. */
export function parseLine(
  bytes: Buffer,
  before: number,
): { line: Line; checksum: number } | undefined {
  const json = bytes.subarray(CHECKSUM_LENGTH + 1)
  const checksum = crc32(json, before)
  const isSound =
    bytes[CHECKSUM_LENGTH] === SPACE &&
    bytes.toString('latin1', 0, CHECKSUM_LENGTH) === toHex(checksum)
  return isSound ? { line: JSON.parse(json.toString()), checksum } : undefined
}

const toHex = (checksum: number) => checksum.toString(16).padStart(CHECKSUM_LENGTH, '0')
