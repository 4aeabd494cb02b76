import * as z from 'zod'
import { NAME_RULE } from '../world/names.ts'
import { PolledOf, TOO_MANY_WAIT, Wait } from './pages.ts'
import { named, record } from './schema.ts'
import { WallTime } from './shapes.ts'

/** Longest response that a catch can be given, in bytes. */
const RESPONSE_MAX = 64 * 1024

export const CATCH_NAME_RULE = `The name of a catch must be ${NAME_RULE}.`

export const CaughtRequest = () =>
  named('Caught', {
    id: z.string().describe('Id of the request.'),
    method: z.string(),
    path: z.string().describe('Path and query.'),
    headers: z.record(z.string(), z.string()).describe('Names in lower case.'),
    body: z.string().describe('Text, or base64 if the bytes are not text.'),
    bodyEncoding: z.enum(['utf-8', 'base64']),
    receivedAt: WallTime(),
    signature: z
      .enum(['valid', 'stale', 'wrong', 'missing'])
      .describe('Result of checking the signature: `stale` is valid but older than 300 seconds.'),
  }).describe('A request that a catch received.')
export type CaughtRequest = z.output<ReturnType<typeof CaughtRequest>>

const CaughtPage = () =>
  PolledOf('requests', CaughtRequest())
    .extend({ total: z.int().describe('Total number of rows on all pages.') })
    .strict()

/** Response headers that are safe on the inspector's origin. */
const PLAIN_HEADERS =
  /^(content-(type|language)|cache-control|etag|last-modified|expires|retry-after|x-(request|correlation)-id|(x-)?ratelimit(-[a-z-]+)?)$/i

/** Statuses whose responses have no body. */
const BARE: ReadonlySet<number> = new Set([204, 205, 304])

const HeaderName = () =>
  z.string().max(100).regex(PLAIN_HEADERS, {
    error:
      'is not a header that can be set; use content-type, content-language, cache-control, etag, last-modified, expires, retry-after, x-request-id, x-correlation-id, or a name that begins with ratelimit-',
  })

const HeaderValue = () =>
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,2000}$/, { error: 'is not a valid header value' })

export const CatchResponse = () =>
  record({
    status: z.int().min(200).max(599).describe('Status code of the response.'),
    body: z
      .unknown()
      .optional()
      .describe('Body of the response: text is sent as it is, anything else as JSON.'),
    headers: z
      .record(HeaderName(), HeaderValue())
      .refine((headers) => Object.keys(headers).length <= 50, {
        error: 'may have at most 50 entries',
      })
      .optional()
      .describe('Headers of the response.'),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('How many requests get this response; later ones get 200. All of them by default.'),
  }).refine(({ status, body }) => body === undefined || !BARE.has(status), {
    path: ['body'],
    error: 'cannot be sent with status 204, 205 or 304',
  })
export type CatchResponse = z.input<ReturnType<typeof CatchResponse>>

const CannedRecord = () =>
  record({
    name: z.string().describe('Name of the catch.'),
    status: z.int().describe('Status code of the response.'),
    body: z
      .string()
      .nullable()
      .describe('Body of the response: text is sent as it is, anything else as JSON.'),
    headers: z.record(z.string(), z.string()).describe('Headers of the response.'),
    times: z
      .int()
      .nullable()
      .describe('How many requests get this response; later ones get 200. All of them by default.'),
  })

const CATCH = { name: 'Name of the catch.' }

export const catches = {
  'catches.respond': {
    id: 'setCatchResponse',
    method: 'POST',
    path: '/catch/:name/respond',
    params: CATCH,
    summary: 'Set the response of a catch, permanently or for a number of requests',
    about: 'Use it to test a sender. By default a catch responds with 200 and no body.',
    done: null,
    body: CatchResponse,
    bodyMax: RESPONSE_MAX,
    response: CannedRecord,
    errors: { invalid: CATCH_NAME_RULE },
  },
  'catches.requests': {
    id: 'readCaught',
    method: 'GET',
    path: '/catch/:name/requests',
    params: CATCH,
    summary: 'Read the requests that a catch received, or wait for them',
    about:
      'Oldest first. Without `after` the list begins with the first request. With `timeout` the call waits until enough have arrived.',
    success: 'The requests; `matched` says whether there were enough.',
    query: () => Wait(),
    response: CaughtPage,
    errors: { ...TOO_MANY_WAIT, invalid: CATCH_NAME_RULE },
  },
  'catches.clear': {
    id: 'clearCatch',
    method: 'DELETE',
    path: '/catch/:name/requests',
    params: CATCH,
    summary: 'Clear the requests and the response of a catch',
    about: 'Removes what `setCatchResponse` set. Cursors of the catch stay valid.',
    done: null,
    response: () => record({ cleared: z.string().describe('Name of the catch.') }),
    errors: { invalid: CATCH_NAME_RULE },
  },
} as const
