import examples from './examples.json' with { type: 'json' }

/** What was really sent and answered, by a sandbox that a test ran (`test/openapi/examples.ts`). */
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

const byOperation = new Map(Object.entries(examples as Record<string, Example>))

export const exampleOf = (operationId: string): Example | undefined => byOperation.get(operationId)
