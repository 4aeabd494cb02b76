import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DomainError } from '../world/domain-error.ts'
import { dataFileError } from './data-file.ts'
import { findRealPath, openFile } from './files.ts'
import { type LockOptions, lockFile } from './lock.ts'
import { type CompactOptions, type Store, startStore, toReason } from './store.ts'

export interface StoreOptions extends LockOptions, CompactOptions {
  /** The present in ms. Default `Date.now`. */
  wallClock?: () => number
  onRead?: (bytes: number) => void
}

/** Rejects a file that is damaged, of another format, or in use. */
export async function openStore(path: string, options: StoreOptions = {}): Promise<Store> {
  try {
    const file = await findRealPath(resolve(path))
    // A pipe or a device would be read without end.
    const found = await stat(file).catch(() => undefined)
    const isEndless = found && !found.isFile() && !found.isDirectory()
    if (isEndless) throw dataFileError(`${path} is a pipe or a device; give a file.`)
    const lock = await lockFile(file, options)
    try {
      const opened = await openFile(file, lock, options.onRead)
      return startStore(opened, { ...options, path: file, lock })
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Anything else is the file system's word.
    throw dataFileError(`${path} cannot be used: ${toReason(error)}.`)
  }
}
