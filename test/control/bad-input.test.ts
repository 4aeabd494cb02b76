import { afterAll, expect, it } from 'vitest'
import { requireControl } from '../../src/http/control/auth.ts'
import { controlOperations } from '../../src/http/control/index.ts'
import { openControl } from './control.ts'

const open = openControl()
const guarded = openControl({ controlToken: 'secret' })
const off = openControl({ control: false })
afterAll(async () => {
  for (const control of [open, guarded, off]) await control.app.close()
})

/** Every operation that the auth stands before, at a path that fits it. */
const operations = controlOperations
  .filter(({ auth }) => auth === requireControl)
  .map(({ method, path }) => [method, path.replace('/_sandbox', '').replace(/:\w+/g, 'x')] as const)
const withBody = operations.filter(([method]) => !['GET', 'DELETE'].includes(method))
const LONG = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })

it.each(operations)(
  'the control operation %s %s refuses other hosts, other sites and wrong tokens',
  async (method, path) => {
    const refusedTo = async (headers: Record<string, string>, control = open) => {
      const { status, code } = await control.refused(method, path, { headers })
      return `${status} ${code}`
    }
    // A page may rebind its own name to loopback.
    for (const host of ['example.com', '127.0.0.1.example.com', 'localhost.example.com:4100']) {
      expect(await refusedTo({ host })).toBe('403 host-not-allowed')
    }
    for (const site of ['cross-site', 'same-site']) {
      expect(await refusedTo({ 'sec-fetch-site': site })).toBe('403 cross-site')
    }
    for (const origin of ['http://evil.example', 'null']) {
      expect(await refusedTo({ origin })).toBe('403 cross-site')
    }
    for (const authorization of ['', 'secret', 'Bearer secret2']) {
      expect(await refusedTo({ authorization }, guarded)).toBe('401 control-token')
    }
    expect(await refusedTo({}, off)).toBe('404 control-off')
  },
)

it.each(operations)(
  'the control operation %s %s refuses an unknown parameter and an unknown method',
  async (method, path) => {
    const { status, errors } = await open.refused(method, `${path}?surprise=1`)
    expect([status, errors.map(({ field }) => field)]).toEqual([
      400,
      expect.arrayContaining(['surprise']),
    ])
    const response = await open.open(path, { method: 'PROPFIND' })
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      expect.stringMatching(/^[A-Z]+(, [A-Z]+)*$/),
    ])
  },
)

it.each(withBody)(
  'the control operation %s %s refuses a body that is not a JSON object of its fields',
  async (method, path) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const sent = { text: '{}', headers: { 'content-type': type } }
      expect((await open.refused(method, path, sent)).code).toBe('unsupported-media-type')
    }
    for (const text of ['{', '[1]', 'null', '"x"', '{"a":1}}', '\u0000']) {
      expect(await open.refused(method, path, { text })).toMatchObject({ status: 400 })
    }
    if (path === '/state') return
    expect((await open.refused(method, path, { text: LONG })).code).toBe('body-too-large')
    if (/settings|faults|mcp/.test(path)) return
    const { errors } = await open.refused(method, path, { body: { surprise: 1 } })
    expect(errors.map(({ field }) => field)).toContain('surprise')
  },
)

it.each([
  ['/clock/freeze', { at: '2020-01-01T00:00:00Z' }, 'at', 'Time only moves forward'],
  [
    '/reset',
    { keep: ['clock'], clock: 'frozen' },
    'clock',
    'clock cannot be combined with keep: clock.',
  ],
  [
    '/faults',
    { on: 'api', match: { path: 'v2/users' }, then: { status: 503 } },
    'match.path',
    'match.path must begin with / or *.',
  ],
])('POST %s with %j names the field %s', async (path, body, field, message) => {
  const { status, errors } = await open.refused('POST', path, { body })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(errors).toEqual([{ field, message: expect.stringContaining(message) }])
})

it('a link on another site may open a page, but not in a frame', async () => {
  const statusOf = async (headers: Record<string, string>) => {
    const site = { accept: 'text/html', 'sec-fetch-site': 'cross-site', ...headers }
    return (await open.app.send('/_sandbox/', { headers: site })).status
  }
  expect(await statusOf({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(200)
  expect(await statusOf({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe(403)
  expect(await statusOf({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe(403)
})

it.each([
  ['GET', '/clok', 'GET /_sandbox/clock'],
  ['POST', '/simulate/transaction/x/funds-recieved', ':id/funds-received'],
])(
  'the error for an unknown control path names the nearest one: %s %s',
  async (method, path, route) => {
    const { status, detail } = await open.refused(method, path)
    expect([status, detail]).toEqual([404, expect.stringContaining(route)])
  },
)

it('control paths may hold any text', async () => {
  for (const id of ['%00', '%f0%9f%99%82', '..%2f..%2f', '%', 'x'.repeat(4_000)]) {
    expect(await open.refused('GET', `/users/${id}`)).toMatchObject({ status: 404 })
    expect(await open.refused('GET', `/requests/${id}`)).toMatchObject({ status: 404 })
  }
})

it('control paths respond to a HEAD as they respond to a GET', async () => {
  const response = await open.open('/health', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

it.each([
  ['/events', 'timeout=60001', 'timeout'],
  ['/events', 'count=0', 'count'],
  ['/events', 'after=99', 'after'],
  ['/events', 'type=transaction.updated', 'type'],
  ['/events', `ref=${'x'.repeat(321)}`, 'ref'],
  ['/inbox', 'kind=spam', 'kind'],
  ['/requests', 'status=600', 'status'],
  ['/requests', 'refused=yes', 'refused'],
  ['/users', 'limit=0', 'limit'],
  ['/users', 'status=sleepy', 'status'],
  ['/webhooks/deliveries', 'outcome=lost', 'outcome'],
])('GET %s?%s is refused, naming %s', async (path, query, field) => {
  const { status, errors } = await open.refused('GET', `${path}?${query}`)
  expect([status, errors[0]?.field]).toEqual([400, field])
})

const RESPOND = '/catch/hooks/respond'

it.each<[method: string, path: string, body: object, field: string]>([
  ['POST', RESPOND, { status: 199 }, 'status'],
  ['POST', RESPOND, { status: 204, body: 'x' }, 'body'],
  ['POST', RESPOND, { status: 200, times: 0 }, 'times'],
  ['POST', RESPOND, { status: 200, headers: { a: 'b\r\nc: d' } }, 'headers.a'],
  ['POST', RESPOND, { status: 200, headers: { 'Set-Cookie': 'x' } }, 'headers.Set-Cookie'],
  [
    'POST',
    RESPOND,
    { status: 200, headers: { 'clear-site-data': '*' } },
    'headers.clear-site-data',
  ],
  ['POST', '/webhooks/deliveries/dlv_1/resend', { mutate: 'url' }, 'mutate'],
  ['POST', '/webhooks/drain', { timeout: '61s' }, 'timeout'],
  ['POST', '/clock/advance', { to: 'soon' }, 'to'],
  ['POST', '/simulate/users/alice@example.com/buy', { cad: 100, integrator: 'x' }, 'integrator'],
  ['PUT', '/rates', { USDC: { cad: -1 } }, 'USDC.cad'],
  ['PUT', '/rates', { USDC: { cad: 1_000_000.1 } }, 'USDC.cad'],
  ['PUT', '/rates', { BTC: { cad: 1 } }, 'BTC'],
  ['PATCH', '/settings', { 'quotes.ttll': '5m' }, 'quotes.ttll'],
  ['PATCH', '/settings', { 'limits.active': -1 }, 'limits.active'],
  ['PATCH', '/settings', { 'names.headerPrefix': 'X Service' }, 'names.headerPrefix'],
  ['PATCH', '/settings', { 'names.securityAnswerField': 'status' }, 'names.securityAnswerField'],
  ['PATCH', '/settings', { 'names.securityAnswerField': 'txId' }, 'names.securityAnswerField'],
  ['PATCH', '/settings', { 'v1.sunset': 'never' }, 'v1.sunset'],
])('%s %s with %j is refused, naming %s', async (method, path, body, field) => {
  const { status, errors } = await open.refused(method, path, { body })
  expect([status, errors[0]?.field]).toEqual([400, field])
})

it('a number too large for a double is refused', async () => {
  const text = '{"USDC":{"cad":1e999}}'
  expect(await open.refused('PUT', '/rates', { text })).toMatchObject({ status: 400 })
})

const long = 'x'.repeat(900_000)

it.each([
  ['a value', '/simulate/users/alice@example.com/buy', { cad: 100, integrator: long }],
  ['the name of a field', '/users', { email: 'ana@example.com', [long]: 1 }],
])(
  'a text of almost a megabyte is not repeated in the response when it is sent as %s',
  async (_, path, body) => {
    const problem = await open.refused('POST', path, { body })
    expect(problem.title).toContain('xxx')
    expect(JSON.stringify(problem).length).toBeLessThan(10_000)
  },
)

it('a text in place of a list is refused for its type alone', async () => {
  const { errors } = await open.refused('POST', '/reset', { body: { keep: 'webhooks' } })
  expect(errors.map(({ message }) => message)).toEqual(['keep must be an array, not "webhooks".'])
})

it('the error for an unknown name in a fault says what does not exist', async () => {
  const titleOf = async (match: object) => {
    const body = { on: 'api', match, then: { status: 503 } }
    return (await open.refused('POST', '/faults', { body })).title
  }
  expect(await titleOf({ operation: 'createTransactio' })).toBe(
    'There is no operation createTransactio; did you mean createTransaction?',
  )
  expect(await titleOf({ integrator: 'nobody' })).toMatch(/^There is no integrator nobody; use /)
})
