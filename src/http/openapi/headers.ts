import { settingsOn } from '../concerns.ts'
import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
})

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'x-sandbox-request': text(
    'Id of the call in the journal, at `/_sandbox/requests/{id}`.',
    'req_12',
  ),
  'x-sandbox-assumption': text(
    'The assumptions that this answer, or a webhook that it caused, depends on, if there is one to point out.',
    'auth.updateUser',
  ),
  'x-sandbox-error': text(
    'Stable code of the error; the setting `status.<code>` has its status.',
    'invalid-body',
  ),
  deprecation: text('Since when v1 is deprecated (RFC 9745).', '@1784851200'),
  sunset: text('When v1 is shut down (RFC 8594).', 'Sat, 22 Aug 2026 00:00:00 GMT'),
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 30 },
}

/** Headers of an answer with this status; the control API has none. */
export function toHeaders(operation: OperationDescription, code: number) {
  const { dialect } = operation
  if (!dialect.journalled) return {}
  const names = [
    'x-sandbox-request',
    ...(mayAssume(operation) ? ['x-sandbox-assumption'] : []),
    ...(code >= 400 ? ['x-sandbox-error'] : []),
    ...(dialect.describe.headers ?? []),
    ...(code === 429 ? ['retry-after'] : []),
  ]
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(refs) as JsonSchema }
}

/** Settings that decide what the contract leaves open or excludes, and that a read may depend on. */
const POINTED_OUT: readonly string[] = [
  'access.subject',
  'auth.updateUser',
  'auth.createKycLink',
  'auth.v1PriceQuote',
  'status.too-many-decimals',
  'v1.sunset',
]

/** A call that changes anything may cause a webhook, whose assumptions its answer names, too. */
const mayAssume = (operation: OperationDescription) =>
  operation.method !== 'GET' || settingsOn(operation).some((id) => POINTED_OUT.includes(id))

export function headersIn(paths: JsonSchema): JsonSchema {
  const text = JSON.stringify(paths)
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`headers/${name}"`))
  return Object.fromEntries(used)
}
