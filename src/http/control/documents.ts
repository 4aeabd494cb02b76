import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import * as z from 'zod'
import { failToLoad } from '../open-files.ts'
import type { Env } from '../operation.ts'
import type { OperationDescription } from '../operation-description.ts'
import { requireNoToken } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { operation } from './dialect.ts'

const loadDocuments = () => import('../openapi/index.ts').catch(failToLoad)

const Document = () =>
  z.looseObject({ openapi: z.literal('3.1.0').describe('Version of OpenAPI.') })

/** Documents that programs and coding agents read first. */
export const documents = [
  operation('GET', '/openapi.json', 'getContractDocument', {
    summary: 'Read the OpenAPI document of the contract, for a sandbox with default settings',
    about: 'It needs no key and no token. Only its URL differs from world to world.',
    auth: requireNoToken,
    response: Document,
    handle: ({ c }) => respondWithDocument(c, 'contract'),
  }),
  operation('GET', '/_sandbox/openapi.json', 'getControlDocument', {
    summary: 'Read the OpenAPI document of the control API',
    about: 'Only its URL differs from world to world.',
    response: Document,
    handle: ({ c }) => respondWithDocument(c, 'control'),
  }),
  operation('GET', '/llms.txt', 'getLlmsText', {
    summary: 'Read an overview of the sandbox and its documents, for language models',
    about:
      'Plain text that says where the documents are and which calls to begin with. It needs no control token and contains no secrets.',
    auth: requireNoToken,
    response: () => z.string(),
    media: 'text/plain',
    handle: ({ c }) => c.text(formatLlms(c)),
  }),
]

/** Placeholder for the base URL, which differs by caller. */
const BASE_URL = 'base-url-of-the-document'

/** Making a document is slow, and it is the same for every world. */
const made: { contract?: string; control?: string } = {}

async function respondWithDocument(
  c: Context<Env>,
  kind: 'contract' | 'control',
): Promise<Response> {
  const { control } = c.env
  const { describeContract, describeControl } = await loadDocuments()
  const describe = kind === 'contract' ? describeContract : describeControl
  const { operations, version } = control
  made[kind] ??= JSON.stringify(describe({ operations, version, baseUrl: BASE_URL }))
  const text = made[kind].replace(JSON.stringify(BASE_URL), () => JSON.stringify(baseUrlOf(c)))
  const etag = `"${createHash('sha1').update(text).digest('base64url')}"`
  const headers = {
    'content-type': 'application/json',
    'x-sandbox-version': control.version,
    'cache-control': 'no-cache',
    etag,
  }
  const isKnown = c.req.header('if-none-match')?.includes(etag)
  return new Response(isKnown ? null : text, { status: isKnown ? 304 : 200, headers })
}

/** The calls that most programs begin with, by id. */
const CALLS = [
  'createUser',
  'createQuote',
  'createTransaction',
  'putWebhookSettings',
  'simulateKyc',
  'simulateBuy',
  'simulateSettled',
  'advanceClock',
  'readEvents',
  'listRequests',
]

/** The text that coding agents read first. It holds no secret. */
function formatLlms(c: Context<Env>): string {
  const { enabled, operations, version, token } = c.env.control
  const url = baseUrlOf(c)
  const isOpen = ({ path }: OperationDescription) => enabled || !path.startsWith('/_sandbox')
  const calls = CALLS.flatMap((id) => operations.filter((row) => row.id === id && isOpen(row)))
  const controlLines = `- Control API: ${url}/_sandbox${token ? ', with Authorization: Bearer <control token>' : ''}
- Refused calls: GET ${url}/_sandbox/requests?refused=true says why, and what would work
- Another world, with its own state and clock: ${url.replace(/\/w\/[^/]+$/, '')}/w/NAME, created by the first ${token ? 'control call' : 'call with an API key, or control call'}
`
  const controlDocuments = `- [OpenAPI of the control API](${url}/_sandbox/openapi.json)
- [Reference with a form for each call](${url}/_sandbox/reference)
- MCP: ${url}/_sandbox/mcp (Streamable HTTP), or the command \`npx --no -- ramp-sandbox mcp\` (stdio)
`
  return `# ramp-sandbox ${version}

> A local sandbox for a stablecoin ramp platform: the provider's v2 and v1 APIs, signed webhooks, and a control API for time, identity checks and money. No real money moves.

- Base URL: ${url}
- API key: sandbox-key with the built-in fixtures, in the x-api-key header
${enabled ? controlLines : '- The control API is switched off.\n'}
## Documents

- [OpenAPI of the API](${url}/openapi.json)
${enabled ? controlDocuments : ''}- \`npx --no -- ramp-sandbox commands --json\`: every command with its options and exit codes
- node_modules/ramp-sandbox/skills/ramp-sandbox/SKILL.md: five recipes

## Calls to begin with

${calls.map(({ method, path, summary }) => `- ${method} ${path.replace(/:(\w+)/g, '{$1}')}: ${summary}`).join('\n')}
`
}
