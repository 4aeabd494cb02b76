import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { DomainError } from '../world/domain-error.ts'
import { dataFileError } from './files.ts'
import { FORMAT_VERSION, HEADER_LENGTH, type Header, headerOf, versionOf } from './header.ts'
import { END, type Line } from './line.ts'
import { type Position, parseLine } from './lines.ts'
import { Replay, type Saved } from './replay.ts'

const READ_BYTES = 1024 * 1024
const NEWLINE = 10

/** Damage at the end of a file. */
export interface Cut {
  /** Bytes after the last whole group: half of another. */
  leftOutBytes: number
  /** Bytes that were safe and are gone. */
  missingBytes: number
}

export interface FileRead {
  saved: Saved
  end: Position
  header: Header
  /** Size of the first group, which has everything there was when the file was made. */
  firstSize: number
  cut: Cut
}

/** Reads a file line by line, and names the place of what is damaged. Changes nothing. */
export async function readDataFile(path: string): Promise<FileRead> {
  const { size } = await stat(path)
  const read = await readUpTo(path, size)
  const { size: wholeSize } = read.end
  // The first reading also applied half a group, so the file is read again without it.
  const whole = wholeSize === size ? read : await readUpTo(path, wholeSize)
  const missingBytes = Math.max(0, whole.header.size - wholeSize)
  return { ...whole, cut: { leftOutBytes: size - wholeSize, missingBytes } }
}

async function readUpTo(path: string, size: number) {
  const reading = new Reading(path)
  for await (const bytes of splitLines(path, size)) {
    if (!reading.take(bytes)) break
  }
  return { ...reading.getWhole(), saved: reading.saved, firstSize: reading.firstSize }
}

/** Applies the lines of a file one after the other. */
class Reading {
  readonly #path: string
  readonly #replay = new Replay()
  #count = 0
  #offset = 0
  #checksum = 0
  #end: Position | undefined
  #header: Header | undefined
  firstSize = 0

  constructor(path: string) {
    this.#path = path
  }

  get saved(): Saved {
    return this.#replay.saved()
  }

  /** The first line, and the end of the last whole group; throws where the file has none. */
  getWhole(): { header: Header; end: Position } {
    if (this.#header && this.#end) return { header: this.#header, end: this.#end }
    this.#count++
    throw this.#misread()
  }

  /** Takes a line with its newline; false for half a line behind the last group, where a write was cut. */
  take(bytes: Buffer): boolean {
    this.#count++
    const parsed = parseLine(bytes.subarray(0, -1), this.#checksum)
    const isEnded = bytes.at(-1) === NEWLINE
    if (this.#end && !parsed && !isEnded) return false
    // A wrong newline is damage as well.
    if (!parsed || !isEnded) throw this.#misread()
    this.#apply(parsed.line)
    if (this.#count === 1 && bytes.length !== HEADER_LENGTH) throw this.#misread()
    this.#offset += bytes.length
    // The first line changes later, so the checksums of the others do not cover it.
    this.#checksum = this.#count === 1 ? 0 : parsed.checksum
    if (parsed.line[0] === END[0]) this.#endGroup()
    return true
  }

  #endGroup(): void {
    this.#end = { size: this.#offset, checksum: this.#checksum }
    this.firstSize ||= this.#offset
  }

  #apply(line: Line): void {
    try {
      if (this.#count > 1) this.#replay.apply(line)
      else this.#header = toHeader(this.#path, line)
    } catch (error) {
      throw error instanceof TypeError ? this.#misread() : error
    }
  }

  #misread(): DomainError {
    const place = `in line ${this.#count}, which begins at byte ${this.#offset}`
    return dataFileError(`${this.#path} is damaged ${place}. Nothing was changed in it.`)
  }
}

/** Each line with its newline, which the last one may lack. */
async function* splitLines(path: string, size: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  if (size === 0) return
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: READ_BYTES })) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      yield bytes.subarray(from, to + 1)
      from = to + 1
    }
    rest = bytes.subarray(from)
  }
  if (rest.length > 0) yield rest
}

/** Rejects a file of a format that this version does not read. */
function toHeader(path: string, line: Line): Header {
  const version = versionOf(line)
  if (version === FORMAT_VERSION) return headerOf(line)
  throw dataFileError(
    `${path} has the format version ${JSON.stringify(version)}; ` +
      `this version of ramp-sandbox reads ${FORMAT_VERSION}. Nothing was changed in it.`,
  )
}
