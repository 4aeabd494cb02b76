import * as z from 'zod'
import type { Sandbox } from '../client/client.ts'
import type { ControlMethod } from '../client/control.ts'
import { parseJson } from '../client/http.ts'
import { parseWith } from '../fixture/zod-problems.ts'
import { DomainError } from '../world/domain-error.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies ControlMethod[]
const CONTROL_PATH = /^\/_sandbox(?=[/?]|$)/

/** What a header can hold. */
const HeaderText = () => z.string().regex(/^[\x21-\x7e]*$/, { error: 'must be printable ASCII' })

export type Input = Readonly<Record<string, unknown>>

export interface ToolCall {
  sandbox: Sandbox
  input: Input
  signal: AbortSignal | undefined
}

/** Whatever has no tool of its own. */
export const callApi = {
  name: 'call_api',
  description:
    'Any call: of the API as the app makes it (/v2/…, with the API key of the first integrator), or of the control API (/_sandbox/users/{email}, /_sandbox/transactions/{id}, …). A refused call comes with the reason.',
  input: {
    method: z.enum(METHODS),
    path: z.string().regex(/^\//, { error: 'must begin with /' }).describe('With its query.'),
    body: z.record(z.string(), z.unknown()).optional(),
    token: HeaderText().optional().describe('The access token of a user.'),
    apiKey: HeaderText().optional().describe('Of another integrator.'),
  },
  async run({ sandbox, input: given, signal }: ToolCall): Promise<unknown> {
    const input = parseWith(z.looseObject(callApi.input), given, 'body') as ContractCall
    const { method, path, body } = input
    assertCanBeSent(input)
    if (!CONTROL_PATH.test(path)) return presentAnswer(sandbox, await callContract(sandbox, input))
    return sandbox.control(method, path.replace(CONTROL_PATH, ''), { body, signal })
  },
}

function assertCanBeSent({ method, path, body }: ContractCall) {
  if (method === 'GET' && body !== undefined) {
    throw new DomainError('invalid', 'A GET takes no body: put its fields in the query.', {
      field: 'body',
    })
  }
  if (/\/_sandbox\/events\/stream\b/.test(path)) {
    throw new DomainError('invalid', 'This stream never ends: take the tool events.', {
      field: 'path',
    })
  }
}

interface ContractCall {
  method: ControlMethod
  path: string
  body?: object | undefined
  token?: string | undefined
  apiKey?: string | undefined
}

/** A call of the API, with the key of the first integrator where none is given. */
async function callContract(
  sandbox: Sandbox,
  { method, path, body, token, apiKey }: ContractCall,
): Promise<Response> {
  const key = apiKey ?? (await sandbox.info()).integrators[0]?.apiKey ?? ''
  return await sandbox.fetch(path, {
    method,
    headers: {
      'x-api-key': key,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function presentAnswer(sandbox: Sandbox, response: Response) {
  const { status, headers } = response
  const answer = { status, body: parseJson(await response.text()) }
  const id = headers.get('x-sandbox-request')
  if (status < 400 || id === null) return answer
  const { reason, problems } = await sandbox.requests.get(id)
  return { ...answer, refused: { id, ...reason, problems } }
}
