import { expect, it } from 'vitest'
import type { WorldsOptions } from '../../src/host/worlds.ts'
import { KEY, openApp, type TestApp } from '../helpers/app.ts'

const TOKEN = { authorization: 'Bearer secret' }
const JSON_TYPE = { 'content-type': 'application/json' }
const html = { accept: 'text/html' }
const users = '/v2/users?email=a@example.com'

async function names(app: TestApp): Promise<string[]> {
  const { text } = await app.send('/_sandbox/worlds', { headers: TOKEN })
  return JSON.parse(text).items.map(({ name }: { name: string }) => name)
}

/** The status of one call for the world `new`, and whether that made it. */
async function callNew(options: WorldsOptions, path: string, init: RequestInit) {
  const app = openApp(options)
  const { status } = await app.send(`/w/new${path}`, init)
  const isMade = (await names(app)).includes('new')
  await app.close()
  return { status, isMade }
}

it.each([
  ['a call with a known key', users, { headers: { 'x-api-key': KEY } }, 200],
  ['a v1 call', '/priceQuote', { headers: { 'x-api-key': KEY } }, 400],
  ['a control call', '/_sandbox/health', {}, 200],
  ['the inspector', '/_sandbox/', { headers: html }, 200],
])('without a control token, a world is made by %s', async (_, path, init, status) => {
  expect(await callNew({}, path, init)).toEqual({ status, isMade: true })
})

it.each([
  ['an unknown key', users, { headers: { 'x-api-key': 'x' } }, 401],
  ['v1 without a key', '/priceQuote', {}, 401],
  ['the document', '/openapi.json', {}, 401],
  ['a KYC link', '/_sandbox/kyc/x', { headers: html }, 404],
  ['a webhook', '/_sandbox/catch/me', { method: 'POST' }, 404],
  ['a reset without JSON', '/_sandbox/reset', { method: 'POST' }, 415],
  ['a start page', '/', { headers: html }, 302],
])('without a control token, a world is not made by %s', async (_, path, init, status) => {
  expect(await callNew({}, path, init)).toEqual({ status, isMade: false })
})

it('a browser sees a page, and a program JSON, at a KYC link of a world that does not exist', async () => {
  const app = openApp({})
  const open = (name: string, headers = {}) => app.send(`/w/${name}/_sandbox/kyc/x`, { headers })
  for (const name of ['new', `p-${'x'.repeat(21)}`, '-']) {
    const page = await open(name, html)
    expect(page.headers.get('content-type')).toMatch('text/html')
    const { status, text } = await open(name)
    expect(page.status).toBe(status)
    expect(page.text).toContain(`<p>${JSON.parse(text).title}</p>`)
  }
  await app.close()
})

it.each(['cross-site', 'same-site'])(
  'without a control token, a world is not made for a page that is %s',
  async (site) => {
    const fromPage = { 'sec-fetch-site': site }
    for (const path of [users, '/_sandbox/health', '/_sandbox/', '/_sandbox/events/stream']) {
      const init = { headers: { ...fromPage, ...html, 'x-api-key': KEY } }
      expect(await callNew({}, path, init), path).toEqual({ status: 403, isMade: false })
    }
  },
)

it('without a control token, a world is not made for a foreign host, even if the provider’s API responds to it', async () => {
  const headers = { host: 'evil.example', 'x-api-key': KEY }
  for (const path of [users, '/_sandbox/health']) {
    const listens = { isLoopback: false, port: () => undefined }
    const call = callNew({ listens }, path, { headers })
    expect(await call, path).toEqual({ status: 403, isMade: false })
  }
})

const options = { controlToken: 'secret' }

it.each([
  ['a control call', '/_sandbox/health', { headers: TOKEN }],
  ['a page that signed in', '/_sandbox/', { headers: { cookie: 'ramp_sandbox_control=secret' } }],
])('with a control token, a world is made by %s', async (_, path, init) => {
  expect(await callNew(options, path, init)).toEqual({ status: 200, isMade: true })
})

it.each([
  ['a key, which is public', users, { headers: { 'x-api-key': KEY } }],
  ['another token', '/_sandbox/health', { headers: { authorization: 'Bearer x' } }],
  ['a failed sign-in', '/_sandbox/sign-in', { method: 'POST', headers: JSON_TYPE }],
])('with a control token, a world is not made by %s', async (_, path, init) => {
  expect(await callNew(options, path, init)).toEqual({ status: 401, isMade: false })
})

it.each(['/_sandbox/info', '/_sandbox/reset', users])(
  'an open page of the inspector does not recreate its world with %s',
  async (path) => {
    const [method, body] = path.endsWith('reset') ? ['POST', '{}'] : ['GET', null]
    for (const page of ['', 'ui/users?q=a', 'ui/transactions/1']) {
      const referer = `http://127.0.0.1:4100/w/new/_sandbox/${page}`
      const headers = { ...JSON_TYPE, 'x-api-key': KEY, referer, accept: '*/*' }
      const made = await callNew({}, path, { method, body, headers })
      expect(made, page).toEqual({ status: 404, isMade: false })
    }
  },
)

it.each([
  ['a page of the inspector that is reloaded', '/_sandbox/ui/users', html],
  ['a call of the demo wallet, to which other sites link', '/_sandbox/info', {}],
])('a world is made by %s', async (_, path, headers) => {
  const referer = 'http://127.0.0.1:4100/w/new/_sandbox/demo?story=buy'
  expect(await callNew({}, path, { headers: { referer, ...headers } })).toEqual({
    status: 200,
    isMade: true,
  })
})
