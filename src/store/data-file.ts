import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { DomainError } from '../world/domain-error.ts'
import { createReplay, END, type Line, type Saved } from './replay.ts'

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600
export const FORMAT_VERSION = 2

const HEADER: Line = ['ramp-sandbox', { formatVersion: FORMAT_VERSION }]
const READ_BYTES = 1024 * 1024
const CHECKSUM_LENGTH = 8
const NEWLINE = 10
const SPACE = 32

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('conflict', '--data', message, { code: 'data-file' })

/** The end of a group, and the checksum of its last line. */
export interface Position {
  size: number
  checksum: number
}

/**
 * A file that only grows, by groups of lines `CHECKSUM JSON`. A checksum also covers all lines before,
 * so that none can change, go missing or move unnoticed.
 */
export interface DataFile {
  /** Up to the end of the last group. */
  readonly size: number
  /** Characters that were added since the last flush. */
  readonly waiting: number
  /** Adds a line as it stands now; it is written by the next `flush` or `commit`. */
  add(line: Line): void
  /** Forces what was added to disk. */
  flush(): Promise<void>
  /** The same, and ends the group. */
  commit(): Promise<void>
  /** Takes back the lines of a group that did not end. */
  rollBack(): void
  close(): Promise<void>
}

/** Goes on behind the last group of a file that was read; without one it makes the file. */
export async function openDataFile(path: string, end?: Position): Promise<DataFile> {
  const file = await open(path, end ? 'a' : 'ax', PRIVATE_MODE)
  let committed = end ?? { size: 0, checksum: 0 }
  let { size, checksum } = committed
  let text = ''
  /** Whether more may be behind the last group than belongs to this one. */
  let isTorn = true
  if (end === undefined) add(HEADER)
  return {
    get size() {
      return committed.size
    },
    get waiting() {
      return text.length
    },
    add,
    flush,
    async commit() {
      add(END)
      await flush()
      committed = { size, checksum }
    },
    rollBack() {
      text = ''
      ;({ size, checksum } = committed)
      isTorn = true
    },
    close: () => file.close(),
  }

  function add(line: Line) {
    const json = JSON.stringify(line)
    checksum = crc32(json, checksum)
    text += `${toHex(checksum)} ${json}\n`
  }

  async function flush() {
    const bytes = Buffer.from(text)
    text = ''
    if (isTorn) await file.truncate(committed.size)
    isTorn = false
    await file.appendFile(bytes)
    await file.datasync()
    size += bytes.length
  }
}

const toHex = (checksum: number) => checksum.toString(16).padStart(CHECKSUM_LENGTH, '0')

export interface FileRead {
  saved: Saved
  end: Position
  /** Size of the first group: of all that there was when the file was made. */
  firstSize: number
}

/** Hears how many bytes were read so far. */
type OnRead = (bytes: number) => void

/** Reads a file line by line, and names the place of what is damaged. Changes nothing. */
export async function readDataFile(path: string, onRead: OnRead = () => {}): Promise<FileRead> {
  const read = await readUpTo(path, Number.POSITIVE_INFINITY, onRead)
  // What a last group without an end speaks of was never answered.
  return typeof read === 'number' ? ((await readUpTo(path, read, onRead)) as FileRead) : read
}

/** All that the file holds, or where its last group ends if more is behind it. */
async function readUpTo(path: string, size: number, onRead: OnRead): Promise<FileRead | number> {
  const replay = createReplay()
  let end: Position | undefined
  let firstSize = 0
  let rest: Buffer = Buffer.alloc(0)
  let offset = 0
  let checksum = 0
  let count = 0
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: READ_BYTES })) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      count++
      const [kind] = read(bytes.subarray(from, to))
      offset += to + 1 - from
      from = to + 1
      if (kind !== END[0]) continue
      end = { size: offset, checksum }
      firstSize ||= offset
    }
    rest = bytes.subarray(from)
    onRead(offset + rest.length)
  }
  // A whole line of which only the newline is another is damage, not the end of a group.
  if (end === undefined || parseLine(rest.subarray(0, -1), checksum)) {
    count++
    throw misread()
  }
  const isTorn = offset + rest.length > end.size
  return isTorn ? end.size : { saved: replay.saved(), end, firstSize }

  function read(bytes: Buffer): Line {
    const parsed = parseLine(bytes, checksum)
    if (parsed === undefined) throw misread()
    checksum = parsed.checksum
    try {
      if (count === 1) assertHeader(path, parsed.line)
      else replay.apply(parsed.line)
    } catch (error) {
      throw error instanceof TypeError ? misread() : error
    }
    return parsed.line
  }

  function misread() {
    const place = `in line ${count}, which begins at byte ${offset}`
    return dataFileError(`${path} is damaged ${place}. Nothing was changed in it.`)
  }
}

function parseLine(bytes: Buffer, before: number): { line: Line; checksum: number } | undefined {
  const json = bytes.subarray(CHECKSUM_LENGTH + 1)
  const checksum = crc32(json, before)
  const isSound =
    bytes[CHECKSUM_LENGTH] === SPACE &&
    bytes.toString('latin1', 0, CHECKSUM_LENGTH) === toHex(checksum)
  return isSound ? { line: JSON.parse(json.toString()), checksum } : undefined
}

function assertHeader(path: string, [kind, value]: Line) {
  const { formatVersion } = value as { formatVersion?: unknown }
  if (kind === HEADER[0] && formatVersion === FORMAT_VERSION) return
  throw dataFileError(
    `${path} has the format version ${JSON.stringify(formatVersion)}; ` +
      `this version of ramp-sandbox reads ${FORMAT_VERSION}. Nothing was changed in it.`,
  )
}
