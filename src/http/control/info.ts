import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import * as z from 'zod'
import { WorldInfo } from '../../control-api/info.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import type { Settings } from '../../world/settings/index.ts'
import { describeSunset } from '../../world/sunset.ts'
import { RpcMessage, RpcResponse } from '../mcp.ts'
import { failToLoad } from '../open-files.ts'
import type { Env } from '../operation.ts'
import { type OperationDescription, TOKEN_COOKIE } from '../operation-description.ts'
import type { Services } from '../services.ts'
import { HttpError } from '../status.ts'
import { bearerTokenIn, identifyControl, requireNoToken } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { implement, operation } from './dialect.ts'
import { presentAs } from './present-as.ts'

export const info = [
  implement(
    'health',
    ({ c, who, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      ...(who && { world: services.name, now: formatInstant(world.now) }),
      ...(who?.isMain && { storage: c.env.control.storage() }),
    }),
    identifyControl,
  ),
  implement('info', ({ c, services }) => presentInfo(c, services)),
]

function presentInfo(c: Context<Env>, services: Services): WorldInfo {
  const { name, world, outbox, requests } = services
  const baseUrl = baseUrlOf(c)
  const controlUrl = `${baseUrl}/_sandbox`
  return presentAs(WorldInfo, world, {
    version: c.env.control.version,
    world: name,
    baseUrl,
    controlUrl,
    dashboardUrl: `${controlUrl}/`,
    taskCount: world.tasks.size,
    integrators: world.integrators.map((row) => ({ ...row, webhookUrl: row.webhook?.url ?? null })),
    names: presentNames(world.settings),
    counts: countRows(services),
    cursors: {
      events: String(world.events.last),
      inbox: String(world.messages.last),
      deliveries: String(outbox.journal.last),
      requests: String(requests.last),
    },
    v1: describeSunset(world),
    links: Object.fromEntries(
      LINKS.map((path) => [path.split('/').at(-1), `${controlUrl}/${path}`]),
    ),
  })
}

const presentNames = (settings: Settings) => ({
  timestampHeader: `${settings['names.headerPrefix']}-Timestamp`,
  signatureHeader: `${settings['names.headerPrefix']}-Signature`,
  securityAnswerField: settings['names.securityAnswerField'],
  envelopeId: settings['names.envelopeId'],
})

function countRows({ world, outbox, requests }: Services) {
  const { users, transactions } = world
  return {
    users: users.length,
    usersByStatus: countEach(users.map(({ status }) => status)),
    transactions: transactions.length,
    transactionsByStatus: countEach(transactions.map(({ status }) => shownStatus(world, status))),
    quotes: world.quotes.size,
    kybSubmissions: world.kybSubmissions.length,
    events: world.events.last,
    messages: world.messages.last,
    deliveries: outbox.journal.last,
    requests: requests.last,
    pendingDeliveries: outbox.pending,
  }
}

/** Counts how often each text occurs, in the order of the texts. */
function countEach(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts.toSorted()) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

/** Each is named by the last part of its path. */
const LINKS = [
  'clock',
  'users',
  'transactions',
  'inbox',
  'events',
  'events/stream',
  'webhooks/deliveries',
  'requests',
  'rates',
  'settings',
  'worlds',
]

const loadDocuments = () => import('../openapi/index.ts').catch(failToLoad)

const Document = () =>
  z.looseObject({ openapi: z.literal('3.1.0').describe('Version of OpenAPI.') })

/** Operations besides those of the control API that programs and pages need: documents, MCP, and the cookie of the inspector. */
export const documents = [
  operation('GET', '/openapi.json', 'getContractDocument', {
    summary:
      'Read the OpenAPI document of the contract, as a sandbox with default settings responds',
    about: 'It needs no key and no token. Only its URL differs from world to world.',
    auth: requireNoToken,
    response: Document,
    handle: ({ c }) => respondWithDocument(c, 'contract'),
  }),
  operation('GET', '/_sandbox/openapi.json', 'getControlDocument', {
    summary: 'Read the OpenAPI document of the control API, which you are reading',
    about: 'Only its URL differs from world to world.',
    response: Document,
    handle: ({ c }) => respondWithDocument(c, 'control'),
  }),
  operation('GET', '/llms.txt', 'getLlmsText', {
    summary: 'Read an overview of the sandbox and its documents, for language models',
    about:
      'It is plain text: where its documents are and which calls to begin with. It needs no control token and holds no secret; without the control API it leaves that out.',
    auth: requireNoToken,
    response: () => z.string(),
    media: 'text/plain',
    handle: ({ c }) => c.text(formatLlms(c)),
  }),
  operation('POST', '/_sandbox/mcp', 'respondToMcp', {
    summary:
      'Respond to a message of the Model Context Protocol, whose tools are control operations of this world',
    about:
      'It speaks Streamable HTTP, without sessions: one message in, one response out as JSON. The tools create users and transactions, move time, simulate, wait for events, explain refused calls and add faults; they can do no more than their caller. A notification gets 202 and no body.',
    success: 'The response of JSON-RPC, errors of the protocol included.',
    body: RpcMessage,
    response: RpcResponse,
    accepted: 'What was sent asks for no response.',
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
  operation('POST', '/_sandbox/sign-in', 'signIn', {
    summary: 'Keep the control token in a cookie, for the inspector',
    about:
      'It is that of the header `Authorization`, so that the inspector need not ask for it again. Without a control token it does nothing.',
    success: 'The cookie is set, where a token was sent.',
    status: 204,
    handle({ c, who: { isMain }, header }) {
      const token = bearerTokenIn({ header })
      // A private world accepts any token, and a wrong one must not replace a good cookie.
      c.header('x-sandbox-version', c.env.control.version)
      if (token === undefined || !isMain) return c.body(null, 204)
      const path = `${c.env.site?.path ?? ''}/`
      const secure = baseUrlOf(c).startsWith('https:')
      setCookie(c, TOKEN_COOKIE, token, { path, secure, httpOnly: true, sameSite: 'Strict' })
      return c.body(null, 204)
    },
  }),
]

function assertVersion(version: string | undefined, known: readonly string[]) {
  if (version === undefined || known.includes(version)) return
  const message = `MCP-Protocol-Version must be one of ${known.join(', ')}, not ${version}.`
  throw new HttpError(400, 'mcp-protocol-version', message)
}

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
- Each call that was refused: GET ${url}/_sandbox/requests?refused=true says why, and what would work
- Another world, with its own state and clock: ${url.replace(/\/w\/[^/]+$/, '')}/w/NAME, made on first use
`
  const controlDocuments = `- [OpenAPI of the control API](${url}/_sandbox/openapi.json)
- [Reference with a form for each call](${url}/_sandbox/reference)
- MCP: ${url}/_sandbox/mcp (Streamable HTTP), or the command \`npx ramp-sandbox mcp\` (stdio)
`
  return `# ramp-sandbox ${version}

> A local sandbox of a stablecoin ramp platform: the provider's v2 and v1 APIs, signed webhooks, and time, identity checks and money that a test controls. No real money moves.

- Base URL: ${url}
- API key: the header x-api-key; sandbox-key with the fixtures that come with it
${enabled ? controlLines : '- The control API is switched off.\n'}
## Documents

- [OpenAPI of the API](${url}/openapi.json)
${enabled ? controlDocuments : ''}- \`npx ramp-sandbox commands --json\`: every command with its options and exit codes
- node_modules/ramp-sandbox/skills/ramp-sandbox/SKILL.md: five recipes

## Calls to begin with

${calls.map(({ method, path, summary }) => `- ${method} ${path.replace(/:(\w+)/g, '{$1}')}: ${summary}`).join('\n')}
`
}
