import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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

const byOperation = readExamples()

export const exampleOf = (operationId: string): Example | undefined => byOperation.get(operationId)

/** The file of the build, seen from a bundle's chunk or from the sources. */
function readExamples(): Map<string, Example> {
  const file = ['../examples.json', '../../../dist/examples.json']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => existsSync(path))
  return new Map(file ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [])
}
