import { readPackageFile } from '../../package-folder.ts'
import { toReadError } from '../open-files.ts'

/** A call with the responses that a sandbox really gave; the build records them (`test/openapi`). */
export interface Example {
  /** Path, query and body of a call that succeeded. */
  request?: {
    path?: Record<string, string>
    query?: Record<string, string>
    body?: unknown
  }
  /** Bodies of responses by their status. */
  responses: Record<string, unknown>
}

let byOperation: Map<string, Example> | undefined

export function exampleOf(operationId: string): Example | undefined {
  byOperation ??= readExamples()
  return byOperation.get(operationId)
}

/** Empty while the build records them. */
function readExamples(): Map<string, Example> {
  try {
    const file = readPackageFile('dist/examples.json')
    return new Map(file ? Object.entries(JSON.parse(String(file))) : [])
  } catch (error) {
    throw toReadError(error)
  }
}
