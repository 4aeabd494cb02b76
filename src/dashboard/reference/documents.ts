import type { Json } from '../../client/http.ts'
import type { View } from '../view.ts'

/** A schema in place of a reference to it; the field's own description stays. */
export type Resolve = (schema: Json) => Json

export interface ReferenceOperation {
  id: string
  method: string
  path: string
  /** A webhook is received and not called; its method is `EVENT`. */
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

/** With what stands before the names of its groups. */
const DOCUMENTS = [
  ['/openapi.json', ''],
  ['/_sandbox/openapi.json', 'Control API: '],
] as const
/** References of different settings that are kept. */
const REFERENCES_MAX = 4

const kept = new Map<string, Reference>()

/** Documents under the settings of this world; read once for the same ones. */
export async function readReference(view: View): Promise<Reference> {
  const responses = await Promise.all(DOCUMENTS.map(([path]) => view.call(path)))
  const key = responses.map(({ headers }) => headers.get('etag')).join()
  const known = kept.get(key)
  if (known) return known
  const documents = await Promise.all(responses.map((response): Promise<Json> => response.json()))
  const groups = documents.flatMap((document, at) => toGroups(document, DOCUMENTS[at]?.[1] ?? ''))
  const all = groups.flatMap(({ operations }) => operations)
  const made = { groups, byId: new Map(all.map((operation) => [operation.id, operation])) }
  kept.set(key, made)
  const [oldest = ''] = kept.keys()
  if (kept.size > REFERENCES_MAX) kept.delete(oldest)
  return made
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

/** Names of the credentials that some caller sends. */
export const credentialsOf = ({ said: { security = [] } }: ReferenceOperation): string[] => [
  ...new Set<string>(security.flatMap(Object.keys)),
]

/** The first form of a body: its media type, and what is said of it. */
export function contentOf(body: Json): { media?: string; schema?: Json; example?: unknown } {
  const [first] = Object.entries<Json>(body?.content ?? {})
  return first ? { media: first[0], ...first[1] } : {}
}
