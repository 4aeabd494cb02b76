import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

const text = (description: string) => ({ description, schema: { type: 'string' } })

/** Headers of the contract's answers, by their name. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'x-sandbox-request': text('Id of the call in the journal, at `/_sandbox/requests/{id}`.'),
  'x-sandbox-assumption': text(
    'The assumption that this answer depends on, if there is one to point out.',
  ),
  deprecation: text('Since when v1 is deprecated (RFC 9745).'),
  sunset: text('When v1 is shut down (RFC 8594).'),
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } },
}

/** Headers of an answer with this status; the control API has none. */
export function toHeaders({ dialect, assumptions = [] }: OperationDescription, code: number) {
  if (!dialect.journalled) return {}
  const names = [
    'x-sandbox-request',
    ...(assumptions.includes('onboarding.auth') ? ['x-sandbox-assumption'] : []),
    ...(dialect.describe.headers ?? []),
    ...(code === 429 ? ['retry-after'] : []),
  ]
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(refs) as JsonSchema }
}
