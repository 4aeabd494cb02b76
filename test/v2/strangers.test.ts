import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { type Listening, listen } from '../../src/host/server.ts'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { KEY, NOON, openApp } from '../helpers/app.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** A sandbox on a real socket, which believes what `listens` says about it. */
async function open(options: WorldsOptions): Promise<Listening & { worlds: Worlds }> {
  const worlds = new Worlds({ clock: NOON, ...options })
  const listening = await listen({ fetch: worlds.fetch, port: 0 })
  opened.push(listening, worlds)
  return { ...listening, worlds }
}

/** The status of a GET with a Host header, which `fetch` would not send. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-api-key': KEY, accept: 'application/json' }
    const sent = request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}

const PATHS = ['/v2/users', '/w/a/v2/users', '/apiFindUser?email=a@example.com', '/openapi.json']
const onLoopback = { isLoopback: true, port: () => undefined }
const onNetwork = { isLoopback: false, port: () => undefined }

it('a sandbox on loopback responds to no foreign host, on any path', async () => {
  const { url } = await open({ listens: onLoopback, allowHosts: ['Proxy.internal'] })
  for (const path of [...PATHS, '/_sandbox/kyc/x', '/_sandbox/bank/x', '/_sandbox/catch/x']) {
    expect(await statusFor(url + path, 'evil.example'), path).toBe(403)
    expect(await statusFor(url + path, 'evil.example:80'), path).toBe(403)
    expect(await statusFor(url + path, 'localhost'), path).not.toBe(403)
    expect(await statusFor(url + path, 'proxy.internal'), path).not.toBe(403)
  }
})

it('a sandbox on loopback responds to the host of its public URL, and uses it in links', async () => {
  const publicUrl = 'https://sandbox.example.com/ramp'
  const { url } = await open({ listens: onLoopback, publicUrl })
  expect(await statusFor(`${url}/v2/users?email=a@example.com`, 'sandbox.example.com')).toBe(200)
  const info = await (await fetch(`${url}/w/a/_sandbox/info`)).json()
  expect(info).toMatchObject({ baseUrl: `${publicUrl}/w/a` })
})

const PUBLIC = 'https://sandbox.example.com:8443/ramp'

it('a sandbox behind a proxy does not believe forwarding headers about its own address', async () => {
  const { url } = await open({ listens: onLoopback })
  const headers = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'sandbox.example.com:8443',
    'x-forwarded-prefix': '/ramp/',
  }
  const response = await fetch(`${url}/w/a/_sandbox/info`, { headers })
  expect(await response.json()).toMatchObject({ baseUrl: `${url}/w/a` })
})

it.each([
  ['in', PUBLIC.replace(/.*\d/, '')],
  ['out', ''],
])(
  'a sandbox behind a proxy serves worlds and pages when the proxy leaves its prefix %s',
  async (_, left) => {
    const { url } = await open({ listens: onLoopback, publicUrl: PUBLIC })
    for (const world of ['', '/w/a']) {
      const headers = { 'x-api-key': KEY, accept: 'text/html' }
      const at = (path: string) => fetch(url + left + world + path, { headers, redirect: 'manual' })
      expect((await at('/v2/users?email=a@example.com')).status).toBe(200)
      expect((await at('/')).headers.get('location')).toBe(`/ramp${world}/_sandbox/`)
      expect((await at('/_sandbox')).headers.get('location')).toBe(`/ramp${world}/_sandbox/`)
      const page = await (await at('/_sandbox/ui/users')).text()
      const links = [...page.matchAll(/(?:href|src|action)="([^"#]*)"/g)].map(([, link]) => link)
      expect(links.filter((link) => !link?.startsWith('/ramp/'))).toEqual([])
    }
  },
)

it('a sandbox that others can reach responds to any host outside the control API', async () => {
  const { url } = await open({ listens: onNetwork, controlToken: 'secret' })
  for (const path of ['/v2/users', '/apiFindUser?email=a@example.com', '/openapi.json']) {
    expect(await statusFor(url + path, 'sandbox'), path).not.toBe(403)
  }
  expect(await statusFor(`${url}/_sandbox/clock`, 'sandbox')).toBe(403)
})

it.each([
  ['off loopback', { listens: onNetwork }],
  ['with a public URL', { listens: onLoopback, publicUrl: 'https://sandbox.example.com' }],
  ['under another host name', { listens: onLoopback, allowHosts: ['sandbox.example.com'] }],
  ['at another address', { listens: onLoopback, allowHosts: ['192.0.2.1'] }],
])('a sandbox that others reach does not scan its machine, %s', async (_, options) => {
  const server = createServer((_, response) => response.end('it listens')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}/`
  const call = { body: { url } }
  const strict = openApp(options)
  expect(await strict.refused('PUT /v2/webhook-configurations', call)).toMatchObject({
    status: 400,
    errors: [{ field: 'url', message: expect.stringContaining('--allow-webhook-host') }],
  })
  const named = openApp({ ...options, allowWebhookHosts: ['127.0.0.1'] })
  const local = openApp({ listens: onLoopback, allowHosts: ['app.localhost', '[::1]'] })
  for (const app of [named, local]) {
    await app.call('PUT /v2/webhook-configurations', call)
    expect(await app.call('POST /v2/webhook-configurations/test')).toMatchObject({
      deliveredStatusCode: 200,
    })
  }
  server.close()
  for (const app of [strict, named, local]) await app.close()
})
