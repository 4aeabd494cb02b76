import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver, type Reply } from '../../src/client/receiver.ts'
import { diagnoseOutcome } from '../../src/webhooks/outcome-diagnosis.ts'
import { rotateSigningSecret } from '../../src/world/integrators.ts'
import { findFreePort } from '../helpers/sandbox.mjs'
import { openScene, type Scene, type SceneOptions } from './scene.ts'
import { openRawServer } from './servers.ts'

let receiver: Receiver

beforeEach(async () => {
  receiver = await createReceiver()
})

afterEach(() => receiver.close())

/** What is said of one delivery to a URL. */
async function diagnose(
  url: string | null,
  { after, ...options }: SceneOptions & { after?: (scene: Scene) => unknown } = {},
) {
  await using scene = openScene({ urls: { alpha: url }, ...options })
  const delivery = await scene.deliver()
  after?.(scene)
  return diagnoseOutcome(scene.world, delivery)
}

it.each([
  [400, /signature is valid/],
  [401, /re-serialised body never matches.*webhooks\.body=compact/],
  [403, /re-serialised body never matches.*webhooks\.body=compact/],
  [500, /check its log/],
])('the diagnosis of a delivery says what a response of %i means', async (status, hint) => {
  receiver.respondWith(status)
  const problem = await diagnose(receiver.url)
  expect(problem?.message).toContain(String(status))
  expect(problem?.hint).toMatch(hint)
})

it('the diagnosis of a delivery does not say that the signature of an unsigned webhook is right', async () => {
  receiver.respondWith(401)
  const problem = await diagnose(receiver.url, { secret: null })
  expect(problem?.hint).toContain('Unsigned')
})

it('the diagnosis of a delivery recognises that the receiver lacks a rotated secret', async () => {
  receiver.respondWith(401)
  const problem = await diagnose(receiver.url, {
    after: ({ world, integrator }) => rotateSigningSecret(world, integrator),
  })
  expect(problem?.message).toMatch(/401.*secret/)
  expect(problem?.hint).not.toContain('re-serialised')
})

it('the diagnosis of a delivery says that nothing listens, that a response took too long, or that there is no URL', async () => {
  const refused = await diagnose(`http://127.0.0.1:${await findFreePort()}`)
  expect(refused?.hint).toContain('Nothing is listening')
  await using silent = await openRawServer(() => undefined)
  const late = await diagnose(silent.url, { settings: { 'webhooks.timeout': 50 } })
  expect(late?.hint).toBe('Respond first, and do the work afterwards.')
  expect((await diagnose(null))?.hint).toBe(
    'Set a URL for the integrator alpha, then resend the webhook.',
  )
  expect(refused?.hint).toContain('In a container, localhost is the container')
  const unknown = await diagnose('https://nosuch.invalid')
  expect(unknown?.hint).toBe('There is no such host; correct the name.')
})

it('the diagnosis of a delivery says on one line that a response is not HTTP', async () => {
  await using server = await openRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  expect((await diagnose(server.url))?.hint).toBe('The response is not HTTP; correct the port.')
  const tls = await diagnose(server.url.replace('http:', 'https:'))
  expect(tls?.message).toMatch(/\S \(https:.*\)\.$/)
  expect(tls?.message).not.toContain('\n')
  expect(tls?.hint).toContain('does not speak TLS')
})

const PAGE = { 'content-type': 'text/html; charset=utf-8' }
const SENT = 'http://127.0.0.1:\\d+'
it.each<[Reply & object, string | RegExp, string | RegExp]>([
  [
    { status: 308, headers: { location: '/hooks/' } },
    new RegExp(`308 Permanent Redirect \\(Location: ${SENT}/hooks/\\)\\.$`),
    new RegExp(`not followed: set the webhook URL to ${SENT}/hooks/\\.$`),
  ],
  [
    { status: 302, headers: { location: '/login?next=/hooks' } },
    '302 Found (Location: ',
    /login: exempt/,
  ],
  [{ status: 304 }, 'responded with 304', '304 is not a response to a POST; respond with 2xx.'],
  [{ status: 301 }, 'responded with 301', 'set the webhook URL to the final URL.'],
  [
    { status: 403, headers: PAGE, body: '<!DOCTYPE html><h1>Forbidden</h1>' },
    '403 Forbidden and a page (text/html).',
    'exempt from CSRF protection',
  ],
  [{ status: 419, body: 'Page Expired' }, '419', 'exempt from CSRF protection'],
  [{ status: 400, body: 'The CSRF token is missing.' }, '400', 'exempt from CSRF protection'],
  [{ status: 404, body: 'Cannot POST /' }, '404 Not Found: Cannot POST /.', 'nothing at /:'],
  [{ status: 405, headers: { allow: 'GET' } }, '405', '/ does not accept POST (only GET)'],
  [{ status: 410 }, '410', 'gone for good'],
  [{ status: 413 }, '413', /^The body has only \d{3} bytes: raise the limit/],
  [{ status: 429 }, '429', 'limits its request rate'],
])('the diagnosis of a delivery explains a response of %o', async (reply, message, hint) => {
  receiver.respondWith(reply)
  const problem = await diagnose(receiver.url)
  expect(problem?.message).toMatch(message)
  expect(problem?.hint).toMatch(hint)
  // A status that is about the route is not about a missing signature.
  expect(await diagnose(receiver.url, { secret: null })).toEqual(problem)
})

it('the diagnosis of a delivery is empty if it arrived', async () => {
  expect(await diagnose(receiver.url)).toBeUndefined()
})
