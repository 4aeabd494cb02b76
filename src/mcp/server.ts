import type { Sandbox } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import type { RpcAnswer } from '../http/services.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { readArguments, shorten, TOOLS, type Tool } from './tools.ts'

/** Of the Model Context Protocol, newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Characters of one answer: its reader pays for each. */
const ANSWER_MAX = 40_000

const INSTRUCTIONS = `A local sandbox of a stablecoin ramp platform: no real money. Call info for the base URL and API key
that an app needs. Users, transactions and time change only through these tools and the API; each answer has the events
and webhooks that followed. explain says why a call of the app was refused.
Each tool takes \`world\`: another world of the same sandbox, by name, made on first use.`

export interface RpcMessage {
  id?: string | number | null | undefined
  method?: string | undefined
  params?: Record<string, unknown> | undefined
}

const INVALID_REQUEST = -32600
const UNKNOWN_METHOD = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const PARSE_ERROR = -32700

/** What the caller did wrong with the protocol itself. */
class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const toParseError = (): RpcAnswer => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: PARSE_ERROR, message: 'This is not JSON.' },
})

/**
 * Answers one message of the protocol about one sandbox. It keeps nothing from one message to the
 * next, so both transports share it. Notifications have no answer.
 */
export async function answerMessage(
  message: unknown,
  options: RunOptions,
): Promise<RpcAnswer | undefined> {
  if (!isMessage(message)) {
    const error = { code: INVALID_REQUEST, message: 'This is not a JSON-RPC request.' }
    return { jsonrpc: '2.0', id: null, error }
  }
  const { id, method, params = {} } = message
  // A notification, or an answer to a question that was never asked.
  if (id === undefined || id === null || method === undefined) return undefined
  try {
    return { jsonrpc: '2.0', id, result: await run(method, params, options) }
  } catch (error) {
    // Nobody waits for the answer of a call that was cancelled.
    if (options.signal?.aborted) return undefined
    return { jsonrpc: '2.0', id, error: toRpcError(error) }
  }
}

function toRpcError(error: unknown) {
  if (error instanceof RpcError) return { code: error.code, message: error.message }
  console.error(error)
  return { code: INTERNAL_ERROR, message: 'The sandbox failed; its log has the stack.' }
}

function isMessage(value: unknown): value is RpcMessage {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const hasId = id === undefined || id === null || ['string', 'number'].includes(typeof id)
  const hasParams = params === undefined || (typeof params === 'object' && params !== null)
  const isAnswer = method === undefined && ('result' in value || 'error' in value)
  return jsonrpc === '2.0' && hasId && hasParams && (typeof method === 'string' || isAnswer)
}

interface RunOptions {
  sandbox: Sandbox
  signal?: AbortSignal | undefined
}

async function run(method: string, params: Record<string, unknown>, options: RunOptions) {
  switch (method) {
    case 'initialize':
      return initialize(params)
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: TOOLS.map(describeTool) }
    case 'tools/call':
      return await callTool(params, options)
    default:
      throw new RpcError(
        UNKNOWN_METHOD,
        `There is no method ${method}; this server has tools only.`,
      )
  }
}

/** The version that the caller asks for where it is known, else the newest, which they may decline. */
function initialize({ protocolVersion }: Record<string, unknown>) {
  const [newest] = PROTOCOL_VERSIONS
  const known = PROTOCOL_VERSIONS.find((version) => version === protocolVersion)
  return {
    protocolVersion: known ?? newest,
    capabilities: { tools: {} },
    serverInfo: { name: 'ramp-sandbox', title: 'Ramp sandbox', version: __VERSION__ },
    instructions: INSTRUCTIONS,
  }
}

async function callTool({ name, arguments: given }: Record<string, unknown>, options: RunOptions) {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool === undefined) throw unknownTool(String(name))
  try {
    return toResult((await runTool(tool, given ?? {}, options)) ?? {}, tool)
  } catch (error) {
    if (error instanceof DomainError || error instanceof SandboxError) {
      return toResult(formatError(error))
    }
    // Of a path that is made of an argument.
    if (error instanceof URIError) return toResult('An argument holds half of a character.')
    throw error
  }
}

function unknownTool(name: string): RpcError {
  const names = TOOLS.map((tool) => tool.name)
  return new RpcError(INVALID_PARAMS, `There is no tool ${name}${suggest(name, names)}`)
}

function runTool(tool: Tool, given: unknown, { sandbox, signal }: RunOptions) {
  const { world, ...input } = readArguments(tool, given)
  const meant = typeof world === 'string' ? sandbox.world(world) : sandbox
  return tool.run({ sandbox: meant, input, signal })
}

/** Its code, what is wrong and what would work, for a caller that tries again. */
function formatError(error: DomainError | SandboxError): string {
  if (error instanceof DomainError) return error.problems.map(({ message }) => message).join(' ')
  const { code, message, allowed } = error
  const hint = code === 'unreachable' ? ' ramp-sandbox start starts one.' : ''
  const from = allowed ? ` From there it can go to: ${allowed.join(', ') || 'nowhere'}.` : ''
  return `${code}: ${message}${from}${hint}`
}

/** Rows of a list that one answer shows, and fewer where that is too long. */
const ROWS_MAX = [50, 10, 2]

function toResult(answer: unknown, tool?: Tool) {
  if (typeof answer === 'string')
    return { content: [{ type: 'text', text: answer }], isError: tool === undefined }
  const isShort = tool?.output !== undefined
  const tries = isShort ? ROWS_MAX.map((rows) => shorten(answer, rows)) : [answer]
  const shown = tries.find((each) => JSON.stringify(each).length <= ANSWER_MAX) ?? tries.at(-1)
  const text = JSON.stringify(shown)
  const isLong = text.length > ANSWER_MAX
  const cut = isLong ? `${text.slice(0, ANSWER_MAX)}… (${text.length} characters in all)` : text
  return {
    content: [{ type: 'text', text: cut }],
    ...(isShort && { structuredContent: shown }),
    isError: false,
  }
}

function describeTool({ name, description, input, output, readOnly, destructive }: Tool) {
  const annotations = {
    ...(readOnly && { readOnlyHint: true }),
    ...(!readOnly && { destructiveHint: destructive }),
  }
  return {
    name,
    description,
    inputSchema: input,
    ...(output && { outputSchema: output }),
    annotations,
  }
}
