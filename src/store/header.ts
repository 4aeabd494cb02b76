import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { realTime } from '../real-time.ts'
import type { Line } from './line.ts'
import { formatLine, parseLine } from './lines.ts'
import { inUse, isRunning, type Owner, type OwnerOptions } from './owner.ts'

export const FORMAT_VERSION = 3

const KIND = 'ramp-sandbox'
/** Fixed length of the first line, which is rewritten in place. */
export const HEADER_LENGTH = 1024
/** Bytes of a line besides its JSON: checksum, space and newline. */
const FRAME_LENGTH = 10

/** The first line of a data file. It names the owner even where the file was found under another name. */
export interface Header {
  formatVersion: number
  /** Tells the file from a copy of it, which has no owner. */
  inode: string
  /** Number of processes that have had the file. */
  claim: number
  /** Bytes that are safe on disk. */
  size: number
  touchedAt: number
  owner: Owner | null
}

/** Reads the first line; undefined if it is damaged. */
export function readHeader(path: string): Header | undefined {
  const fd = openSync(path, 'r')
  try {
    return parseHeader(readStart(fd))
  } finally {
    closeSync(fd)
  }
}

/** The version that a first line names, whatever else it holds. */
export function versionOf([kind, value]: Line): unknown {
  return kind === KIND ? (value as Partial<Header>).formatVersion : undefined
}

export const headerOf = ([, value]: Line): Header => value as Header

/** Returns true if a process has taken the file or written to it since. */
export const isTaken = (before: Header, now: Header | undefined): boolean =>
  before.claim !== now?.claim || before.owner?.id !== now.owner?.id || before.size !== now.size

/** Rejects while another process has the file under any name. `ended` is the id of an owner that is known to be gone. */
export async function assertFree(
  path: string,
  options: OwnerOptions & { ended: string | undefined },
): Promise<void> {
  const header = readHeader(path)
  const owner = header?.owner
  if (!owner || owner.id === options.ended || header.inode !== inodeOf(path)) return
  const readSign = () => readHeader(path)?.touchedAt
  if (await isRunning(owner, readSign, options)) throw inUse(path, owner)
}

/** The first line of a file that this process owns. */
export class OwnHeader {
  readonly #fd: number
  readonly #owner: Owner
  readonly #inode: string
  readonly #claim: number
  /** The line as this process wrote it last. */
  #text = ''

  constructor(path: string, { owner, claim }: { owner: Owner; claim: number }) {
    this.#fd = openSync(path, 'r+')
    this.#inode = inodeOf(path)
    this.#owner = owner
    this.#claim = claim
  }

  get claim(): number {
    return this.#claim
  }

  /** The line that begins an empty file. */
  begin(): string {
    this.#text = this.#format(0, this.#owner)
    return this.#text
  }

  /** Rewrites the line in place. The owner is null when it lets the file go. */
  write(size: number, owner: Owner | null = this.#owner): void {
    const text = this.#format(size, owner)
    writeSync(this.#fd, text, 0)
    this.#text = text
  }

  /** Returns true if the line is still as this process wrote it. */
  isUntouched(): boolean {
    return readStart(this.#fd).toString() === this.#text
  }

  /** Finds the process that took the file after this one; null if that one has let it go again. */
  findTaker(): Owner | null | undefined {
    if (this.isUntouched()) return undefined
    const header = parseHeader(readStart(this.#fd))
    const isTaker =
      header?.inode === this.#inode &&
      header.claim >= this.#claim &&
      header.owner?.id !== this.#owner.id
    return isTaker ? header.owner : undefined
  }

  close(): void {
    closeSync(this.#fd)
  }

  #format(size: number, owner: Owner | null): string {
    const header: Header = {
      formatVersion: FORMAT_VERSION,
      inode: this.#inode,
      claim: this.#claim,
      size,
      touchedAt: realTime.now(),
      owner,
    }
    const json = JSON.stringify([KIND, header])
    const padding = HEADER_LENGTH - FRAME_LENGTH - Buffer.byteLength(json)
    return formatLine(json + ' '.repeat(padding))
  }
}

const inodeOf = (path: string) => String(statSync(path, { bigint: true }).ino)

function readStart(fd: number): Buffer {
  const bytes = Buffer.alloc(HEADER_LENGTH)
  return bytes.subarray(0, readSync(fd, bytes, 0, HEADER_LENGTH, 0))
}

function parseHeader(start: Buffer): Header | undefined {
  const parsed = parseLine(start.subarray(0, -1), 0)
  return parsed && versionOf(parsed.line) === FORMAT_VERSION ? headerOf(parsed.line) : undefined
}
