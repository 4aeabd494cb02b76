import { readPackageFile } from '../../package-folder.ts'
import { toReadError } from '../open-files.ts'

/** A request; null stands for a header that was left out. */
export interface ExampleRequest {
  path?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string | null>
  body?: unknown
}

/** A call with the responses that a sandbox really gave; the build records them (`test/openapi`). */
export interface Example {
  /** Successful calls. */
  request?: ExampleRequest
  /** Refused calls, by status. */
  refused?: Record<string, ExampleRequest>
  /** Bodies of responses by their status. */
  responses: Record<string, unknown>
}

let byOperation: Map<string, Example> | undefined

export function exampleOf(operationId: string): Example | undefined {
  byOperation ??= readExamples()
  return byOperation.get(operationId)
}

/** Empty while the build records the examples. */
function readExamples(): Map<string, Example> {
  try {
    const file = readPackageFile('dist/examples.json')
    return new Map(file ? Object.entries(JSON.parse(String(file))) : [])
  } catch (error) {
    throw toReadError(error)
  }
}
