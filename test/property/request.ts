import fc, { type Arbitrary } from '../helpers/fast-check.ts'
import { arbitraryOf } from './arbitrary.ts'
import { POOLS } from './pools.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

/** One call, before what begins with `$` is looked up. */
export interface Request {
  operationId: string
  method: string
  template: string
  path: Record<string, string>
  query: [name: string, value: unknown][]
  headers: Record<string, string>
  /** Undefined where nothing is sent. */
  body: Json
  mutation: Mutation
}

/** What is done to a call that would be well-formed. */
export type Mutation =
  | { kind: 'none' }
  | { kind: 'drop'; at: number }
  | { kind: 'replace'; at: number; value: Json }
  | { kind: 'add'; name: string; value: Json }

/** Operations that wait without end, let time run, or order misbehaviour for the calls after them. */
const LEFT_OUT = new Set(['streamEvents', 'resumeClock', 'createFault', 'patchSettings'])

/** Any call of a document: mostly well-formed, often with one thing wrong. */
export function requestsOf(document: Json): Arbitrary<Request> {
  const operations = Object.entries<Json>(document.paths).flatMap(([template, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ template, method, operation })),
  )
  const kept = operations.filter(({ operation }) => !LEFT_OUT.has(operation.operationId))
  return fc.oneof(...kept.map((row) => requestOf(row, document)))
}

interface Row {
  template: string
  method: string
  operation: Json
}

function requestOf({ template, method, operation }: Row, document: Json): Arbitrary<Request> {
  const { operationId, parameters = [], requestBody } = operation
  const of = (schema: Json, name: string) => arbitraryOf(schema, document, POOLS, name)
  const inPath = parameters.filter((parameter: Json) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter: Json) => parameter.in === 'query')
  const recordOf = (list: Json[]) =>
    fc.record(Object.fromEntries(list.map(({ name, schema }) => [name, of(schema, name)])), {
      requiredKeys: list.filter(({ required }) => required).map(({ name }) => name as never),
    })
  const schema = requestBody?.content['application/json']?.schema
  return fc.record({
    operationId: fc.constant(operationId),
    method: fc.constant(method.toUpperCase()),
    template: fc.constant(template),
    path: recordOf(inPath),
    query: recordOf(inQuery).map((query) => Object.entries(query)),
    headers: template.startsWith('/_sandbox') ? fc.constant({}) : credentials,
    body: schema ? of(schema, '') : fc.constant(undefined),
    mutation: mutations,
  }) as Arbitrary<Request>
}

const credentials = fc.record(
  {
    'x-api-key': fc.oneof(
      { weight: 12, arbitrary: fc.constant('sandbox-key') },
      { weight: 2, arbitrary: fc.constant('sandbox-key-2') },
      fc.constantFrom('x', 'SANDBOX-KEY'),
    ),
    authorization: fc.oneof(
      { weight: 8, arbitrary: fc.constant('Bearer $aliceToken') },
      fc.constantFrom('Bearer $bobToken', 'Bearer x', '$aliceToken', 'Basic YTpi', 'Bearer '),
    ),
  },
  { requiredKeys: [] },
)

const at = fc.nat(20)
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', 'x'.repeat(600), 1e21, -0, [], {}, '\u0000', '\ud800', '__proto__'),
)

const mutations: Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'none' as const }) },
  fc.record({ kind: fc.constant('drop' as const), at }),
  fc.record({ kind: fc.constant('replace' as const), at, value: junk }),
  fc.record({
    kind: fc.constant('add' as const),
    name: fc.oneof(fc.string(), fc.constantFrom('first_name', 'toString', '__proto__', 'userId')),
    value: junk,
  }),
)
