import * as z from 'zod'
import { type CannedResponse, type Catch, checkSignature } from '../../engine/catcher.ts'
import { signingClock } from '../../webhooks/request.ts'
import { DomainError } from '../../world/domain-error.ts'
import { BODY_MAX, readBytes } from '../input.ts'
import { named } from '../named.ts'
import type { Call } from '../operation.ts'
import { requireNothing } from './auth.ts'
import { bareOperation, lever } from './dialect.ts'
import { PolledOf, pollRows, TOO_MANY_WAIT, Wait } from './page.ts'
import { presentAs, WallTime } from './shapes.ts'

/** Longest response that a catch can be given, in bytes. */
const RESPONSE_MAX = 64 * 1024
const NAMED = 'A catch is named with 1 to 64 letters, digits, dots, dashes and underscores.'

export const CaughtRequest = () =>
  named('Caught', {
    id: z.string().describe('Id of the request.'),
    method: z.string(),
    path: z.string().describe('Path and query.'),
    headers: z.record(z.string(), z.string()).describe('Names in lower case.'),
    body: z.string().describe('Text, or base64 where the bytes are no text.'),
    bodyEncoding: z.enum(['utf-8', 'base64']),
    receivedAt: WallTime(),
    signature: z
      .enum(['valid', 'stale', 'wrong', 'missing'])
      .describe('What a receiver should find: `stale` is right but older than 300 seconds.'),
  }).describe('A request that a catch received.')
export type CaughtRequest = z.output<ReturnType<typeof CaughtRequest>>

const CaughtPage = () => PolledOf('requests', CaughtRequest()).extend({ total: z.int() }).strict()

/** Headers that tell a browser nothing about the origin, which is that of the inspector. */
const PLAIN_HEADERS =
  /^(content-(type|language)|cache-control|etag|last-modified|expires|retry-after|x-(request|correlation)-id|(x-)?ratelimit(-[a-z-]+)?)$/i
/** Statuses whose responses have no body. */
const BARE: ReadonlySet<number> = new Set([204, 205, 304])

const HeaderName = () =>
  z.string().max(100).regex(PLAIN_HEADERS, {
    error:
      'must be content-type, content-language, cache-control, etag, last-modified, expires, retry-after, x-request-id, x-correlation-id or ratelimit-…',
  })
const HeaderValue = () =>
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,2000}$/, { error: 'is not the value of a header' })

/** Response of a catch from now on. */
export const CatchResponse = () =>
  z
    .strictObject({
      status: z.int().min(200).max(599),
      body: z.unknown().optional(),
      headers: z
        .record(HeaderName(), HeaderValue())
        .refine((headers) => Object.keys(headers).length <= 50, {
          error: 'may have at most 50 entries',
        })
        .optional(),
      times: z.int().min(1).max(1_000_000).optional(),
    })
    .refine(({ status, body }) => body === undefined || !BARE.has(status), {
      path: ['body'],
      error: 'must be left out with a status that has none (204, 205, 304)',
    })

export type CatchResponse = z.input<ReturnType<typeof CatchResponse>>

const CannedRecord = () =>
  z.strictObject({
    name: z.string(),
    status: z.int(),
    body: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    times: z.int().nullable(),
  })

export const catches = [
  bareOperation('ALL', '/_sandbox/catch/:name', {
    id: 'catch',
    summary: 'Receive anything: a URL to point webhooks at',
    about:
      'Receives anything: use it as the URL of webhooks. Each request is kept for `readCaught` and gets 200, or what `setCatchResponse` set. A name needs no preparation.',
    success: 'Kept; the response is empty, unless `setCatchResponse` set one.',
    auth: requireNothing,
    media: '*/*',
    errors: { invalid: NAMED, 413: 'The body is too long.' },
    async handle(call) {
      const { c, services } = call
      const name = nameIn(call)
      c.env.control.assertMemory()
      const bytes = Buffer.from(await readBytes(c, BODY_MAX))
      const headers = c.req.header()
      const receivedAt = services.wallClock()
      const now = signingClock(services.world, receivedAt)
      const signature = checkSignature(services.world, { headers, bytes, now })
      const { method, url } = c.req
      // As it came, with the query.
      const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
      const request = { method, path, headers, bytes, receivedAt, signature }
      const { cursor } = services.catcher.keep(name, request)
      services.feed.add('caught', cursor)
      return respond(services.catcher.open(name))
    },
  }),
  lever('catches.respond', 'setCatchResponse', {
    summary: 'Set the response of a catch, for good or so many times',
    about: 'It tests how the sender takes it. Without it a catch responds with 200 and no body.',
    body: CatchResponse,
    bodyMax: RESPONSE_MAX,
    response: CannedRecord,
    errors: { invalid: NAMED },
    handle(call) {
      const name = nameIn(call)
      const response = toCanned(call.input.body)
      call.services.catcher.open(name).response = response
      return { name, ...response }
    },
  }),
  lever('catches.requests', 'readCaught', {
    summary: 'Read what came to a catch, the moment there is enough of it',
    about:
      'The oldest comes first. Without `after` it begins with the first request. With `timeout` it waits until enough came, and responds at once when they did.',
    success: 'The requests, whether or not there were enough: see `matched`.',
    query: () => Wait(),
    response: CaughtPage,
    errors: { ...TOO_MANY_WAIT, invalid: NAMED },
    async handle(call) {
      const { requests: rows } = call.services.catcher.open(nameIn(call))
      const { matched, requests, ...rest } = await pollRows('requests', call, {
        rows,
        noun: 'request',
        query: call.input.query,
        format: ({ method, path }) => `${method} ${path}`,
        present: (caught) => presentAs(CaughtRequest, caught),
      })
      return { matched, requests, total: rows.count, ...rest }
    },
  }),
  lever('catches.clear', 'clearCatch', {
    summary: 'Forget what came to a catch, and its response',
    about: '`setCatchResponse` set that. The cursors of the catch go on.',
    response: () => z.strictObject({ cleared: z.string() }),
    errors: { invalid: NAMED },
    handle(call) {
      const name = nameIn(call)
      call.services.catcher.clear(name)
      return { cleared: name }
    },
  }),
]

function nameIn({ param }: Call): string {
  const name = param('name')
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw new DomainError('invalid', NAMED, { field: 'name' })
}

const OK: CannedResponse = { status: 200, body: null, headers: {}, times: null }

function respond(to: Catch): Response {
  const { status, body, headers, times } = to.response ?? OK
  if (to.response && times !== null)
    to.response = times > 1 ? { ...to.response, times: times - 1 } : null
  const sent = new Headers(headers)
  // A page from here must not act as one of the inspector, whose origin it has.
  sent.append('content-security-policy', 'sandbox')
  sent.set('x-content-type-options', 'nosniff')
  if (body === null) return new Response(null, { status, headers: sent })
  if (!sent.has('content-type')) sent.set('content-type', 'text/plain;charset=UTF-8')
  // As bytes: Node writes a text and the headers before it in one encoding, so é in a header would change.
  return new Response(Buffer.from(body), { status, headers: sent })
}

function toCanned(sent: z.output<ReturnType<typeof CatchResponse>>): CannedResponse {
  const { status, body, headers = {}, times = null } = sent
  if (body === undefined || typeof body === 'string') {
    return { status, body: body ?? null, headers, times }
  }
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const typed = isTyped ? headers : { ...headers, 'content-type': 'application/json' }
  return { status, body: JSON.stringify(body), headers: typed, times }
}
