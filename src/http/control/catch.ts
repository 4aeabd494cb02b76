import type * as z from 'zod'
import { CATCH_NAME_RULE, type CatchResponse, CaughtRequest } from '../../control-api/catches.ts'
import type { Caught } from '../../engine/catcher.ts'
import { type CannedResponse, type Catch, checkSignature } from '../../engine/catcher.ts'
import { signingClock } from '../../webhooks/request.ts'
import { DomainError } from '../../world/domain-error.ts'
import { NAME } from '../../world/names.ts'
import type { Call } from '../operation.ts'
import { readBytes } from '../request.ts'
import { requireSender } from './auth.ts'
import { bareOperation, implement } from './dialect.ts'
import { contains } from './filters.ts'
import { pollRows } from './page.ts'
import { presentAs } from './present-as.ts'

export const catches = [
  bareOperation('ALL', '/_sandbox/catch/:name', {
    id: 'catch',
    summary: 'Receive webhooks, or any other request',
    about:
      'Each request is kept for `readCaught` and gets 200, or what `setCatchResponse` set. Any name works.',
    success: 'The request is kept; the response is empty, unless `setCatchResponse` set one.',
    auth: requireSender,
    params: { name: 'Any name, chosen by the sender.' },
    media: '*/*',
    errors: { invalid: CATCH_NAME_RULE, 413: 'The body is too long.' },
    async handle(call) {
      const { c, services } = call
      const name = nameIn(call)
      const bytes = await readBytes(c)
      const headers = c.req.header()
      const receivedAt = services.wallClock()
      const now = signingClock(services.world, receivedAt)
      const signature = checkSignature(services.world, { headers, bytes, now })
      const { method, url } = c.req
      // The path as received, with its query.
      const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
      const request = { method, path, headers, bytes, receivedAt, signature }
      services.catcher.keep(name, request)
      services.journal.signal('caught')
      return respond(services.catcher.open(name))
    },
  }),
  implement('catches.respond', (call) => {
    const name = nameIn(call)
    const response = toCanned(call.input.body)
    call.services.catcher.open(name).response = response
    return { name, ...response }
  }),
  implement('catches.requests', async (call) => {
    const { requests: rows } = call.services.catcher.open(nameIn(call))
    const { matched, requests, ...rest } = await pollRows('requests', call, {
      rows,
      noun: 'request',
      query: call.input.query,
      filters: { q: contains(({ method, path, body }: Caught) => [method, path, body]) },
      format: ({ method, path }) => `${method} ${path}`,
      present: (caught) => presentAs(CaughtRequest, caught),
    })
    return { matched, requests, total: rows.count, ...rest }
  }),
  implement('catches.clear', (call) => {
    const name = nameIn(call)
    call.services.catcher.clear(name)
    return { cleared: name }
  }),
]

function nameIn({ param }: Call): string {
  const name = param('name')
  if (NAME.test(name)) return name
  throw new DomainError('invalid', CATCH_NAME_RULE, { field: 'name' })
}

const OK: CannedResponse = { status: 200, body: null, headers: {}, times: null }

function respond(to: Catch): Response {
  const { status, body, headers, times } = to.response ?? OK
  if (to.response && times !== null) {
    to.response = times > 1 ? { ...to.response, times: times - 1 } : null
  }
  const sent = new Headers(headers)
  // A page served here must not act on the inspector, which has the same origin.
  sent.append('content-security-policy', 'sandbox')
  sent.set('x-content-type-options', 'nosniff')
  if (body === null) return new Response(null, { status, headers: sent })
  if (!sent.has('content-type')) sent.set('content-type', 'text/plain;charset=UTF-8')
  // Sent as bytes: Node writes a text and its headers in one encoding, which would change é in a header.
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
