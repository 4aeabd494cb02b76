import type { Json } from '../../client/http.ts'
import type { View } from '../view.ts'

/** Follows a `$ref`; the field's own keywords win. */
export type Resolve = (schema: Json) => Json

export interface ReferenceOperation {
  id: string
  method: string
  path: string
  /** A webhook is received, not called, and its method is `EVENT`. */
  isWebhook: boolean
  said: Json
  resolve: Resolve
}

interface ReferenceGroup {
  name: string
  about: string
  operations: ReferenceOperation[]
}

export interface Reference {
  groups: readonly ReferenceGroup[]
  byId: ReadonlyMap<string, ReferenceOperation>
}

/** Paths of the documents, with a prefix for the names of their groups. */
const DOCUMENTS = [
  ['/openapi.json', ''],
  ['/_sandbox/openapi.json', 'Control API: '],
] as const

/** The last result, under the ETags of its documents. */
let kept: (Reference & { key: string }) | undefined

/** Reads both documents. */
export async function readReference(view: View): Promise<Reference> {
  const responses = await Promise.all(DOCUMENTS.map(([path]) => view.call(path)))
  const key = responses.map(({ headers }) => headers.get('etag')).join()
  if (kept?.key === key) return kept
  const documents = await Promise.all(responses.map((response): Promise<Json> => response.json()))
  const groups = documents.flatMap((document, at) => toGroups(document, DOCUMENTS[at]?.[1] ?? ''))
  const all = groups.flatMap(({ operations }) => operations)
  kept = { key, groups, byId: new Map(all.map((operation) => [operation.id, operation])) }
  return kept
}

function toGroups(document: Json, prefix: string): ReferenceGroup[] {
  const resolve: Resolve = ({ $ref, ...own }) =>
    $ref ? { ...document.components.schemas[$ref.split('/').at(-1)], ...own } : own
  const all = { ...document.paths, ...document.webhooks }
  const operations = Object.entries<Json>(all).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, said]) => {
      const isWebhook = !(path in document.paths)
      const shown = isWebhook ? 'EVENT' : method.toUpperCase()
      return { id: said.operationId, method: shown, path, isWebhook, said, resolve }
    }),
  )
  return document.tags.map(({ name, description = '' }: Json) => ({
    name: `${prefix}${name}`,
    about: description,
    operations: operations.filter(({ said }) => said.tags[0] === name),
  }))
}

export const credentialsOf = ({ said: { security = [] } }: ReferenceOperation): string[] => [
  ...new Set<string>(security.flatMap(Object.keys)),
]

/** The first media type of a body, with its schema and example. */
export function contentOf(body: Json): { media?: string; schema?: Json; example?: unknown } {
  const [first] = Object.entries<Json>(body?.content ?? {})
  return first ? { media: first[0], ...first[1] } : {}
}
