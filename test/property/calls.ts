import fc, { type Arbitrary } from '../helpers/fast-check.ts'
import { arbitraryOf } from './arbitrary.ts'
import { POOLS } from './pools.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any
type Fields = Record<string, Json>

/** One call; texts in it that begin with `$` stand for what a world calls so. */
export interface DrawnCall {
  operationId: string
  method: string
  template: string
  path: Record<string, string>
  query: Fields
  headers: Record<string, string>
  /** Undefined where nothing is sent. */
  body: Json
}

/** Operations that wait without end, let time run, or order misbehaviour for the calls after them. */
const LEFT_OUT = new Set(['streamEvents', 'resumeClock', 'createFault', 'patchSettings'])

/** Any call of a document: mostly well-formed, often with one thing wrong. */
export function callsOf(document: Json): Arbitrary<DrawnCall> {
  const calls = Object.entries<Json>(document.paths).flatMap(([template, item]) =>
    Object.entries<Json>(item)
      .filter(([, { operationId }]) => !LEFT_OUT.has(operationId))
      .map(([method, operation]) => callOf(document, { template, method, operation })),
  )
  return fc.oneof(...calls)
}

function callOf(
  document: Json,
  { template, method, operation }: { template: string; method: string; operation: Json },
): Arbitrary<DrawnCall> {
  const { operationId, parameters = [], requestBody } = operation
  const schema = requestBody?.content['application/json']?.schema
  const of = (part: Json, name: string) => arbitraryOf(part, document, POOLS, name)
  const parametersIn = (place: string): Arbitrary<Fields> => {
    const list: Json[] = parameters.filter((parameter: Json) => parameter.in === place)
    const fields = list.map(({ name, schema: part }) => [name, of(part, name)])
    const requiredKeys = list.filter(({ required }) => required).map(({ name }) => name as never)
    return fc.record(Object.fromEntries(fields), { requiredKeys })
  }
  const drawn = fc.record({
    path: parametersIn('path'),
    query: parametersIn('query'),
    headers: template.startsWith('/_sandbox') ? fc.constant({}) : credentials,
    body: schema ? of(schema, '') : fc.constant(undefined),
  })
  return fc.tuple(drawn, mutations).map(([call, mutation]) => ({
    operationId,
    template,
    method: method.toUpperCase(),
    ...call,
    ...(schema ? { body: mutate(call.body, mutation) } : { query: mutate(call.query, mutation) }),
  }))
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
) as Arbitrary<Record<string, string>>

const mutations = fc.record({
  kind: fc.constantFrom(...Array<'none'>(6).fill('none'), 'drop', 'replace', 'add'),
  at: fc.nat(20),
  name: fc.oneof(fc.string(), fc.constantFrom('first_name', 'toString', '__proto__', 'userId')),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(null, '', 'x'.repeat(600), 1e21, [], {}, '\u0000', '\ud800', '__proto__'),
  ),
})

/** Fields of which one is left out, has another value, or is too many. */
function mutate(
  fields: Json,
  { kind, at, name, value }: { kind: string; at: number; name: string; value: Json },
): Json {
  const names = fields !== null && typeof fields === 'object' ? Object.keys(fields) : []
  const field = names[at % names.length]
  if (field === undefined || kind === 'none') return fields
  if (kind === 'add') return { ...fields, [name]: value }
  const { [field]: _, ...others } = fields
  return kind === 'drop' ? others : { ...others, [field]: value }
}

/** A call as it goes over the wire to a world. */
export function toWire(
  call: DrawnCall,
  names: Readonly<Record<string, string | number>>,
): [path: string, init: RequestInit & { method: string }] {
  const named = JSON.stringify(call)
    .replace(/"\$(\w+)"/g, (found, name: string) => JSON.stringify(names[name]) ?? found)
    .replace(/\$(\w+)/g, (found, name: string) => String(names[name] ?? found))
  const { method, template, path, query, headers, body }: DrawnCall = JSON.parse(named)
  const isSent = body !== undefined && method !== 'GET'
  const isTyped = isSent || (method !== 'GET' && template.startsWith('/_sandbox'))
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(path[name]))
  const search = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    toText(value),
  ])
  return [
    search.length > 0 ? `${filled}?${new URLSearchParams(search)}` : filled,
    {
      method,
      headers: { ...headers, ...(isTyped && { 'content-type': 'application/json' }) },
      ...(isSent && { body: JSON.stringify(body) }),
    },
  ]
}

/** Half a character cannot stand in a URL. */
const toText = (value: unknown) =>
  Buffer.from(typeof value === 'object' ? JSON.stringify(value) : String(value)).toString()

/** Dots alone would be another path. */
const toSegment = (value: unknown = 'x') => {
  const text = toText(value)
  return /^\.*$/.test(text) ? 'x' : encodeURIComponent(text)
}
