import { messageOf } from '../../lib/api.ts'
import { redraw } from '../../lib/draw.ts'
import { world } from '../../lib/page.ts'

/** The part of a JSON schema that is shown. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  title?: string
  description?: string
  format?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

/** The body of a request or of a response. */
export interface Body {
  description?: string
  content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>>
}

interface Described {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: readonly Parameter[]
  requestBody?: Body
  responses: Readonly<Record<string, Body>>
  security?: readonly Readonly<Record<string, unknown>>[]
}

type Items = Readonly<Record<string, Readonly<Record<string, Described>>>>

interface OpenApi {
  paths: Items
  webhooks?: Items
  tags: readonly { name: string; description?: string }[]
  components: { schemas: Readonly<Record<string, Schema>> }
}

/** Follows a `$ref`; the schema's own keywords win. */
export type Resolve = (schema: Schema) => Schema

export interface Operation extends Described {
  id: string
  /** A webhook is received, not called, and its method is `EVENT`. */
  method: string
  path: string
  isWebhook: boolean
  resolve: Resolve
}

interface Group {
  name: string
  about: string
  operations: readonly Operation[]
}

interface Read {
  groups?: readonly Group[]
  error?: string
}

const RETRY_MS = 2_000
/** Documents do not change while the sandbox runs, so each is read once. */
const documents = new Map<string, Read>()

/** An OpenAPI document of this world, as operations in groups. */
export function useDocument(path: string): Read {
  if (!documents.has(path)) load(path)
  return documents.get(path) ?? {}
}

function load(path: string): void {
  documents.set(path, {})
  fetch(`${world.prefix}${path}`)
    .then((response): Promise<OpenApi> => response.json())
    .then((document): Read => ({ groups: toGroups(document) }))
    .catch((error: unknown): Read => {
      setTimeout(() => documents.delete(path), RETRY_MS)
      return { error: messageOf(error) }
    })
    .then((read) => {
      documents.set(path, read)
      redraw()
    })
}

function toGroups({ paths, webhooks = {}, tags, components }: OpenApi): Group[] {
  const resolve: Resolve = ({ $ref, ...own }) =>
    $ref ? { ...components.schemas[$ref.split('/').at(-1) ?? ''], ...own } : own
  const operations = [paths, webhooks].flatMap((items) =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]): Operation => {
        const isWebhook = items === webhooks
        const shown = isWebhook ? 'EVENT' : method.toUpperCase()
        return { ...described, id: described.operationId, method: shown, path, isWebhook, resolve }
      }),
    ),
  )
  return tags.map(({ name, description = '' }) => ({
    name,
    about: description,
    operations: operations.filter((operation) => operation.tags[0] === name),
  }))
}

export const credentialsOf = ({ security = [] }: Operation): string[] => [
  ...new Set(security.flatMap(Object.keys)),
]

interface Content {
  media?: string
  schema?: Schema
  example?: unknown
}

/** The first media type of a body, with its schema and example. */
export function contentOf(body: Body | undefined): Content {
  const [first] = Object.entries(body?.content ?? {})
  return first ? { media: first[0], ...first[1] } : {}
}
