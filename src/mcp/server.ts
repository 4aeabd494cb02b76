import type { Sandbox } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import { RpcMessage, type RpcResponse } from '../http/mcp.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import { readArguments, shorten, TOOLS, type Tool } from './tools.ts'

/** Versions of the Model Context Protocol, newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Longest response in characters; agents pay for each. */
const RESPONSE_MAX = 40_000

const INSTRUCTIONS = `A local sandbox for a stablecoin ramp platform: no real money. Call info for the base URL and API key
that an app needs. Users and transactions change only through these tools, the API, and the passing of world time, which
runs unless you freeze it; each response has the events and webhooks that followed. explain says why one of the app's calls was refused.
Each tool takes \`world\`: another world of the same sandbox, by name, created on first use.`

const INVALID_REQUEST = -32600
const UNKNOWN_METHOD = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const PARSE_ERROR = -32700

/** A protocol error, which is the caller's mistake. */
const fail = (code: number, message: string) => ({ error: { code, message } })

export const PARSE_FAILURE: RpcResponse = {
  jsonrpc: '2.0',
  id: null,
  ...fail(PARSE_ERROR, 'This is not JSON.'),
}

interface RunOptions {
  sandbox: Sandbox
  signal?: AbortSignal | undefined
}

/**
 * Responds to one message of the protocol about one sandbox. It keeps nothing from one message to the
 * next, so both transports share it. Notifications have no response.
 */
export async function respondToMessage(
  message: unknown,
  options: RunOptions,
): Promise<RpcResponse | undefined> {
  const { data } = RpcMessage().safeParse(message)
  const isResponse = data && ('result' in data || 'error' in data)
  if (data === undefined || (data.method === undefined && !isResponse)) {
    const failure = fail(INVALID_REQUEST, 'This is not a JSON-RPC request.')
    return { jsonrpc: '2.0', id: null, ...failure }
  }
  const { id, method, params = {} } = data
  // Notifications get no response, and neither do responses that nobody asked for.
  if (id === undefined || id === null || method === undefined) return undefined
  try {
    return { jsonrpc: '2.0', id, ...(await run(method, params, options)) }
  } catch (error) {
    // A cancelled call needs no response.
    if (options.signal?.aborted) return undefined
    console.error(error)
    const failure = fail(INTERNAL_ERROR, 'The sandbox failed; see its log for the stack trace.')
    return { jsonrpc: '2.0', id, ...failure }
  }
}

type Params = Record<string, unknown>

async function run(method: string, params: Params, options: RunOptions) {
  switch (method) {
    case 'initialize':
      return { result: initialize(params) }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOLS.map(describeTool) } }
    case 'tools/call':
      return await callTool(params, options)
    default:
      return fail(
        UNKNOWN_METHOD,
        `There is no method ${toVisible(method)}; this server has tools only.`,
      )
  }
}

/** Picks the caller's version if it is known, otherwise the newest, which the caller may decline. */
function initialize({ protocolVersion }: Params) {
  const known = PROTOCOL_VERSIONS.find((version) => version === protocolVersion)
  return {
    protocolVersion: known ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'ramp-sandbox', title: 'Ramp sandbox', version: __VERSION__ },
    instructions: INSTRUCTIONS,
  }
}

async function callTool({ name, arguments: given }: Params, { sandbox, signal }: RunOptions) {
  const tool = TOOLS.find((one) => one.name === name)
  if (typeof name !== 'string')
    return fail(INVALID_PARAMS, 'params.name must be the name of a tool.')
  if (tool === undefined) {
    const names = TOOLS.map((one) => one.name)
    return fail(INVALID_PARAMS, `There is no tool ${toVisible(name)}${suggest(name, names)}`)
  }
  try {
    const { world, ...input } = readArguments(tool, given)
    const meant = typeof world === 'string' ? sandbox.world(world) : sandbox
    const response = await tool.run({ sandbox: meant, input, signal })
    return { result: toResult(response ?? {}, tool) }
  } catch (error) {
    return { result: { content: [{ type: 'text', text: formatError(error) }], isError: true } }
  }
}

/** Words an error so that a caller can try again: its code, the problem and the fix. */
function formatError(error: unknown): string {
  if (error instanceof DomainError) return error.problems.map(({ message }) => message).join(' ')
  // `encodeURIComponent` rejects half a surrogate pair.
  if (error instanceof URIError) return 'An argument contains half of a surrogate pair.'
  if (!(error instanceof SandboxError)) throw error
  const { code, message, allowed } = error
  const hint = code === 'unreachable' ? ' Start one with ramp-sandbox start.' : ''
  const from = allowed ? ` Possible next statuses: ${allowed.join(', ') || 'none'}.` : ''
  return `${code}: ${message}${from}${hint}`
}

/** Most rows of a list in a response; the next number applies if the text is too long. */
const ROWS_MAX = [50, 10, 2]

function toResult(response: unknown, { output }: Tool) {
  const schema = output?.()
  const tries = schema ? ROWS_MAX.map((rows) => shorten(response, schema, rows)) : [response]
  const shown = tries.find((each) => JSON.stringify(each).length <= RESPONSE_MAX) ?? tries.at(-1)
  const text = JSON.stringify(shown)
  const isLong = text.length > RESPONSE_MAX
  const cut = isLong ? `${text.slice(0, RESPONSE_MAX)}… (${text.length} characters in all)` : text
  return {
    content: [{ type: 'text', text: cut }],
    // A part of a text is not JSON any more.
    structuredContent: isLong && !schema ? { characters: text.length } : shown,
    isError: false,
  }
}

function describeTool({ name, description, input, readOnly, destructive }: Tool) {
  return {
    name,
    description,
    inputSchema: input,
    annotations: readOnly ? { readOnlyHint: true } : { destructiveHint: destructive },
  }
}
