import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DomainError } from '../world/domain-error.ts'

/** Worlds hold secrets, even if only those of a sandbox. */
export const PRIVATE_MODE = 0o600

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('data-file', message, { field: '--data' })

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
