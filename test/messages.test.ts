import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Control, openControl } from './control/control.ts'
import { KEY_2, sendTo } from './helpers/app.ts'

let control: ReturnType<typeof openControl>
beforeEach(() => {
  control = openControl({ fixture: 'cast' })
})
afterEach(() => control[Symbol.asyncDispose]())

const ALICE = 'alice@example.com'
const BUY = '/simulate/users/alice@example.com/buy'

const refusal = async (method: string, path: string, body?: object, own: Control = control) =>
  (await own.refused(method, path, { body })).title

it.each([
  [
    'POST',
    BUY,
    { cad: 100, integrator: '' },
    'There is no integrator ""; use one of main, second.',
  ],
  [
    'POST',
    BUY,
    { cad: 100, integrator: 'mian' },
    'There is no integrator mian; did you mean main?',
  ],
  ['PUT', '/webhooks/settings', { integrator: 'secnd' }, 'did you mean second?'],
  ['PATCH', '/settings', { '': 1 }, 'There is no setting "".'],
  ['GET', '/users/%20', undefined, 'There is no user " ".'],
  ['POST', '/reset', { clock: '' }, 'followed by an instant, not "".'],
  ['POST', '/reset', { fixture: 5 }, 'fixture must be a string or an object, not 5.'],
  [
    'POST',
    '/faults',
    { on: 'api', match: { method: '' }, then: { status: 503 } },
    'There is no method "";',
  ],
] as const)('the refusal of %s %s with %o shows an empty or mistyped name', async (...call) => {
  const [method, path, body, sentence] = call
  expect(await refusal(method, path, body)).toContain(sentence)
})

it.each([
  [{ 'limits.active': 0 }, 'No transactions may be created: limits.active is 0.'],
  [{ 'limits.cancelled': 0 }, 'No transactions may be created: limits.cancelled is 0.'],
  [
    { 'quotes.labels': 'none' },
    'coin cannot be USDC-ETH: no stablecoins are offered (quotes.labels).',
  ],
  [{ 'quotes.labels': 'CADC' }, 'coin must be CADC.'],
])(
  'the refusal of an order under the settings %o gives the actual reason',
  async (settings, sentence) => {
    await control.patch('/settings', settings)
    expect(await refusal('POST', BUY, { cad: 100 })).toBe(sentence)
  },
)

it('the limit on cancelled transactions says how many there are, even if it was lowered', async () => {
  for (let count = 0; count < 2; count++) {
    const { transaction } = await control.post(BUY, { cad: 100 })
    await control.post(`/simulate/transactions/${transaction.id}/cancelled`)
  }
  await control.patch('/settings', { 'limits.cancelled': 1 })
  expect(await refusal('POST', BUY, { cad: 100 })).toMatch(/^2 transactions were cancelled /)
})

it('the refusal for too many active transactions says how many it does not list', async () => {
  await control.patch('/settings', { 'limits.active': 7 })
  for (let count = 0; count < 7; count++) await control.post(BUY, { cad: 100 })
  const { detail } = await control.refused('POST', BUY, { body: { cad: 100 } })
  expect(detail).toMatch(/^Active: (\S+, ){4}\S+ and 2 more\. /)
})

it('the refusal of v1 after an early sunset suggests no time after that sunset', async () => {
  await control.patch('/settings', { 'v1.sunset': '2026-06-01T00:00:00Z' })
  const { v1 } = await control.get('/info')
  expect(v1.sentence).toContain('Start with an earlier --clock')
})

it('the hint for a wrong code says that one was sent for another API key', async () => {
  const body = { email: ALICE, code: '1234' }
  await control.app.call('POST /v2/auth/login-codes', { body: { email: ALICE } })
  const wrong = await sendTo(control.app, 'POST /v2/auth/login-codes/verify', { key: KEY_2, body })
  expect(wrong.text).toContain('No login code was sent to this user for this API key.')
  const { reason } = await control.get(`/requests/${wrong.headers.get('x-sandbox-request')}`)
  expect(reason.hint).toContain('One was sent for the integrator main, not for second.')
})

it('a hint for a call of v1 names routes of v1', async () => {
  const { headers } = await sendTo(control.app, 'GET /apiFindUser', {
    query: { email: 'nobody@example.com' },
  })
  const { reason } = await control.get(`/requests/${headers.get('x-sandbox-request')}`)
  expect(reason.hint).toBe('Use POST /generateApiLink to register one.')
})

it.each([
  [['Blurred.'], 'Reason: Blurred.'],
  [['Blurred.', 'Cut off'], 'Reasons: Blurred; Cut off.'],
])('the message about an identity check ends its reasons %o with one full stop', async (...row) => {
  const [reasons, sentence] = row
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'rejected', reasons })
  const { messages } = await control.get('/inbox?kind=kyc-result')
  expect(messages[0].text).toBe(`Your identity check failed. You can try again. ${sentence}`)
})

it.each([
  ['settings', { 'quotes.tll': '1h' }, 'There is no setting quotes.tll; did you mean quotes.ttl?'],
  ['settings', { 'quotes.ttl': 'x' }, 'settings.quotes.ttl must be a length of time'],
  ['users', [null], 'users.0 must be an object, not null.'],
])('the refusal of a state with the %s %j is one sentence', async (name, value, sentence) => {
  const title = await refusal('PUT', '/state', {
    ...(await control.get('/state')),
    [name]: value,
  })
  expect(title).toContain(sentence)
  expect(title).toMatch(/[^.?][.?]$/)
})

it('the URL of a legacy webhook in a fixture is refused at its own field', async () => {
  const [integrator] = [{ name: 'a', apiKey: 'k', legacyWebhooks: { verifiedEmailUrl: 'x' } }]
  const { errors, detail, title } = await control.refused('POST', '/reset', {
    body: { fixture: { integrators: [integrator] } },
  })
  const field = 'integrators[0].legacyWebhooks.verifiedEmailUrl'
  expect(errors).toEqual([
    { field, message: `${field} must be an absolute URL, such as https://example.com/hooks.` },
  ])
  // The caller sent the fixture, so it has no name.
  expect(detail).toBe(title)
})

it.each([
  ['/events?timeout=0&q=zebra', '1 event so far, none with this text.'],
  [
    '/events?timeout=0&type=user.update&status=complete&q=zebra',
    'none with this type, status or text.',
  ],
  ['/inbox?timeout=0&email=zz', 'There is no user zz.'],
  ['/events?timeout=0&integrator=mian', 'There is no integrator mian; did you mean main?'],
])('the wait %s says in words what did not match', async (path, sentence) => {
  await control.post(BUY, { cad: 100 })
  expect((await control.get(path)).nearest).toContain(sentence)
})

it.each([
  ['/explain/evt_0', 'There is no event evt_0.'],
  ['/explain/req_0', 'There is no request req_0.'],
  ['/settings/quotes.tll', 'There is no setting quotes.tll; did you mean quotes.ttl?'],
])('the refusal of GET %s names what is missing', async (path, sentence) => {
  expect(await refusal('GET', path)).toBe(sentence)
})

it('a list of settings says which setting was probably meant, if none matches', async () => {
  expect(await control.get('/settings?q=quotes.tll')).toEqual({
    items: [],
    total: 0,
    unknown: 'No setting matches quotes.tll; did you mean quotes.ttl?',
  })
  expect(await control.get('/settings?q=quotes.&changed=true')).toEqual({ items: [], total: 0 })
})

it('explain shows the note on an accepted call that is newer than the last refused one', async () => {
  const mistyped = { email: 'zoe@example.com', frstName: 'Zoe' }
  await control.app.call('POST /v2/users', { body: mistyped })
  const note = 'frstName is not a field of this request; did you mean firstName?'
  const alone = await control.get('/explain/last')
  expect(alone.text).toMatch(/^req_1 .*\(the last call with a note; none was refused\)$/m)
  expect(alone.text).toContain(`note: ${note}`)
  await sendTo(control.app, 'GET /v2/limits')
  expect((await control.get('/explain/last')).text).not.toContain(note)
  await control.app.call('POST /v2/users', { body: { ...mistyped, email: 'yo@example.com' } })
  const later = await control.get('/explain/last')
  expect(later.text).toMatch(/^req_2 .*\(the last refused call; 1 call since, up to req_3\)$/m)
  expect(later.text).toContain(`note on req_3, which was accepted: ${note}`)
})

it('the title of a refused clock change does not say where the clock moved', async () => {
  await control.refused('POST', '/clock/advance', { body: { to: '2020-01-01T00:00:00Z' } })
  await control.refused('POST', '/clock/freeze', { body: { at: '2020-01-01T00:00:00Z' } })
  const { actions } = await control.get('/actions')
  expect(actions.map(({ title }: { title: string }) => title)).toEqual([
    'Move world time forward and run what is scheduled on the way',
    'Stop world time, now or after advancing to an instant',
  ])
})

it('the error for testing a missing webhook URL names the integrator', async () => {
  await control.put('/webhooks/settings', { url: 'http://127.0.0.1:9/hooks' })
  const { title, detail } = await control.refused('POST', '/webhooks/test', {
    body: { integrator: 'second' },
  })
  expect(title).toBe('The integrator second has no webhook URL.')
  expect(detail).toContain('/_sandbox/webhooks/settings with integrator second')
})

it('the error for a webhook URL does not suggest http:// if the settings refuse that', async () => {
  await control.patch('/settings', { 'webhooks.url': 'https-only' })
  const { title, detail } = await control.refused('PUT', '/webhooks/settings', {
    body: { url: 'x' },
  })
  expect(detail).toBe(title)
})

it('a hint about an unknown API key says how many keys it does not name', async () => {
  const integrators = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ name: `i${n}`, apiKey: `key-${n}` }))
  await control.post('/reset', { fixture: { integrators } })
  const { headers } = await sendTo(control.app, 'GET /v2/limits', { key: 'other' })
  const { reason } = await control.get(`/requests/${headers.get('x-sandbox-request')}`)
  expect(reason.hint).toBe('Keys of this world: key-1, key-2, key-3, key-4, key-5 and 2 more.')
})

it('the error of a sandbox that others can reach does not suggest http for its own machine', async () => {
  await using shared = openControl({ publicUrl: 'https://sandbox.example.com' })
  const set = (url: string) => shared.refused('PUT', '/webhooks/settings', { body: { url } })
  expect((await set('http://example.com/hooks')).title).toBe(
    'url must start with https://; http is only for the hosts named by --allow-webhook-host.',
  )
  const { title, detail } = await set('x')
  expect(detail).toBe(title)
})

it('the message to a verified user gives no reasons', async () => {
  const reasons = ['manual review']
  await control.post('/simulate/users/bob@example.com/kyc', { status: 'verified', reasons })
  const { messages } = await control.get('/inbox?kind=kyc-result')
  expect(messages.at(-1).text).toBe('We have verified your identity. You can now buy and sell.')
})

it('a wallet that is not an address on Ethereum is not read as base58', async () => {
  const body = { cad: 250, coin: 'USDC-ETH', wallet: 'z' }
  const { title, detail } = await control.refused('POST', BUY, { body })
  expect(detail).toBe(title)
})
