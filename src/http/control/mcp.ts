import { toVisible, wordList } from '../../world/word-list.ts'
import { RpcMessage, RpcResponse } from '../mcp.ts'
import { HttpError } from '../status.ts'
import { bearerTokenIn } from './auth.ts'
import { operation } from './dialect.ts'

export const mcp = [
  operation('POST', '/_sandbox/mcp', 'respondToMcp', {
    summary: 'Handle an MCP message; the tools are control operations of this world',
    about:
      'It speaks Streamable HTTP, without sessions: one message in, one response out as JSON. The tools can do no more than their caller. A notification gets 202 and no body.',
    success: 'The JSON-RPC response, including protocol errors.',
    body: RpcMessage,
    response: RpcResponse,
    accepted: 'The message needs no response.',
    async handle({ c, header, input: { body } }) {
      const { origin, host } = new URL(c.req.url)
      const { mcp } = c.env.control
      assertVersion(header('mcp-protocol-version'), await mcp.versions())
      const response = await mcp.respond(body, {
        url: `${origin}${c.env.prefix}`,
        host: header('host') ?? host,
        controlToken: bearerTokenIn({ header }),
        cookie: header('cookie'),
        signal: c.req.raw.signal,
      })
      return response ?? new Response(null, { status: 202 })
    },
  }),
]

function assertVersion(version: string | undefined, known: readonly string[]) {
  if (version === undefined || known.includes(version)) return
  const message = `MCP-Protocol-Version must be ${wordList(known, 'or')}, not ${toVisible(version)}.`
  throw new HttpError(400, 'mcp-protocol-version', message)
}
