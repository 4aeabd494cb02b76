import * as z from 'zod'
import { named } from '../control-api/schema.ts'

const RpcId = () => z.union([z.string(), z.number()]).nullable()
export const RpcMessage = () =>
  z
    .looseObject({
      jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
      id: RpcId().optional().describe('Returned with the response; a notification has none.'),
      method: z.string().optional().describe('Such as `initialize`, `tools/list` or `tools/call`.'),
      params: z.record(z.string(), z.unknown()).optional().describe('Parameters of the method.'),
    })
    .meta({ title: 'RpcMessage', description: 'A JSON-RPC 2.0 message.' })

export const RpcResponse = () =>
  named('RpcResponse', {
    jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
    id: RpcId().describe('The id of the request.'),
    result: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What the method returns; absent after an error.'),
    error: z
      .strictObject({
        code: z.int().describe('A JSON-RPC error code.'),
        message: z.string().describe('Message of the error in the response.'),
      })
      .optional()
      .describe('What is wrong with the message.'),
  })
export type RpcResponse = z.output<ReturnType<typeof RpcResponse>>

/** The Model Context Protocol, which coding agents speak. */
export interface Mcp {
  versions(): Promise<readonly string[]>
  /** Undefined for a message that has no response. */
  respond(message: unknown, caller: McpCaller): Promise<RpcResponse | undefined>
}

/** Sender of a message. The tools that it runs have this caller's rights. */
export interface McpCaller {
  url: string
  host: string
  controlToken: string | undefined
  cookie: string | undefined
  signal: AbortSignal
}
