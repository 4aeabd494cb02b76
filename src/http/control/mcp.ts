import * as z from 'zod'
import { HttpError } from '../status.ts'
import { titled } from '../titled.ts'
import { bearerTokenIn } from './auth.ts'
import { operation } from './dialect.ts'

const Message = () =>
  z
    .looseObject({
      jsonrpc: z.literal('2.0'),
      id: z.union([z.string(), z.number()]).optional(),
      method: z.string().optional(),
      params: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ title: 'RpcMessage', description: 'One message of JSON-RPC 2.0.' })

const Answer = () =>
  titled('RpcAnswer', {
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullable(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.strictObject({ code: z.int(), message: z.string() }).optional(),
  })

export const mcp = [
  operation('POST', '/_sandbox/mcp', {
    id: 'answerMcp',
    summary: 'Answer a message of the Model Context Protocol, whose tools are levers on this world',
    about:
      'Speaks the Model Context Protocol over Streamable HTTP, without sessions: one message in, one answer out as JSON. Its tools create users and transactions, move time, simulate, wait for events, explain refused calls and add faults; they can do no more than their caller. A notification is answered with 202 and no body.',
    success: 'The answer of JSON-RPC, errors of the protocol included.',
    body: Message,
    answer: Answer,
    accepted: 'What was sent asks for no answer.',
    async handle({ c, header, input: { body } }) {
      const { origin, host } = new URL(c.req.url)
      const { mcp: server } = c.env.control
      assertVersion(header('mcp-protocol-version'), await server.versions())
      const answer = await server.answer(body, {
        url: `${origin}${c.env.prefix}`,
        host: header('host') ?? host,
        controlToken: bearerTokenIn({ header }),
        cookie: header('cookie'),
        signal: c.req.raw.signal,
      })
      return answer ?? new Response(null, { status: 202 })
    },
  }),
]

function assertVersion(version: string | undefined, known: readonly string[]) {
  if (version === undefined || known.includes(version)) return
  const message = `MCP-Protocol-Version must be one of ${known.join(', ')}, not ${version}.`
  throw new HttpError(400, 'mcp-protocol-version', message)
}
