import { afterEach, expect, it } from 'vitest'
import { openApp, type TestApp } from './helpers/app.ts'

const MAIN = { authorization: 'Bearer secret' }
const opened: TestApp[] = []
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

function open(options: Parameters<typeof openApp>[0] = {}): TestApp {
  const app = openApp({ fixture: 'verified-user', ...options })
  opened.push(app)
  return app
}

const post = (app: TestApp, path: string, fields: Record<string, string>, headers = {}) =>
  app.send(`/_sandbox/forms${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

/** The last parts of the links of an open buy's money request and of a new user's identity check. */
async function readLinks(app: TestApp) {
  const control = async (path: string, body?: object) => {
    const json = { 'content-type': 'application/json', ...MAIN }
    const init = body ? { method: 'POST', headers: json, body: JSON.stringify(body) } : {}
    const { text } = await app.send(`/_sandbox${path}`, { headers: MAIN, ...init })
    return JSON.parse(text)
  }
  const { transaction } = await control('/simulate/users/alice@example.com/buy', { cad: 100 })
  const { messages } = await control('/inbox?kind=money-request')
  const user = await app.call('POST /v2/users', { body: { email: 'new@example.com' } })
  const { url } = await app.call('GET /v2/users/{userId}/kyc-url', {
    path: { userId: user.id },
  })
  const statusOf = async () => (await control(`/transactions/${transaction.id}`)).status
  const kycStatus = async () => (await control(`/users/${user.id}`)).status
  const lastOf = (link: string) => link.split('/').at(-1) ?? ''
  return { bank: lastOf(messages.at(-1).url), kyc: lastOf(url), transaction, statusOf, kycStatus }
}

const PENDING = 'pending request money transfer'

it('a hosted form needs only its link, and redirects to a confirmation', async () => {
  const app = open({ controlToken: 'secret' })
  const { bank, kyc, statusOf, kycStatus } = await readLinks(app)
  const checked = await post(app, `/kyc/${kyc}`, { status: 'rejected', reason: ' Blurred ' })
  expect(checked.status).toBe(303)
  expect(await kycStatus()).toBe('rejected')
  const page = await app.send(checked.headers.get('location') ?? '')
  expect(page.text).toContain('Rejected. The user was sent a message.')
  expect(page.text).toContain('Reason: Blurred')
  const paid = await post(app, `/bank/${bank}`, { decision: 'approve', for: 'My wallet' })
  expect(paid.status).toBe(303)
  expect(paid.headers.get('location')).toBe(`/_sandbox/bank/${bank}?done=approve&for=My+wallet`)
  expect(await statusOf()).toBe('processing request money transfer')
})

it('a hosted form is shown again, with the reason, if the decision comes too late', async () => {
  const app = open()
  const { bank } = await readLinks(app)
  await post(app, `/bank/${bank}`, { decision: 'approve' })
  const { status, text } = await post(app, `/bank/${bank}`, { decision: 'refuse' })
  expect(status).toBe(409)
  expect(text).toContain('role="alert"')
  expect(text).toContain('<h1>Sent</h1>')
})

it('a hosted form behind an expired KYC link is gone, like the link', async () => {
  const app = open({ clock: 'frozen' })
  const { kyc, kycStatus } = await readLinks(app)
  await app.send('/_sandbox/clock/advance', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ by: '31m' }),
  })
  const { status, text } = await post(app, `/kyc/${kyc}`, { status: 'verified' })
  expect(status).toBe(410)
  expect(text).toContain('<h1>This KYC link has expired</h1>')
  expect((await app.send(`/_sandbox/kyc/${kyc}`)).status).toBe(410)
  expect(await kycStatus()).toBe('initial')
})

it('the URL of a form leads a reader to its page', async () => {
  const app = open()
  const { bank, kyc } = await readLinks(app)
  const leads = [
    [`/kyc/${kyc}`, `/_sandbox/kyc/${kyc}`],
    [`/bank/${bank}`, `/_sandbox/bank/${bank}`],
    ['/sign-in', '/_sandbox/'],
  ] as const
  for (const [form, page] of leads) {
    const { status, headers } = await app.send(`/_sandbox/forms${form}`)
    expect([status, headers.get('location')]).toEqual([302, page])
  }
})

it('a hosted form neither acts nor shows an order without the secret part of its link', async () => {
  const app = open({ controlToken: 'secret' })
  const { transaction, statusOf } = await readLinks(app)
  const { status, text } = await post(app, `/bank/${transaction.id}`, { decision: 'approve' })
  expect(status).toBe(404)
  expect(text).not.toContain('$100')
  expect(await statusOf()).toBe(PENDING)
})

it('a hosted form cannot be sent by a page of another site', async () => {
  const app = open()
  const { transaction, statusOf } = await readLinks(app)
  for (const headers of [
    {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
    },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const path = `/bank/${transaction.id}`
    const { status } = await post(app, path, { decision: 'approve' }, headers)
    expect(status).toBeGreaterThanOrEqual(403)
  }
  expect(await statusOf()).toBe(PENDING)
})

const options = { controlToken: 'secret' }

it('the sign-in form sets the cookie, and redirects to where the token was asked for', async () => {
  const app = open(options)
  const asked = await app.send('/_sandbox/ui/users?q=ana', { headers: { accept: 'text/html' } })
  expect(asked.status).toBe(401)
  expect(asked.text).toContain('name="from" value="/_sandbox/ui/users?q=ana"')
  const from = '/_sandbox/ui/users?q=ana'
  const { status, headers } = await post(app, '/sign-in', { token: 'secret', from })
  expect(status).toBe(303)
  expect(headers.get('location')).toBe(from)
  expect(headers.get('set-cookie')).toMatch(/^ramp_sandbox_control=secret;.*HttpOnly/)
})

it('the sign-in form asks again after a wrong token, and creates no world', async () => {
  const app = open(options)
  for (const token of ['wrong', '', 'ü €', 'a\r\nb']) {
    const { status, headers, text } = await post(app.world('new'), '/sign-in', { token })
    expect(status, token).toBe(401)
    expect(headers.get('set-cookie')).toBe(null)
    expect(text).toContain('That is not the control token of this sandbox.')
  }
  const { text } = await app.send('/_sandbox/worlds', { headers: MAIN })
  expect(text).not.toContain('"new"')
})

it.each(['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', ''])(
  'the sign-in form redirects to the inspector instead of %j',
  async (from) => {
    const { headers } = await post(open(options), '/sign-in', { token: 'secret', from })
    expect(headers.get('location')).toBe('/_sandbox/')
  },
)

it('the sign-in form cannot be sent by a page of another site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const response = await post(open(options), '/sign-in', { token: 'secret' }, headers)
  expect(response.status).toBe(403)
  expect(response.headers.get('set-cookie')).toBe(null)
})

it.each(['/_sandbox/', '/_sandbox/demo'])(
  '%s says that it needs JavaScript when there is none',
  async (path) => {
    const { status, text } = await open().send(path, { headers: { accept: 'text/html' } })
    expect(status).toBe(200)
    expect(text).toContain('<noscript>This page needs JavaScript.</noscript>')
  },
)
