import { readPackageFile } from '../../package-folder.ts'
import { toReadError } from '../open-files.ts'

export interface ExampleRequest {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** A call with the responses that a sandbox really gave; the build records them (`test/openapi`). */
export interface Example {
  request?: ExampleRequest
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
