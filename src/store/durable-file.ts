import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600

export interface DurableFileOptions<Data> {
  parse(text: string): Data
  stringify(data: Data): string
}

/** A file for lowdb that is replaced as a whole or not at all. */
export interface DurableFile<Data> extends Adapter<Data> {
  /** Length of what was read or written last; 0 where there is no file. */
  readonly size: number
}

export function durableFile<Data>(
  path: string,
  { parse, stringify }: DurableFileOptions<Data>,
): DurableFile<Data> {
  const draft = `${path}.tmp`
  let size = 0
  return {
    get size() {
      return size
    },
    async read() {
      // Left by a process that died while it wrote.
      await rm(draft, { force: true })
      const text = await readIfThere(path)
      size = Buffer.byteLength(text ?? '')
      return text === undefined ? null : parse(text)
    },
    async write(data) {
      const bytes = Buffer.from(stringify(data))
      try {
        await writeWhole(draft, bytes)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        throw error
      }
      size = bytes.length
      await syncFolderOf(path)
    },
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeWhole(path: string, bytes: Buffer) {
  await using file = await open(path, 'w', PRIVATE_MODE)
  await file.writeFile(bytes)
  await file.sync()
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
