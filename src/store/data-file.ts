import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { DomainError } from '../world/domain-error.ts'

/** One line of a data file: what it is about, and the value. */
export type Line = [kind: string, value: unknown]

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600
const FORMAT_VERSION = 2

const HEADER: Line = ['ramp-sandbox', { formatVersion: FORMAT_VERSION }]
/** Ends a group of lines that count only together. */
const END: Line = ['end', null]

/** How much a file grows before it is synced: a long copy must not hold up the syncs of others. */
const SYNC_EVERY_BYTES = 1024 * 1024
const READ_BYTES = 1024 * 1024
const CHECKSUM_LENGTH = 8
const NEWLINE = 10
const SPACE = 32

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('conflict', '--data', message, { code: 'data-file' })

/** An end of the file, and the checksum of the last line before it. */
export interface Position {
  size: number
  checksum: number
}

/** Lines are `CHECKSUM JSON`; a checksum also covers all lines before, so that none can go missing. */
const toHex = (checksum: number) => checksum.toString(16).padStart(CHECKSUM_LENGTH, '0')

/** A file that only grows, by groups of lines. */
export interface DataFile {
  /** Up to the end of the last group. */
  readonly size: number
  /** Adds a line as it stands now; it is written with the next `flush` or `commit`. */
  add(line: Line): void
  flush(): Promise<void>
  /** Ends the group and forces it to disk. */
  commit(): Promise<void>
  /** Takes back all lines of a group that did not end. */
  rollBack(): Promise<void>
  close(): Promise<void>
}

/** Makes a file whose first group has begun, with the header. */
export async function createDataFile(path: string): Promise<DataFile> {
  const file = openedFile(await open(path, 'ax', PRIVATE_MODE), { size: 0, checksum: 0 })
  file.add(HEADER)
  return file
}

/** Goes on behind the last group of a file that was read. */
export async function openDataFile(path: string, end: Position): Promise<DataFile> {
  const file = await open(path, 'a', PRIVATE_MODE)
  await file.truncate(end.size)
  return openedFile(file, end)
}

function openedFile(file: FileHandle, start: Position): DataFile {
  let committed = start
  let { size, checksum } = start
  let pending: string[] = []
  let unsynced = 0
  let isTorn = false
  return {
    get size() {
      return committed.size
    },
    add,
    flush,
    async commit() {
      add(END)
      await flush()
      await sync()
      committed = { size, checksum }
    },
    async rollBack() {
      pending = []
      ;({ size, checksum } = committed)
      isTorn = true
      await mend()
    },
    close: () => file.close(),
  }

  function add(line: Line) {
    const json = JSON.stringify(line)
    checksum = crc32(json, checksum)
    pending.push(`${toHex(checksum)} ${json}\n`)
  }

  async function flush() {
    const bytes = Buffer.from(pending.join(''))
    pending = []
    size += bytes.length
    unsynced += bytes.length
    if (isTorn) await mend()
    await file.appendFile(bytes)
    if (unsynced >= SYNC_EVERY_BYTES) await sync()
  }

  async function sync() {
    await file.datasync()
    unsynced = 0
  }

  async function mend() {
    await file.truncate(committed.size)
    isTorn = false
  }
}

export interface FileRead {
  /** Of the last group. */
  end: Position
  /** Size of the first group: of all that there was when the file was made. */
  firstSize: number
  /** Whether a group follows that did not end. */
  isTorn: boolean
}

/** Reads a file line by line; names the place of what is damaged. Changes nothing. */
export async function readDataFile(
  path: string,
  { onLine, size = Number.POSITIVE_INFINITY }: { onLine(line: Line): void; size?: number },
): Promise<FileRead> {
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
      const line = read(bytes.subarray(from, to))
      offset += to + 1 - from
      from = to + 1
      if (line[0] !== END[0]) continue
      end = { size: offset, checksum }
      firstSize ||= offset
    }
    rest = bytes.subarray(from)
  }
  // Whatever of a call is missing here was never answered; but more than a whole line is damage.
  if (end === undefined || parseLine(rest.subarray(0, -1), checksum)) {
    count++
    throw count === 1 && isEarlier(rest) ? earlierFormat(path) : misread()
  }
  return { end, firstSize, isTorn: offset + rest.length > end.size }

  function read(bytes: Buffer): Line {
    const parsed = parseLine(bytes, checksum)
    if (parsed === undefined) throw misread()
    checksum = parsed.checksum
    try {
      if (count === 1) assertHeader(path, parsed.line)
      else onLine(parsed.line)
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

function parseLine(bytes: Buffer, before: number): (Position & { line: Line }) | undefined {
  const json = bytes.subarray(CHECKSUM_LENGTH + 1)
  const checksum = crc32(json, before)
  const isSound =
    bytes[CHECKSUM_LENGTH] === SPACE &&
    bytes.toString('latin1', 0, CHECKSUM_LENGTH) === toHex(checksum)
  return isSound ? { line: JSON.parse(json.toString()), checksum, size: bytes.length } : undefined
}

function assertHeader(path: string, [kind, value]: Line) {
  const { formatVersion } = value as { formatVersion?: unknown }
  if (kind === HEADER[0] && formatVersion === FORMAT_VERSION) return
  throw dataFileError(
    `${path} has the format version ${JSON.stringify(formatVersion)}; ` +
      `this version of ramp-sandbox reads ${FORMAT_VERSION}. Nothing was changed in it.`,
  )
}

const isEarlier = (bytes: Buffer) => bytes.toString('latin1', 0, 17) === '{"formatVersion":'

/** Format 1 was a file of JSON and a log beside it, of which one may be missing. */
export function earlierFormat(path: string): DomainError {
  return dataFileError(
    `${path} has the format version 1; this version of ramp-sandbox reads ${FORMAT_VERSION}. Start ` +
      'the version that wrote it once more, save GET /_sandbox/state of each world, and PUT those ' +
      'into a sandbox with a new --data file. Nothing was changed in it.',
  )
}

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
