import type { Context } from 'hono'
import * as z from 'zod'
import type { OperationDescription } from '../operation-description.ts'
import type { Env } from '../services.ts'
import { requireNoToken } from './auth.ts'
import { operation } from './dialect.ts'
import { baseUrlOf } from './shapes.ts'

const MEDIA = 'text/plain'

/** What a program reads first that writes code against the API; it says nothing that is secret. */
export const llms = [
  operation('GET', '/llms.txt', {
    id: 'getLlmsText',
    summary: 'Read what this is, and where to go on, as a language model reads it',
    about:
      'Says in plain text what this is, where its documents are and which calls to begin with. It needs no control token and holds no secret; without the control API it leaves that out.',
    success: 'The text.',
    auth: requireNoToken,
    answer: () => z.string(),
    media: MEDIA,
    handle: ({ c }) =>
      new Response(formatText(c), { headers: { 'content-type': `${MEDIA}; charset=utf-8` } }),
  }),
]

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

function formatText(c: Context<Env>): string {
  const { enabled, operations, version, token } = c.env.control
  const url = baseUrlOf(c)
  const isOpen = ({ path }: OperationDescription) => enabled || !path.startsWith('/_sandbox')
  const calls = CALLS.flatMap((id) => operations.filter((row) => row.id === id && isOpen(row)))
  return `# ramp-sandbox ${version}

> A local sandbox of a stablecoin ramp platform: the provider's v2 and v1 APIs, signed webhooks, and time, identity checks and money that a test controls. No real money moves.

- Base URL: ${url}
- API key: the header x-api-key; sandbox-key with the fixtures that come with it
${enabled ? describeControl(url, token !== undefined) : '- The control API is switched off.\n'}
## Documents

- [OpenAPI of the API](${url}/openapi.json)
${enabled ? describeControlDocuments(url) : ''}- \`npx ramp-sandbox commands --json\`: every command with its options and exit codes
- node_modules/ramp-sandbox/skills/ramp-sandbox/SKILL.md: five recipes

## Calls to begin with

${calls.map(({ method, path, summary }) => `- ${method} ${toTemplate(path)}: ${summary}`).join('\n')}
`
}

const describeControl = (url: string, hasToken: boolean) =>
  `- Control API: ${url}/_sandbox${hasToken ? ', with Authorization: Bearer <control token>' : ''}
- Each call that was refused: GET ${url}/_sandbox/requests?refused=true says why, and what would work
- Another world, with its own state and clock: ${url.replace(/\/w\/[^/]+$/, '')}/w/NAME, made on first use
`

const describeControlDocuments = (url: string) =>
  `- [OpenAPI of the control API](${url}/_sandbox/openapi.json)
- [Reference with a form for each call](${url}/_sandbox/reference)
- MCP: ${url}/_sandbox/mcp (Streamable HTTP), or the command \`npx ramp-sandbox mcp\` (stdio)
`

const toTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}')
