import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { DomainError } from '../world/domain-error.ts'
import { createReplay, END, type Line, type Saved } from './replay.ts'
import { createTurns } from './turns.ts'

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600
const FORMAT_VERSION = 2

const HEADER: Line = ['ramp-sandbox', { formatVersion: FORMAT_VERSION }]
/** Characters that are written at once: a sync of much more would keep other files waiting. */
const PIECE_LENGTH = 4_000_000
const READ_BYTES = 1024 * 1024
const CHECKSUM_LENGTH = 8
const NEWLINE = 10
const SPACE = 32

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('data-file', message, { field: '--data' })

/** The end of a group, and the checksum of its last line. */
export interface Position {
  size: number
  checksum: number
}

export type DataFile = Awaited<ReturnType<typeof openDataFile>>

interface DataFileOptions {
  /** Throws where the file must not be written any more. */
  assertMayWrite(): void
  /** Behind the last group of a file that was read; without one the file is made. */
  end?: Position
}

/**
 * A file that grows by groups of lines `CHECKSUM JSON`. A checksum also covers all lines before,
 * so that none can change, go missing or move unnoticed.
 */
export async function openDataFile(path: string, options: DataFileOptions) {
  const { assertMayWrite, end } = options
  const file = await open(path, end ? 'a' : 'ax', PRIVATE_MODE)
  let committed = end ?? { size: 0, checksum: 0 }
  /** Whether more may be behind the last group than belongs to this one. */
  let isTorn = true
  return {
    /** Up to the end of the last group. */
    get size() {
      return committed.size
    },
    append,
    close: () => file.close(),
  }

  /**
   * Adds a group, and resolves once it is on disk; of one that fails nothing counts. Each line is
   * made when it is asked for, and calls get their turn between lines.
   */
  async function append(lines: Iterable<Line>) {
    let { size, checksum } = committed
    let text = ''
    const turns = createTurns()
    if (size === 0) add(HEADER)
    try {
      for (const line of lines) {
        add(line)
        if (!turns.isDue()) continue
        if (text.length > PIECE_LENGTH) await flush()
        await turns.take()
      }
      add(END)
      await flush()
      committed = { size, checksum }
    } catch (error) {
      isTorn = true
      throw error
    }

    function add(line: Line) {
      const json = JSON.stringify(line)
      checksum = crc32(json, checksum)
      text += `${toHex(checksum)} ${json}\n`
    }

    async function flush() {
      assertMayWrite()
      const bytes = Buffer.from(text)
      text = ''
      if (isTorn) await file.truncate(committed.size)
      isTorn = false
      await file.appendFile(bytes)
      await file.datasync()
      size += bytes.length
      // A process that was stopped meanwhile may have lost the file.
      assertMayWrite()
    }
  }
}

/** Name of a draft that no other process uses. */
export const draftOf = (path: string) => `${path}.${randomUUID()}.tmp`

/** A new or renamed file survives a loss of power only once its folder is on disk too. */
export async function syncFolderOf(path: string): Promise<void> {
  try {
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
  } catch (error) {
    // Windows neither opens folders nor needs this.
    if (process.platform !== 'win32') throw error
  }
}

const toHex = (checksum: number) => checksum.toString(16).padStart(CHECKSUM_LENGTH, '0')

export interface FileRead {
  saved: Saved
  end: Position
  /** Size of the first group: of all that there was when the file was made. */
  firstSize: number
  /** How much is behind the last group: half of one, whose calls got no response. */
  leftOutBytes: number
}

/** Reads a file line by line, and names the place of what is damaged. Changes nothing. */
export async function readDataFile(path: string): Promise<FileRead> {
  const { size } = await stat(path)
  const read = await readUpTo(path, size)
  if (typeof read !== 'number') return { ...read, leftOutBytes: 0 }
  const whole = (await readUpTo(path, read)) as WholeRead
  return { ...whole, leftOutBytes: size - read }
}

type WholeRead = Omit<FileRead, 'leftOutBytes'>

/** All that the file holds, or where its last group ends if more is behind it. */
async function readUpTo(path: string, size: number): Promise<WholeRead | number> {
  const replay = createReplay()
  let [count, offset, checksum, firstSize] = [0, 0, 0, 0]
  let end: Position | undefined
  for await (const bytes of readLines(path, size)) {
    count++
    const parsed = parseLine(bytes.subarray(0, -1), checksum)
    const isEnded = bytes.at(-1) === NEWLINE
    if (end && !parsed && !isEnded) return end.size
    // A line is damaged, too, when only its newline is wrong.
    if (!parsed || !isEnded) throw misread()
    apply(parsed.line)
    offset += bytes.length
    checksum = parsed.checksum
    if (parsed.line[0] !== END[0]) continue
    end = { size: offset, checksum }
    firstSize ||= offset
  }
  count++
  if (end === undefined) throw misread()
  return offset > end.size ? end.size : { saved: replay.saved(), end, firstSize }

  function apply(line: Line) {
    try {
      if (count === 1) assertHeader(path, line)
      else replay.apply(line)
    } catch (error) {
      throw error instanceof TypeError ? misread() : error
    }
  }

  function misread() {
    const place = `in line ${count}, which begins at byte ${offset}`
    return dataFileError(`${path} is damaged ${place}. Nothing was changed in it.`)
  }
}

/** Each line with its newline, which the last one may lack. */
async function* readLines(path: string, size: number): AsyncGenerator<Buffer> {
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
