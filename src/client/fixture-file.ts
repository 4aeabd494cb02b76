import { resolve } from 'node:path'
import { describeUnread, readOrdinaryFile } from '../text-file.ts'
import { SandboxError } from './error.ts'

/** Reads a fixture file for a sandbox, which never reads files that a caller names. */
export function readFixture<Source>(source: Source | string, folder = '.'): Source | string {
  if (typeof source !== 'string' || !/\.json$|[\\/]/.test(source)) return source
  try {
    return JSON.parse(readOrdinaryFile(resolve(folder, source)))
  } catch (error) {
    const message = describeUnread(`The fixture ${source}`, error)
    throw new SandboxError(message, { code: 'invalid', cause: error })
  }
}
