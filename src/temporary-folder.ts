import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './at-exit.ts'

/** A folder that only this user can read, and that goes with the process. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-sandbox-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
