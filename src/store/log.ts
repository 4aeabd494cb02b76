import { type FileHandle, open, readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Change } from './change.ts'
import { damaged } from './damage.ts'

/** An append-only file of changes, one a line, each behind its checksum. */
export interface Log {
  readonly size: number
  /** Writes and forces to disk. */
  append(changes: readonly Change[]): Promise<void>
  empty(): Promise<void>
  close(): Promise<void>
}

const checksum = (json: string) => crc32(json).toString(16).padStart(8, '0')

/**
 * Reads what a log holds. A last line without its end was being written when the process died,
 * so nobody was answered for it: it is left out. Any other damage is reported.
 */
export async function readLog(path: string): Promise<{ changes: Change[]; size: number }> {
  const text = await readText(path)
  const lines = text.split('\n')
  const tail = lines.pop() ?? ''
  const changes = lines.map((line, index) => {
    const json = line.slice(9)
    if (line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) {
      throw damaged(`${path} is damaged in line ${index + 1}; nothing was changed in it.`)
    }
    return JSON.parse(json) as Change
  })
  return { changes, size: Buffer.byteLength(text) - Buffer.byteLength(tail) }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Goes on behind the last whole line. */
export async function openLog(path: string, size: number): Promise<Log> {
  const file: FileHandle = await open(path, 'a')
  await file.truncate(size)
  let written = size
  return {
    get size() {
      return written
    },
    async append(changes) {
      const lines = changes.map((change) => {
        const json = JSON.stringify(change)
        return `${checksum(json)} ${json}\n`
      })
      const bytes = Buffer.from(lines.join(''))
      await file.appendFile(bytes)
      await file.datasync()
      written += bytes.length
    },
    async empty() {
      await file.truncate(0)
      await file.datasync()
      written = 0
    },
    close: () => file.close(),
  }
}
