import * as z from 'zod'
import type { Sandbox } from '../client/client.ts'
import { callOperation } from '../client/control-api.ts'
import { parseJson } from '../client/http.ts'
import type { ControlOperation } from '../control-api/index.ts'
import { CONTROL_OPERATIONS } from '../control-api/index.ts'
import { type InputSchema, inputsOf, toInputSchema } from '../control-api/inputs.ts'
import type { Phrase } from '../control-api/row.ts'
import type { JsonSchema } from '../control-api/schema.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { parseWith } from '../world/zod-problems.ts'

type Input = Readonly<Record<string, unknown>>

interface ToolCall {
  sandbox: Sandbox
  input: Input
  signal: AbortSignal | undefined
}

/** An operation for agents, which choose a tool by its description. */
export interface Tool {
  name: string
  description: string
  input: InputSchema
  /** Describes the response; without it, responses are shown in full as far as they fit. */
  output?: () => JsonSchema
  readOnly: boolean
  destructive: boolean
  run(call: ToolCall): Promise<unknown>
}

/** Rows of a list by default. */
const NEWEST = 10

/** Description of a value for an agent. */
const SHOWN = ['type', 'enum', 'const', 'items', 'properties', 'required', 'oneOf', 'anyOf']
const BOUNDS = ['minimum', 'maximum', 'additionalProperties', 'description']

/** A schema without what agents do not need: each word costs tokens in every context. */
function toShort(schema: JsonSchema): JsonSchema {
  const { forAgents } = schema
  if (typeof forAgents === 'object') return forAgents as JsonSchema
  const entries = [...SHOWN, ...BOUNDS].flatMap((name): [string, unknown][] => {
    const value = schema[name]
    // Nobody comes near such a bound, and every object rejects unknown fields.
    if (value === undefined || value === false || Math.abs(Number(value)) >= 1_000_000) return []
    if (name === 'description') return [[name, firstSentence(String(value))]]
    return [[name, name === 'properties' ? toShortFields(value as Fields) : toShortParts(value)]]
  })
  return Object.fromEntries(entries)
}

const firstSentence = (text: string): string => text.split(/(?<=\.)(?: |$)/, 1).join()

type Fields = Record<string, JsonSchema>

const toShortFields = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { forAgents }]) => forAgents !== false)
      .map(([name, schema]) => [name, toShort(schema)]),
  )

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toShortParts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((part) => (isSchema(part) ? toShort(part) : part))
  return isSchema(value) ? toShort(value) : value
}

/** The arguments of a tool, with the name of a world. */
function toArguments(schema: JsonSchema, required: readonly string[] = []): InputSchema {
  const { properties = {}, additionalProperties = false } = toShort(schema)
  return {
    type: 'object',
    properties: { ...(properties as object), world: { type: 'string' } },
    ...(required.length > 0 && { required }),
    additionalProperties,
  }
}

const literalsOf = (phrase: Phrase) =>
  phrase.filter((word): word is string => typeof word === 'string' && !word.startsWith('--'))

/** The words of its command name a tool; `_set` follows where the others are pairs. */
function nameOf({ words, also = [] }: ControlOperation): string {
  const phrases = words ? [words] : also.map((other) => other.words)
  const [first = [], ...others] = phrases.map(literalsOf)
  const shared = first.filter((word, at) => others.every((other) => other[at] === word))
  const takesPairs = words?.some((word) => typeof word === 'object' && 'pairs' in word)
  return [...shared, ...(takesPairs ? ['set'] : [])].join('_').replaceAll('-', '_')
}

/** Makes a tool of a row. A body that is a union is one argument, named by its command. */
function toTool(operation: ControlOperation): Tool {
  const { method, summary, words = [], discards = false } = operation
  const name = nameOf(operation)
  const inputs = inputsOf(operation)
  const [input = { properties: {} }, other] = inputs
  const [union = ''] = name.split('_')
  const defaults = Object.fromEntries(
    words.flatMap((word) =>
      typeof word === 'object' && 'field' in word ? [[word.field, word.otherwise]] : [],
    ),
  )
  const required = input.required?.filter((field) => defaults[field] === undefined)
  const newest = 'last' in input.properties ? { last: NEWEST } : {}
  return {
    name,
    description: `${summary.replaceAll('`', '')}.`,
    input: other
      ? toArguments({ properties: { [union]: { oneOf: inputs } } }, [union])
      : toArguments(input, required),
    output: () =>
      z.toJSONSchema(operation.response?.() ?? z.any(), { unrepresentable: 'any' }) as never,
    readOnly: method === 'GET',
    destructive: method === 'DELETE' || discards,
    run: ({ sandbox, input: given, signal }) => {
      const isWait = given.timeout !== undefined || given.after !== undefined
      const sent = other
        ? (given[union] as Input)
        : { ...defaults, ...(!isWait && newest), ...given }
      return callOperation(sandbox.control, operation, sent, signal)
    },
  }
}

export function readArguments({ input }: Tool, given: unknown): Input {
  const { properties, required = [], additionalProperties } = input
  const names = Object.keys(properties)
  const sent = (given ?? {}) as Record<string, unknown>
  const unknown = Object.keys(sent).filter((name) => !additionalProperties && !names.includes(name))
  const problems = [
    ...unknown.map((name) => `${name} is not an argument of this tool${suggest(name, names)}`),
    ...required.filter((name) => sent[name] === undefined).map((name) => `${name} is required.`),
  ]
  if (problems.length > 0) throw new DomainError('invalid', problems.join(' '))
  return sent
}

/** Longest text of a field in a response that is not shown in full. */
const TEXT_MAX = 2_000

/** Shortens a response: drops nulls and fields that are not for agents, and cuts lists and texts. */
export function shorten(value: unknown, schema: JsonSchema, rowsMax: number): unknown {
  if (typeof value === 'string') return value.slice(0, TEXT_MAX)
  if (value === null || typeof value !== 'object') return value
  const {
    anyOf = [],
    items = {},
    properties,
  } = schema as { anyOf?: JsonSchema[]; items?: JsonSchema } & { properties?: Fields }
  if (Array.isArray(value)) {
    return value.slice(0, rowsMax).map((row) => shorten(row, items, rowsMax))
  }
  const [member = {}] = anyOf.filter((each) => each.type === 'object')
  const fields = properties ?? ((member.properties ?? {}) as Fields)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => each != null && fields[name]?.forAgents !== false)
      .map(([name, each]) => [name, shorten(each, fields[name] ?? {}, rowsMax)]),
  )
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const CONTROL_PATH = /^\/_sandbox(?=[/?]|$)/

/** Characters that a header can hold. */
const HeaderText = () => z.string().regex(/^[\x21-\x7e]*$/, { error: 'must be printable ASCII' })

const ANY_CALL = z.object({
  method: z.enum(METHODS),
  path: z
    .string()
    .regex(/^\//, { error: 'must begin with /' })
    .describe('The path, including the query.'),
  body: z.record(z.string(), z.unknown()).optional(),
  token: HeaderText().optional().describe('The access token of a user.'),
  apiKey: HeaderText().optional().describe('API key of another integrator.'),
})

/** The tool for everything that has no tool of its own. */
const callApi: Tool = {
  name: 'call_api',
  description:
    'Call the API as the app does (/v2/…, with the first API key), or the control API (/_sandbox/users/{email}, …). Says why a call was refused.',
  input: toArguments(toInputSchema(ANY_CALL), ['method', 'path']),
  readOnly: false,
  destructive: true,
  async run({ sandbox, input, signal }) {
    const asked = parseWith(ANY_CALL, input, 'body')
    const { method, path, body } = asked
    if (method === 'GET' && body !== undefined) {
      throw new DomainError('invalid', 'A GET takes no body: put its fields in the query.')
    }
    if (/\/_sandbox\/events\/stream\b/.test(path)) {
      throw new DomainError('invalid', 'This stream never ends: use the tool events instead.')
    }
    if (!CONTROL_PATH.test(path)) return await callContract(sandbox, asked)
    return sandbox.control(method, path.replace(CONTROL_PATH, ''), { body, signal })
  },
}

/** Calls the API, by default with the key of the first integrator. */
async function callContract(
  sandbox: Sandbox,
  { method, path, body, token, apiKey }: z.output<typeof ANY_CALL>,
) {
  const key = apiKey ?? (await sandbox.info()).integrators[0]?.apiKey ?? ''
  const response = await sandbox.fetch(path, {
    method,
    headers: {
      'x-api-key': key,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const shown = { status, body: parseJson(await response.text()) }
  const id = headers.get('x-sandbox-request')
  if (status < 400 || id === null) return shown
  const { reason, problems } = await sandbox.requests.get(id)
  return { ...shown, refused: { id, ...reason, problems } }
}

export const TOOLS: readonly Tool[] = [
  ...CONTROL_OPERATIONS.filter(({ tool }) => tool).map(toTool),
  callApi,
]
