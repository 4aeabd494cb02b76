import * as z from 'zod'
import type { Sandbox } from '../client/client.ts'
import { callOperation } from '../client/control-api.ts'
import { parseJson } from '../client/http.ts'
import type { ControlOperation, ControlOperationName } from '../control-api/index.ts'
import { CONTROL_OPERATIONS } from '../control-api/index.ts'
import { type InputSchema, inputsOf, toInputSchema } from '../control-api/inputs.ts'
import type { JsonSchema } from '../control-api/schema.ts'
import type { SettingRecord } from '../control-api/settings.ts'
import type { SettingChanges } from '../control-api/wire.ts'
import { DomainError } from '../world/domain-error.ts'
import { GIVEN_NAMES } from '../world/fields.ts'
import { suggest } from '../world/nearest.ts'
import { parseWith } from '../world/zod-problems.ts'

type Input = Readonly<Record<string, unknown>>

interface ToolCall {
  sandbox: Sandbox
  input: Input
  signal: AbortSignal | undefined
}

/** A control operation for agents, which choose a tool by its description. */
export interface Tool {
  name: string
  description: string
  input: InputSchema
  output: JsonSchema
  /** Shows responses in full, as far as they fit. */
  isWhole?: true
  readOnly: boolean
  destructive: boolean
  run(call: ToolCall): Promise<unknown>
}

const WAIT_DEFAULT = '10s'
const NEWEST_DEFAULT = 10

/** Fields that no agent needs. Each would cost tokens in every context. */
const LONG: ReadonlySet<string> = new Set([
  'deliver',
  ...GIVEN_NAMES,
  'integrator',
  'last',
  'legacy',
  'limit',
  'occupation',
  'pep',
  'q',
  'tpd',
])

/** Schema keywords that agents do not need. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'default',
  'examples',
  'inField',
  'isClosed',
  'maxItems',
  'maxLength',
  'minLength',
  'pattern',
  'propertyNames',
  'title',
  'typeName',
  'wire',
  'x-closed',
])

/** Fields whose name says enough without a description. */
const PLAIN: ReadonlySet<string> = new Set([
  'addressLine1',
  'addressLine2',
  'body',
  'city',
  'clock',
  'count',
  'dob',
  'drop',
  'duplicate',
  'email',
  'error',
  'field',
  'firstName',
  'generation',
  'headers',
  'hook',
  'id',
  'integrator',
  'keep',
  'kind',
  'lastName',
  'match',
  'message',
  'method',
  'mutate',
  'name',
  'on',
  'operation',
  'phone',
  'postalCode',
  'province',
  'ref',
  'seed',
  'then',
  'timeout',
  'toNext',
  'type',
  'user',
])

/** The arguments of a tool, with the name of a world. A union becomes one field, `fault`. */
function toInput(inputs: readonly InputSchema[], plain = PLAIN): InputSchema {
  const isPlain = (name: string, value: { description?: string } | null) =>
    plain.has(name) && value?.description !== undefined
  const [only] = inputs
  const { properties, required = [] } =
    inputs.length === 1 && only
      ? only
      : { properties: { fault: { oneOf: inputs } }, required: ['fault'] }
  const own = Object.entries(properties).filter(([name]) => !LONG.has(name))
  const text = JSON.stringify(Object.fromEntries(own), (name, value) => {
    // Nobody comes near such a bound.
    const isHuge = Math.abs(value) >= 1_000_000
    if (LEFT_OUT.has(name) || isHuge) return undefined
    return isPlain(name, value) ? { ...value, description: undefined } : value
  })
  return {
    type: 'object',
    properties: { ...JSON.parse(text), world: { type: 'string' } },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** The arguments of a tool that is defined here, with all descriptions. */
const toArguments = (shape: z.ZodRawShape) => toInput([toInputSchema(z.object(shape))], new Set())

/** Tools that differ from the plain call of their row. */
const OWN: Partial<Record<ControlOperationName, Partial<Tool>>> = {
  'settings.set': {
    name: 'settings',
    description:
      'Change what the provider leaves open, such as `{"quotes.ttl": "5m"}`; null is the default. `search` alone finds settings, with neither, all are listed.',
    input: toArguments({
      set: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
      search: z.string().optional().describe('A word of the id or of the question.'),
    }),
    async run({ sandbox, input: { set, search } }) {
      if (set !== undefined) {
        const changed = await sandbox.settings.set(set as SettingChanges)
        if (search === undefined) return { settings: changed.map(shortenSetting) }
      }
      const all = await sandbox.settings.list()
      if (typeof search !== 'string') return { all: toOptionsById(all) }
      const word = search.toLowerCase()
      const found = all.filter(({ id, question }) =>
        `${id} ${question}`.toLowerCase().includes(word),
      )
      return { settings: found.map(shortenSetting) }
    },
    output: {
      type: 'object',
      properties: { settings: { type: 'array' }, all: { type: 'object' } },
    },
  },
  explain: {
    description:
      'Explain a refused API call: why, the rule of the contract, what would work, what it caused. Without `id`: the last calls.',
    input: toArguments({
      id: z.string().optional().describe('Such as `req_7`, from the header x-sandbox-request.'),
      operation: z.string().optional().describe('Such as `findUsers`.'),
    }),
    async run({ sandbox, input: { id, operation } }) {
      if (typeof id === 'string') return { calls: [await sandbox.requests.get(id)] }
      const query = { ...NEWEST, refused: true, operation: operation as never }
      const { total, requests: calls } = (await sandbox.control('GET', '/requests', {
        query,
      })) as Input
      return { total, calls }
    },
    output: {
      type: 'object',
      properties: { total: { type: 'integer' }, calls: { type: 'array' } },
    },
  },
  'faults.add': { name: 'fault_add' },
  'events.read': {
    run: ({ sandbox, input, signal }) =>
      sandbox.control('GET', '/events', {
        query: { timeout: WAIT_DEFAULT, count: 1, ...(input as object) },
        signal,
      }),
  },
  'inbox.read': {
    run: async ({ sandbox, input }) =>
      pick('messages', await sandbox.control('GET', '/inbox', { query: { ...NEWEST, ...input } })),
  },
  'webhooks.deliveries': {
    run: async ({ sandbox, input: { after: _, ...filter } }) => {
      const query = { ...NEWEST, ...filter }
      return pick('deliveries', await sandbox.control('GET', '/webhooks/deliveries', { query }))
    },
  },
}

const shortenSetting = ({ why: _, contractRef: __, strict: ___, ...row }: SettingRecord) => row

/** The value and options of each setting; as an object, because long lists are cut. */
const toOptionsById = (rows: readonly SettingRecord[]) =>
  Object.fromEntries(rows.map(({ id, value, options }) => [id, { value, options }]))

const NEWEST = { last: NEWEST_DEFAULT }

const pick = (name: string, { total, [name]: rows }: Input) => ({ total, [name]: rows })

function toTool(operation: ControlOperation): Tool {
  const { as, method, summary, words = [] } = operation
  const inputs = inputsOf(operation)
  const literals = words.filter((word) => typeof word === 'string')
  const base: Tool = {
    name: literals.join('_').replaceAll('-', '_'),
    description: `${summary}.`,
    input: toInput(inputs),
    output: toOutput(operation),
    readOnly: method === 'GET',
    destructive: method === 'DELETE' || as === 'reset' || as === 'snapshots.restore',
    run: ({ sandbox, input, signal }) => {
      const sent = inputs.length === 1 ? input : (input.fault as Input)
      return callOperation(sandbox.control, operation, sent, signal)
    },
  }
  return { ...base, ...OWN[as] }
}

const OUTPUT_FIELDS_MAX = 10

/** The top-level fields of a response and their types. */
function toOutput({ response }: ControlOperation): JsonSchema {
  const schema = response
    ? (z.toJSONSchema(response(), { unrepresentable: 'any' }) as JsonSchema)
    : {}
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const typed = fields.filter(([name]) => !BULKY.has(name))
  // Listing a whole record would cost many tokens and say little.
  if (typed.length > OUTPUT_FIELDS_MAX) return { type: 'object' }
  return {
    type: 'object',
    properties: Object.fromEntries(typed.map(([name, { type }]) => [name, type ? { type } : {}])),
  }
}

/** Checks the arguments of a tool. */
export function readArguments({ input }: Tool, given: unknown): Input {
  const { properties, required = [] } = input
  const names = Object.keys(properties)
  const sent = (given ?? {}) as Record<string, unknown>
  const problems = [
    ...Object.keys(sent)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not an argument of this tool${suggest(name, names)}`),
    ...required.filter((name) => sent[name] === undefined).map((name) => `${name} is required.`),
  ]
  if (problems.length > 0) throw new DomainError('invalid', problems.join(' '))
  return sent
}

/** Long fields that agents seldom need; the control API still returns them. */
const BULKY: ReadonlySet<string> = new Set([
  'payload',
  'cause',
  'headers',
  'history',
  'breakdown',
  'links',
  'cursors',
  'profile',
])

/** Shortens a response: drops nulls and bulky fields and cuts lists. */
export function shorten(value: unknown, rowsMax: number): unknown {
  if (Array.isArray(value)) return value.slice(0, rowsMax).map((row) => shorten(row, rowsMax))
  if (value === null || typeof value !== 'object') return value
  // A delivery loses its raw bytes; a call keeps them.
  const isDelivery = 'eventId' in value && 'outcome' in value
  const { request, response, ...rest } = value as Record<string, unknown>
  const { status, body } = (response ?? {}) as { status?: number; body?: unknown }
  const shown = isDelivery
    ? { ...rest, ...(response ? { response: { status, body: String(body).slice(0, 200) } } : {}) }
    : value
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([name, each]) => each !== null && each !== undefined && !BULKY.has(name))
      .map(([name, each]) => [name, shorten(each, rowsMax)]),
  )
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const CONTROL_PATH = /^\/_sandbox(?=[/?]|$)/

/** Characters that a header can hold. */
const HeaderText = () => z.string().regex(/^[\x21-\x7e]*$/, { error: 'must be printable ASCII' })

const ANY_CALL = z.object({
  method: z.enum(METHODS),
  path: z.string().regex(/^\//, { error: 'must begin with /' }).describe('Query included.'),
  body: z.record(z.string(), z.unknown()).optional(),
  token: HeaderText().optional().describe('The access token of a user.'),
  apiKey: HeaderText().optional().describe('For another integrator.'),
})

/** The tool for everything that has no tool of its own. */
const callApi: Tool = {
  name: 'call_api',
  description:
    'Call the API as the app does (/v2/…, with the first API key), or the control API (/_sandbox/users/{email}, …). Says why a call was refused.',
  input: toArguments(ANY_CALL.shape),
  output: { type: 'object' },
  isWhole: true,
  readOnly: false,
  destructive: true,
  async run({ sandbox, input, signal }) {
    const asked = parseWith(ANY_CALL, input, 'body')
    const { method, path, body } = asked
    if (method === 'GET' && body !== undefined) {
      throw new DomainError('invalid', 'A GET takes no body: put its fields in the query.')
    }
    if (/\/_sandbox\/events\/stream\b/.test(path)) {
      throw new DomainError('invalid', 'This stream never ends: take the tool events.')
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
