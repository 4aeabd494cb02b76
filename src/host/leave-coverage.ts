import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Coverage } from '../levers/coverage.ts'

/**
 * Leaves what a sandbox has met in the folder that `exec --coverage` names, when it is closed, or
 * when its process ends before. Returns what does that at once.
 */
export function leaveCoverage(read: () => Coverage): () => void {
  const folder = process.env.RAMP_SANDBOX_COVERAGE
  if (folder === undefined || folder === '') return () => undefined
  const write = () => {
    process.off('exit', write)
    const coverage = read()
    if (coverage.calls === 0) return
    writeFileSync(join(folder, `${process.pid}-${randomUUID()}.json`), JSON.stringify(coverage))
  }
  process.on('exit', write)
  return write
}
