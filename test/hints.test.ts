import { beforeAll, expect, it } from 'vitest'
import { KEY, KEY_2, openApp, type RawCall, sendTo, type TestApp } from './helpers/app.ts'
import { type Person, PROFILE, readCode, verifiedUser } from './helpers/story.ts'

/** What the journal says about a call that was rejected. */
interface Explained {
  status: number
  rule: string
  hint: string
  nearest: string | null
  problems: { field: string; nearest: string | null }[]
  notes: string[]
}

let app: TestApp
let alice: Person
let bob: Person

beforeAll(async () => {
  app = openApp()
  alice = await verifiedUser(app)
  bob = await verifiedUser(app, { email: 'bob@example.com' })
})

/** Makes a call that is rejected, and reads the reason in the journal. */
async function explain(route: string, call: RawCall = {}): Promise<Explained> {
  const response = await send(route, call)
  expect(response.status, response.text).toBeGreaterThanOrEqual(400)
  expectContractShape(route, response.text)
  const id = response.headers.get('x-sandbox-request')
  const { reason, problems, notes } = await app.control('GET', `/requests/${id}`)
  expect(reason.rule, response.text).toMatch(/^[A-Z]/)
  const { rule, hint, nearest } = reason
  return { status: response.status, rule, hint: hint ?? '', nearest, problems, notes }
}

const send = (route: string, call: RawCall) => sendTo(app, route, call)

/** What the journal explains must not show in the response. */
function expectContractShape(route: string, text: string) {
  const response = JSON.parse(text)
  const isV2 = / \/+v2/i.test(route)
  expect(Object.keys(response)).toEqual(isV2 ? ['success', 'errors'] : ['message', 'status'])
  for (const error of response.errors ?? [])
    expect(Object.keys(error)).toEqual(['field', 'message'])
}

it.each([
  ['api-key', KEY, 'x-api-key'],
  ['authorization', `Bearer ${KEY}`, null],
])('an API key in the header %s is recognised', async (name, value, nearest) => {
  const call = { key: null, headers: { [name]: value } }
  expect(await explain('GET /v2/limits', call)).toMatchObject({
    status: 401,
    nearest,
    hint: expect.stringMatching(/./),
  })
})

it('the error for an access token of another user says whose it is', async () => {
  const { status, hint } = await explain(`GET /v2/users/${alice.id}/requirements`, {
    token: bob.token,
  })
  expect([status, hint]).toEqual([403, expect.stringContaining('bob@example.com')])
})

it('the error for an access token that is expired, or of another integrator or world, says so', async () => {
  const foreign = await explain('GET /v2/limits', { token: alice.token, key: KEY_2 })
  expect(foreign.hint).toContain('main')
  const elsewhere = await verifiedUser(app.world('elsewhere'))
  const other = await explain('GET /v2/limits', { token: elsewhere.token })
  expect(other.hint).toContain('elsewhere')
  const later = openApp()
  const { token } = await verifiedUser(later)
  await later.advance('1h')
  const response = await later.send('/v2/limits', {
    headers: { 'x-api-key': KEY, authorization: `Bearer ${token}` },
  })
  const id = response.headers.get('x-sandbox-request')
  const { reason } = await later.control('GET', `/requests/${id}`)
  expect(reason.hint).toContain('2026-07-01T13:00:00.000Z')
})

it.each([
  ['first_name', 'firstName'],
  ['address1', 'addressLine1'],
  ['ocupation', 'occupation'],
])('a misnamed field %s is ignored by v2, with a note that names %s', async (sent, meant) => {
  const body = { email: `${sent}@example.com`, [sent]: 'x' }
  const response = await send('POST /v2/users', { body })
  expect(response.status, response.text).toBe(200)
  const id = response.headers.get('x-sandbox-request')
  const { notes } = await app.control('GET', `/requests/${id}`)
  expect(notes).toEqual([expect.stringMatching(`^${sent} .*${meant}`)])
})

it.each([
  ['POST /v2/auth/login-codes/verify', { email: 'a@example.com', login_code: '1' }, 'code'],
  ['POST /v2/users', { Email: 'alice@example.com' }, 'email'],
  ['POST /generateApiLink', { email: 'x@example.com', ...PROFILE }, 'postal'],
])('a misnamed required field is recognised: %s', async (route, body, field) => {
  const { problems } = await explain(route, { body })
  expect(problems).toContainEqual(expect.objectContaining({ field, nearest: field }))
})

it.each([
  ['GET /users?email=x', 'GET /v2/users'],
  ['GET /V2/Users', 'GET /v2/users'],
  ['POST /v1/transactions', 'POST /v2/transactions'],
  ['POST /v2/loginCodeSend', 'POST /v2/auth/login-codes'],
  ['POST /v1/loginCodeSend', 'POST /loginCodeSend'],
  ['PATCH /v2/webhooks', 'PUT or DELETE /v2/webhook-configurations'],
  ['POST //v2/auth//login-codes/', 'POST /v2/auth/login-codes'],
  ['POST /v2/transactons', 'POST /v2/transactions'],
])('the response to an unknown path %s says that %s was meant', async (route, nearest) => {
  expect(await explain(route)).toMatchObject({ status: 404, nearest })
  expect((await send(route, {})).text).toMatch(new RegExp(`(the nearest is|is now) ${nearest}\\.`))
})

it.each([
  ['POST /_sandbox/clock/advanc', 'There is no route POST /_sandbox/clock/advanc; the nearest is '],
  ['POST /_sandbox/buy', 'the nearest is POST /_sandbox/simulate/users/:user/buy.'],
  ['POST /_sandbox/xyzzy', 'GET /llms.txt gives an overview.'],
])(
  'the response to an unknown path of the control API, %s, names a route only if it is similar',
  async (route, said) => {
    const { status, text } = await send(route, { body: {} })
    expect(status).toBe(404)
    expect(JSON.parse(text).detail).toContain(said)
  },
)

it('the error for a wrong method suggests a method of the same path', async () => {
  expect(await explain('POST /v2/limits')).toMatchObject({
    status: 405,
    nearest: 'GET /v2/limits',
  })
})

const notesOf = async (route: string, call: RawCall = {}) => {
  const { status, headers, text } = await send(route, call)
  expect(status, text).toBe(200)
  const id = headers.get('x-sandbox-request')
  return (await app.control('GET', `/requests/${id}`)).notes
}

it.each([
  'GET /v2/users?email=ana+ramp@example.com',
  'GET /apiFindUser?email=ana+ramp@example.com',
  'POST /loginCodeSend?email=ana+ramp@example.com',
  'POST /loginCodeVerify?email=ana+ramp%40example.com&login_code=1234',
])('the query has a hint if a + is read as a space: %s', async (route) => {
  const { hint } = await explain(route)
  expect(hint).toContain('In a query, + means a space; write %2B in email.')
})

it.each([
  ['page=2', 'page', 'offset'],
  ['per_page=50', 'per_page', 'limit'],
  ['pageSize=50', 'pageSize', 'limit'],
  ['skip=20', 'skip', 'offset'],
  ['ofset=20', 'ofset', 'offset'],
])('the query has a note if a parameter is ignored: %s', async (query, sent, meant) => {
  const notes = await notesOf(`GET /v2/transactions?${query}`, { token: alice.token })
  expect(notes).toEqual([
    `${sent} is not a query parameter of this request; did you mean ${meant}?`,
  ])
})

it('the query has a note of an ignored parameter in v1, and for an operation without parameters', async () => {
  const ignored = 'page is not a query parameter of this request.'
  expect(await notesOf('GET /webhooks?page=2')).toEqual(expect.arrayContaining([ignored]))
  expect(await notesOf('GET /v2/limits?page=2', { token: alice.token })).toEqual([ignored])
  const own = await notesOf(`GET /v2/limits?userId=${alice.id}`, { token: alice.token })
  expect(own).toEqual([])
})

it('a suggestion for an ignored field or parameter is none that was sent, too', async () => {
  const labels = 'leftSideLabel=CAD&rightSideLabel=USDC-ETH'
  const sent = `${labels}&leftSideValue=100&rightSideValue=5`
  expect(await notesOf(`GET /v2/quotes?${sent}`)).toContain(
    'rightSideValue is not a query parameter of this request.',
  )
  const body = { email: 'zoe@example.com', firstName: 'Zoe', frstName: 'Zoe' }
  expect(await notesOf('POST /v2/users', { body })).toContain(
    'frstName is not a field of this request.',
  )
})

it('the error for a missing access token says why key-only access is not enough', async () => {
  const own = openApp({ fixture: 'cast' })
  const hintFor = async (email: string) => {
    const { items } = await own.control('GET', `/users?q=${email}`)
    const { headers } = await sendTo(own, `GET /v2/limits?userId=${items[0].id}`, { key: KEY_2 })
    return (await own.control('GET', `/requests/${headers.get('x-sandbox-request')}`)).reason.hint
  }
  expect(await hintFor('dave@example.com')).toBe(
    'dave@example.com has not granted key-only access.',
  )
  await own.control('PATCH', '/settings', { 'access.subject': 'refuse' })
  expect(await hintFor('erin@example.com')).toBe(
    'access.subject is refuse, so this call needs a token.',
  )
})

it('a login code that is not sent has a note that says why', async () => {
  const own = openApp({ fixture: 'cast' })
  const settings = { 'status.unverified-login': 200, 'status.unknown-user': 200 }
  await own.control('PATCH', '/settings', settings)
  const noteFor = async (email: string) => {
    const { headers } = await sendTo(own, 'POST /v2/auth/login-codes', { body: { email } })
    return (await own.control('GET', `/requests/${headers.get('x-sandbox-request')}`)).notes
  }
  expect(await noteFor('carol@example.com')).toEqual([
    'carol@example.com is not verified, and status.unverified-login is 200, so no code was sent.',
  ])
  expect(await noteFor('nobody@example.com')).toEqual([
    'No user has this e-mail address, and status.unknown-user is 200, so no code was sent.',
  ])
})

const mail = async (route: string, email: string, key = KEY) => {
  await send(route, { key, body: { email } })
  return await readCode(app, email)
}

it('the error for a wrong login code says how many more attempts are accepted', async () => {
  const email = 'alice@example.com'
  const code = await mail('POST /v2/auth/login-codes', email)
  const body = { email, code: code === '0000' ? '1111' : '0000' }
  const hints: string[] = []
  for (let nth = 0; nth < 5; nth++) {
    hints.push((await explain('POST /v2/auth/login-codes/verify', { body })).hint)
  }
  expect(hints.slice(-3)).toEqual([
    expect.stringContaining('After 2 more wrong codes, the code that was sent stops working.'),
    expect.stringContaining('After 1 more wrong code, the code that was sent stops working.'),
    expect.stringContaining('The code that was sent no longer works.'),
  ])
})

it('the error for a login code of an earlier e-mail says that a newer one replaced it, in both versions', async () => {
  const email = 'bob@example.com'
  const first = await mail('POST /v2/auth/login-codes', email)
  await mail('POST /v2/auth/login-codes', email)
  const body = { email, code: first }
  const v2 = await explain('POST /v2/auth/login-codes/verify', { body })
  const v1 = await explain(`POST /loginCodeVerify?email=${email}&login_code=${first}`)
  for (const { hint } of [v1, v2]) {
    expect(hint).toContain('a newer code replaced it (login.code.resend)')
  }
})

it.each([
  ['Basic abc', 'The scheme is Basic, not Bearer.'],
  ['"Bearer abc"', 'Remove the quotes around the value of the header.'],
  ['abc', 'The word Bearer is missing before the token.'],
])(
  'an access token under another scheme has a hint that says so: %s',
  async (authorization, said) => {
    const { status, hint } = await explain('GET /v2/limits', { headers: { authorization } })
    expect([status, hint]).toEqual([401, said])
  },
)
