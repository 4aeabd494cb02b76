import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

/** A response, as it is held against a document. */
export interface ActualResponse {
  method: string
  /** Without the prefix of a world, with or without a query. */
  path: string
  status: number
  type: string | null
  text: string
}

export interface Checker {
  readonly document: Json
  /** The operation behind a method and a path. */
  find(method: string, path: string): { template: string; operation: Json } | undefined
  /** What is wrong with a response; an empty list when it is as documented. */
  check(actual: ActualResponse): string[]
  /** What is wrong with the body of a webhook. */
  checkWebhook(name: string, body: unknown): string[]
  /** A validator of a part of the document, by its JSON pointer. */
  validatorAt(pointer: string): ValidateFunction
}

/** Holds what really happens against an OpenAPI document, with a validator that is not ours. */
export function createChecker(document: Json): Checker {
  const { ajv, validators } = compilerOf(document.components)
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${quote(template).replace(/\\\{\w+\\\}/g, '[^/]+')}$`),
    literal: template.replace(/\{\w+\}/g, '').length,
  }))
  return { document, find, check, checkWebhook, validatorAt }

  function find(method: string, path: string) {
    const [plain = ''] = path.split('?')
    const name = method.toLowerCase()
    const [found] = templates
      .filter(({ template, pattern }) => pattern.test(plain) && document.paths[template][name])
      .sort((a, b) => b.literal - a.literal)
    return found && { template: found.template, operation: document.paths[found.template][name] }
  }

  function check({ method, path, status, type, text }: ActualResponse): string[] {
    const name = `${method} ${path}`
    const found = find(method, path)
    if (!found) return [`${name} is not documented`]
    const { responses } = found.operation
    // What a test sets may have any status and any body.
    if (responses.default) return []
    const response = responses[status]
    if (!response) return [`${name} responded with ${status}, which is not documented: ${text}`]
    if (!response.content) return text === '' ? [] : [`${name} ${status} has a body: ${text}`]
    const [media = ''] = (type ?? '').split(';')
    if (!response.content[media]) return [`${name} ${status} is ${type}, not as documented`]
    if (media === 'text/event-stream') return []
    const steps = ['paths', found.template, method.toLowerCase(), 'responses', status, 'content']
    const validate = validatorAt(pointerOf([...steps, media, 'schema']))
    const value = media === 'text/plain' ? text : JSON.parse(text)
    return validate(value) ? [] : formatErrors(`${name} ${status} ${text}`, validate)
  }

  function checkWebhook(name: string, body: unknown): string[] {
    const steps = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema']
    const validate = validatorAt(pointerOf(steps))
    return validate(body) ? [] : formatErrors(`${name} ${JSON.stringify(body)}`, validate)
  }

  function validatorAt(pointer: string): ValidateFunction {
    const schema = JSON.stringify(partAt(document, pointer))
    const known = validators.get(schema)
    if (known) return known
    const made = ajv.compile(JSON.parse(schema.replaceAll('"$ref":"#/', '"$ref":"document#/')))
    validators.set(schema, made)
    return made
  }
}

interface Compiler {
  ajv: Ajv2020
  /** By the text of their schema. */
  validators: Map<string, ValidateFunction>
}

/** Halves the time of compiling. `document.test.ts` holds all schemas against JSON Schema, once. */
const FAST = { validateSchema: false, meta: false, inlineRefs: false, code: { optimize: false } }

/** Documents of worlds with different settings have most components in common. */
const compilers = new Map<string, Compiler>()

function compilerOf(components: Json): Compiler {
  const key = JSON.stringify(components.schemas)
  const known = compilers.get(key)
  if (known) return known
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...FAST })
  formats.default(ajv, { mode: 'full' })
  ajv.addFormat('jwt', /^[\w-]+\.[\w-]+\.[\w-]*$/)
  ajv.addSchema({ components }, 'document')
  const made = { ajv, validators: new Map() }
  compilers.set(key, made)
  return made
}

const partAt = (document: Json, pointer: string): Json =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, step) => value[step], document)

/** As a fragment of a URI, as `$ref` wants it. */
const pointerOf = (steps: readonly (string | number)[]) =>
  steps
    .map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    .map((step) => `/${encodeURIComponent(step)}`)
    .join('')

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const formatErrors = (what: string, { errors }: ValidateFunction) =>
  (errors ?? []).map(({ instancePath, message }) => `${what}: ${instancePath} ${message}`)
