import type { Context } from 'hono'
import * as z from 'zod'
import {
  type CannedResponse,
  type Catch,
  type Caught,
  checkSignature,
} from '../../engine/catcher.ts'
import { DomainError } from '../../world/domain-error.ts'
import { BODY_MAX } from '../body.ts'
import type { Call } from '../operation.ts'
import type { Env } from '../services.ts'
import { HttpError } from '../status.ts'
import { requireControl, requireNothing } from './auth.ts'
import { SetAnswer, toAnswer } from './catch-answer.ts'
import { bareOperation, operation } from './dialect.ts'
import { Count, Cursor, Timeout } from './page.ts'
import { poll } from './poll.ts'
import { TOO_MANY_WAIT } from './wait.ts'

/** Longest answer that a catch can be given, in bytes. */
const ANSWER_MAX = 64 * 1024
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const path = '/_sandbox/catch/:name'
const NAMED = 'A catch is named with 1 to 64 letters, digits, dots, dashes and underscores.'

const CaughtAnswer = () =>
  z
    .strictObject({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      bodyEncoding: z.enum(['utf-8', 'base64']),
      receivedAt: z.iso.datetime(),
      signature: z.enum(['valid', 'stale', 'wrong', 'missing']),
    })
    .meta({ title: 'Caught' })
const AnswerAnswer = () =>
  z.strictObject({
    name: z.string(),
    status: z.int(),
    body: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    times: z.int().nullable(),
  })

export const catches = [
  bareOperation({
    id: 'catch',
    method: 'ALL',
    path,
    summary: 'Receive anything: a URL to point webhooks at',
    auth: requireNothing,
    media: '*/*',
    errors: { invalid: NAMED, 413: 'The body is too long.' },
    async handle(call) {
      const { c, services } = call
      const name = nameIn(call)
      const bytes = await readBytes(c)
      const headers = c.req.header()
      const receivedAt = services.wallClock()
      const signature = checkSignature(services.world, { headers, bytes, now: receivedAt })
      const came = { method: c.req.method, path: pathOf(c), headers, bytes, receivedAt, signature }
      const { cursor } = services.catcher.keep(name, came)
      services.feed.add('caught', cursor)
      return respond(services.catcher.open(name))
    },
  }),
  operation({
    id: 'setCatchAnswer',
    method: 'POST',
    path: `${path}/respond`,
    summary: 'Set what a catch answers, for good or so many times',
    auth: requireControl,
    body: SetAnswer,
    bodyMax: ANSWER_MAX,
    answer: AnswerAnswer,
    errors: { invalid: NAMED },
    handle(call) {
      const name = nameIn(call)
      const answer = toAnswer(call.input.body)
      call.services.catcher.open(name).answer = answer
      return { name, ...answer }
    },
  }),
  operation({
    id: 'readCaught',
    method: 'GET',
    path: `${path}/requests`,
    summary: 'Read what came to a catch, the moment there is enough of it',
    auth: requireControl,
    query: () => z.strictObject({ after: Cursor(), count: Count(), timeout: Timeout() }),
    answer: () =>
      z.strictObject({
        matched: z.boolean(),
        requests: z.array(CaughtAnswer()),
        total: z.int(),
        cursor: z.string(),
        nearest: z.string().optional(),
      }),
    errors: { ...TOO_MANY_WAIT, invalid: NAMED },
    async handle(call) {
      const { requests: journal } = call.services.catcher.open(nameIn(call))
      const { matched, rows, cursor, nearest } = await poll(call, call.input.query, {
        kind: 'caught',
        noun: 'request',
        journal,
        conditions: [],
        tell: ({ method, path: to }) => `${method} ${to}`,
      })
      const total = journal.after(0).length
      const shown = { matched, requests: rows.map(showCaught), total, cursor }
      return nearest === undefined ? shown : { ...shown, nearest }
    },
  }),
  operation({
    id: 'clearCatch',
    method: 'DELETE',
    path: `${path}/requests`,
    summary: 'Forget what came to a catch, and what it answers',
    auth: requireControl,
    answer: () => z.strictObject({ cleared: z.string() }),
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
  if (NAME.test(name)) return name
  throw new DomainError('invalid', 'name', NAMED)
}

/** Path and query as they came. */
function pathOf({ req: { url } }: Context<Env>): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

/** The body, of any type, but not of any length. */
async function readBytes(c: Context<Env>): Promise<Buffer> {
  const told = Number(c.req.header('content-length') ?? 0)
  if (told > BODY_MAX) throw tooLong()
  // A stream costs the server much more, and is for a length that nobody told.
  if (told > 0) return Buffer.from(await c.req.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of c.req.raw.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > BODY_MAX) throw tooLong()
  }
  return Buffer.concat(chunks)
}

const tooLong = () => new HttpError(413, 'body', `The body may have at most ${BODY_MAX} bytes.`)

const OK: CannedResponse = { status: 200, body: null, headers: {}, times: null }

function respond(to: Catch): Response {
  const { status, body, headers, times } = to.answer ?? OK
  if (to.answer && times !== null) to.answer = times > 1 ? { ...to.answer, times: times - 1 } : null
  return new Response(body, { status, headers })
}

function showCaught(caught: Caught) {
  const { id, method, path: to, headers, body, bodyEncoding, receivedAt, signature } = caught
  const at = new Date(receivedAt).toISOString()
  return { id, method, path: to, headers, body, bodyEncoding, receivedAt: at, signature }
}
