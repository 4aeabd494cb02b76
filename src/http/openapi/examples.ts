import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../package-folder.ts'
import { toReadError } from '../open-files.ts'

/** A call that a sandbox really answered; the build records them (`test/openapi`). */
export interface Example {
  /** Path, query and body of a call that succeeded. */
  request?: {
    path?: Record<string, string>
    query?: Record<string, string>
    body?: unknown
  }
  /** Answers by their status. */
  answers: Record<string, unknown>
}

let byOperation: Map<string, Example> | undefined

export function exampleOf(operationId: string): Example | undefined {
  byOperation ??= readExamples()
  return byOperation.get(operationId)
}

/** Empty while the build records them. */
function readExamples(): Map<string, Example> {
  const file = join(packageFolder(), 'dist', 'examples.json')
  try {
    return new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [])
  } catch (error) {
    throw toReadError(error)
  }
}
