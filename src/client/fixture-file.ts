import { resolve } from 'node:path'
import { readOrdinaryFile } from '../text-file.ts'
import { SandboxError } from './error.ts'

/** Reads a fixture file for a sandbox, which never reads files that a caller names. */
export function readFixture<Source>(source: Source | string, folder = '.'): Source | string {
  if (typeof source !== 'string' || !/\.json$|[\\/]/.test(source)) return source
  try {
    return JSON.parse(readOrdinaryFile(resolve(folder, source)).replace(/^\uFEFF/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `The fixture ${source} cannot be read: ${why}.`
    throw new SandboxError(message, { code: 'invalid', cause: error })
  }
}
