import { readFile } from 'node:fs/promises'
import type { FixtureDocument } from '../fixture/format.ts'
import { SandboxError } from './error.ts'

type Source = string | FixtureDocument | undefined

/** A fixture's file is read here: a running sandbox does not read files that a caller names. */
export async function readFixture(source: Source): Promise<Source> {
  if (typeof source !== 'string' || !/\.json$|[\\/]/.test(source)) return source
  try {
    return JSON.parse((await readFile(source, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `The fixture ${source} cannot be read: ${why}.`
    throw new SandboxError(message, { code: 'invalid', cause: error })
  }
}
