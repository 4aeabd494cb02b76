import { resolve } from 'node:path'
import { readOrdinaryFile } from '../text-file.ts'
import { SandboxError } from './error.ts'

/** Reads a fixture file for a sandbox, which never reads files that a caller names. */
export function readFixture<Source>(source: Source | string, folder = '.'): Source | string {
  if (typeof source !== 'string' || !/\.json$|[\\/]/.test(source)) return source
  try {
    return JSON.parse(readOrdinaryFile(resolve(folder, source)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    const message = `The fixture ${source} ${problem}: ${why}.`
    throw new SandboxError(message, { code: 'invalid', cause: error })
  }
}
