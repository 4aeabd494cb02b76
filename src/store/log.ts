import { open, readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Change } from './change.ts'
import { dataFileError } from './data-file-error.ts'
import { PRIVATE_MODE, syncFolderOf } from './durable-file.ts'

/** A change with its number, by which a snapshot knows which changes it includes. */
export type LogEntry = Change & { number: number }

/** An append-only file of changes, one a line, each behind its checksum. */
export interface Log {
  /** In bytes. */
  readonly size: number
  /** Number of the last change that is on disk. */
  readonly last: number
  /** Writes and forces to disk, all of it or nothing. */
  append(changes: readonly Change[]): Promise<void>
  empty(): Promise<void>
  close(): Promise<void>
}

const CHECKSUM_LENGTH = 8
const checksum = (json: string) => crc32(json).toString(16).padStart(CHECKSUM_LENGTH, '0')

/**
 * Reads a log. A last line without its end was being written when the process died, before any
 * caller was answered, so it is ignored. Any other damage is an error.
 */
export async function readLog(path: string): Promise<{ entries: LogEntry[]; size: number }> {
  const text = await readText(path)
  const lines = text.split('\n')
  const tail = lines.pop() ?? ''
  const entries = lines.map((line, index) => {
    const json = line.slice(CHECKSUM_LENGTH + 1)
    if (line[CHECKSUM_LENGTH] !== ' ' || !line.startsWith(checksum(json))) {
      throw dataFileError(`${path} is damaged in line ${index + 1}. Nothing was changed in it.`)
    }
    return JSON.parse(json) as LogEntry
  })
  return { entries, size: Buffer.byteLength(text) - Buffer.byteLength(tail) }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Continues after the last whole line and number. */
export async function openLog(path: string, start: { size: number; last: number }): Promise<Log> {
  const file = await open(path, 'a', PRIVATE_MODE)
  await file.truncate(start.size)
  await syncFolderOf(path)
  let { size, last } = start
  let isTorn = false
  return {
    get size() {
      return size
    },
    get last() {
      return last
    },
    async append(changes) {
      const lines = changes.map((change, index) => toLine({ number: last + index + 1, ...change }))
      const bytes = Buffer.from(lines.join(''))
      if (isTorn) await file.truncate(size)
      isTorn = true
      await file.appendFile(bytes)
      await file.datasync()
      isTorn = false
      size += bytes.length
      last += changes.length
    },
    async empty() {
      await file.truncate(0)
      size = 0
      await file.datasync()
    },
    close: () => file.close(),
  }
}

function toLine(entry: LogEntry): string {
  const json = JSON.stringify(entry)
  return `${checksum(json)} ${json}\n`
}
