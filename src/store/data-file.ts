import { fstatSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { PRIVATE_MODE } from './files.ts'
import { type Header, isTaken, OwnHeader, readHeader } from './header.ts'
import { END, type Line } from './line.ts'
import { Group, type Position } from './lines.ts'
import { inUse, type Owner, takenOver } from './owner.ts'
import type { FileRead } from './read-file.ts'
import { Turns } from './turns.ts'

/** Characters that are written at once: a sync of much more would keep other files waiting. */
const PIECE_LENGTH = 4_000_000

interface DataFileOptions {
  owner: Owner
  /** Throws where the file must not be written any more. */
  assertMayWrite(): void
  /** Result of reading the file; missing for a file that is new or empty. */
  read?: Pick<FileRead, 'end' | 'header'> | undefined
  /** Number of processes that have had the file, this one included. */
  claim?: number | undefined
}

/** Something that another program did to a file in use. */
export type Interference = 'moved' | 'replaced' | 'overwritten'

/**
 * A file that grows by groups of lines `CHECKSUM JSON`. A checksum also covers all lines before,
 * so that none can change, go missing or move unnoticed; only the first line stands for itself.
 */
export class DataFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #assertMayWrite: () => void
  readonly #header: OwnHeader
  #committed: Position
  /** Set while half a group may follow the last whole one. */
  #isTorn = true
  #lost: Error | undefined

  private constructor(path: string, file: FileHandle, options: DataFileOptions) {
    const { owner, assertMayWrite, read, claim = 1 } = options
    this.#path = path
    this.#file = file
    this.#assertMayWrite = assertMayWrite
    this.#committed = read?.end ?? { size: 0, checksum: 0 }
    this.#header = read ? this.#claim(read.header, owner) : new OwnHeader(path, { owner, claim })
  }

  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    const file = await open(path, 'a', PRIVATE_MODE)
    try {
      return new DataFile(path, file, options)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Bytes up to the end of the last group. */
  get size(): number {
    return this.#committed.size
  }

  get claim(): number {
    return this.#header.claim
  }

  /** The error of every call once another process has the file. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /**
   * Appends a group, and resolves once it is on disk; a group that fails is ignored as a whole.
   * Lines are made one by one, so that other calls can run in between.
   */
  async append(lines: Iterable<Line>): Promise<void> {
    const group = new Group(this.#committed)
    const turns = new Turns()
    if (this.size === 0) group.addHeader(this.#header.begin())
    try {
      for (const line of lines) {
        group.add(line)
        if (!turns.isDue()) continue
        if (group.length > PIECE_LENGTH) await this.#write(group.takeBytes())
        await turns.take()
      }
      group.add(END)
      await this.#write(group.takeBytes())
      this.#committed = group.end
      this.touch()
    } catch (error) {
      this.#isTorn = true
      throw error
    }
  }

  /** Notes in the first line that the owner lives, and how many bytes are safe. */
  touch(): void {
    if (this.size > 0 && this.#header.isUntouched()) this.#header.write(this.size)
  }

  /** Throws once another process has the file, under whatever name. */
  assertHeld(): void {
    const taker = this.size > 0 ? this.#header.findTaker() : undefined
    if (taker !== undefined) this.#lost ??= takenOver(this.#path, taker)
    if (this.#lost) throw this.#lost
  }

  /** Compares the file with what the path leads to. Call it only while nothing is being written. */
  findInterference(path: string): Interference | undefined {
    const there = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!there) return 'moved'
    const { dev, ino, size } = fstatSync(this.#file.fd, { bigint: true })
    if (there.dev !== dev || there.ino !== ino) return 'replaced'
    const isCut = size < this.size || (size > this.size && !this.#isTorn)
    return isCut || !this.#header.isUntouched() ? 'overwritten' : undefined
  }

  /** Releases the file, so that another process can take it. */
  async close(): Promise<void> {
    try {
      if (this.size > 0 && this.#header.isUntouched()) this.#header.write(this.size, null)
    } finally {
      this.#header.close()
      await this.#file.close()
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#assertMayWrite()
    this.assertHeld()
    if (this.#isTorn) await this.#file.truncate(this.size)
    this.#isTorn = false
    await this.#file.appendFile(bytes)
    await this.#file.datasync()
    // A process that was stopped meanwhile may have lost the file.
    this.#assertMayWrite()
    this.assertHeld()
  }

  /** Takes a file that was read, unless somebody was faster. */
  #claim(read: Header, owner: Owner): OwnHeader {
    const now = readHeader(this.#path)
    if (isTaken(read, now)) throw inUse(this.#path, now?.owner)
    const header = new OwnHeader(this.#path, { owner, claim: read.claim + 1 })
    header.write(this.size)
    return header
  }
}
