import type { View } from '../view.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any
export type Schema = Readonly<Record<string, Json>>
/** A schema in place of a reference to it; the field's own description stays. */
export type Resolve = (schema: Schema) => Schema

export interface Parameter {
  name: string
  /** Only webhooks have headers of their own. */
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

interface Content {
  media: string
  schema: Schema
  example?: unknown
}

export interface Answer extends Partial<Content> {
  status: string
  description: string
}

export interface ReferenceOperation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  deprecated: boolean
  /** A webhook is received and not called. */
  isWebhook: boolean
  parameters: readonly Parameter[]
  body: (Partial<Content> & { required: boolean }) | undefined
  answers: readonly Answer[]
  /** Names of the credentials that some caller sends. */
  credentials: readonly string[]
  assumptions: readonly { id: string; question: string; value: unknown }[]
  resolve: Resolve
}

interface ReferenceGroup {
  document: string
  name: string
  about: string
  operations: ReferenceOperation[]
}

export interface Reference {
  groups: readonly ReferenceGroup[]
  byId: ReadonlyMap<string, ReferenceOperation>
}

const DOCUMENTS = [
  ['/openapi.json', 'API'],
  ['/_sandbox/openapi.json', 'Control API'],
] as const
/** References of different settings that are kept. */
const REFERENCES_MAX = 4

const kept = new Map<string, Reference>()

/** What the two documents say under the settings of this world; read once for the same ones. */
export async function readReference(view: View): Promise<Reference> {
  const answers = await Promise.all(DOCUMENTS.map(([path]) => view.call(path)))
  const key = answers.map(({ headers }) => headers.get('etag')).join()
  const known = kept.get(key)
  if (known) return known
  const documents = await Promise.all(answers.map((answer): Promise<Json> => answer.json()))
  const groups = documents.flatMap((document, at) => toGroups(document, DOCUMENTS[at]?.[1] ?? ''))
  const all = groups.flatMap(({ operations }) => operations)
  const made = { groups, byId: new Map(all.map((operation) => [operation.id, operation])) }
  kept.set(key, made)
  const [oldest = ''] = kept.keys()
  if (kept.size > REFERENCES_MAX) kept.delete(oldest)
  return made
}

function toGroups(document: Json, name: string): ReferenceGroup[] {
  const resolve = createResolve(document)
  const groups = new Map<string, ReferenceGroup>(
    document.tags.map((tag: Json) => [
      tag.name,
      { document: name, name: tag.name, about: tag.description ?? '', operations: [] },
    ]),
  )
  for (const [items, isWebhook] of [
    [document.paths, false],
    [document.webhooks ?? {}, true],
  ] as const) {
    for (const [path, item] of Object.entries<Json>(items)) {
      for (const [method, operation] of Object.entries<Json>(item)) {
        const made = toOperation(operation, { method, path, isWebhook, resolve })
        groups.get(operation.tags[0])?.operations.push(made)
      }
    }
  }
  return [...groups.values()]
}

type Place = Pick<ReferenceOperation, 'method' | 'path' | 'isWebhook' | 'resolve'>

function toOperation(operation: Json, place: Place): ReferenceOperation {
  const { requestBody, security = [] } = operation
  return {
    ...place,
    method: place.method.toUpperCase(),
    id: operation.operationId,
    summary: operation.summary,
    description: operation.description ?? '',
    deprecated: operation.deprecated === true,
    parameters: operation.parameters ?? [],
    body: requestBody && { required: requestBody.required === true, ...toContent(requestBody) },
    answers: Object.entries<Json>(operation.responses).map(([status, answer]) => ({
      status,
      description: answer.description,
      ...toContent(answer),
    })),
    credentials: [...new Set(security.flatMap((set: object) => Object.keys(set)))] as string[],
    assumptions: operation['x-assumptions'] ?? [],
  }
}

function toContent({ content = {} }: Json): Partial<Content> {
  const [first] = Object.entries<Json>(content)
  return first ? { media: first[0], schema: first[1].schema, example: first[1].example } : {}
}

function createResolve({ components }: Json): Resolve {
  return ({ $ref, ...own }) => {
    if (typeof $ref !== 'string') return own
    return { ...components.schemas[$ref.split('/').at(-1) ?? ''], ...own }
  }
}
