import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new folder that goes after the tests of a file or block; in a test, give `onTestFinished`. */
export function createFolder(after: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
