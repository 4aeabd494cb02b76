import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DomainError } from '../world/domain-error.ts'
import { END, Group, HEADER, type Line, type Position } from './lines.ts'
import { Turns } from './turns.ts'

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600

/** Characters that are written at once: a sync of much more would keep other files waiting. */
const PIECE_LENGTH = 4_000_000

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('data-file', message, { field: '--data' })

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
export class DataFile {
  readonly #file: FileHandle
  readonly #assertMayWrite: () => void
  #committed: Position
  /** Whether half a group may be behind the last one. */
  #isTorn = true

  private constructor(file: FileHandle, { assertMayWrite, end }: DataFileOptions) {
    this.#file = file
    this.#assertMayWrite = assertMayWrite
    this.#committed = end ?? { size: 0, checksum: 0 }
  }

  static async open(path: string, options: DataFileOptions): Promise<DataFile> {
    return new DataFile(await open(path, options.end ? 'a' : 'ax', PRIVATE_MODE), options)
  }

  /** Bytes up to the end of the last group. */
  get size(): number {
    return this.#committed.size
  }

  /**
   * Adds a group, and resolves once it is on disk; nothing counts of one that fails. Each line is
   * made when it is asked for, and calls get their turn between lines.
   */
  async append(lines: Iterable<Line>): Promise<void> {
    const group = new Group(this.#committed)
    const turns = new Turns()
    if (this.size === 0) group.add(HEADER)
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
    } catch (error) {
      this.#isTorn = true
      throw error
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#assertMayWrite()
    if (this.#isTorn) await this.#file.truncate(this.size)
    this.#isTorn = false
    await this.#file.appendFile(bytes)
    await this.#file.datasync()
    // A process that was stopped meanwhile may have lost the file.
    this.#assertMayWrite()
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
