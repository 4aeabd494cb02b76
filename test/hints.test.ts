import { beforeAll, describe, expect, it } from 'vitest'
import { KEY, KEY_2, NOWHERE, openApp, type RawCall, sendTo, type TestApp } from './helpers/app.ts'
import {
  EVM_WALLET,
  type Order,
  type Person,
  PROFILE,
  quote,
  readCode,
  SOLANA_WALLET,
  verifiedUser,
} from './helpers/story.ts'

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

const QUERY = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel'

describe('an API key', () => {
  it.each([
    ['api-key', KEY, 'x-api-key'],
    ['authorization', `Bearer ${KEY}`, null],
  ])('in the header %s is recognised', async (name, value, nearest) => {
    const call = { key: null, headers: { [name]: value } }
    expect(await explain('GET /v2/limits', call)).toMatchObject({
      status: 401,
      nearest,
      hint: expect.stringMatching(/./),
    })
  })
})

describe('an access token', () => {
  it('of another user says whose it is', async () => {
    const { status, hint } = await explain(`GET /v2/users/${alice.id}/requirements`, {
      token: bob.token,
    })
    expect([status, hint]).toEqual([403, expect.stringContaining('bob@example.com')])
  })

  it('of another integrator, of another world, or expired says so', async () => {
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
})

describe('a field under another name', () => {
  it.each([
    ['first_name', 'firstName'],
    ['address1', 'addressLine1'],
    ['ocupation', 'occupation'],
  ])('%s is ignored by v2, with a note that names %s', async (sent, meant) => {
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
  ])('is recognised where it is required: %s', async (route, body, field) => {
    const { problems } = await explain(route, { body })
    expect(problems).toContainEqual(expect.objectContaining({ field, nearest: field }))
  })

  it('is found in the query, as v1 had it', async () => {
    const route = 'POST /v2/auth/login-codes/verify?email=a@example.com&login_code=1234'
    const { problems } = await explain(route, { body: {} })
    expect(problems).toMatchObject([
      { field: 'email', nearest: '{"email":"a@example.com"}' },
      { field: 'code', nearest: '{"code":"1234"}' },
    ])
  })
})

describe('a value of the wrong type', () => {
  it.each([
    ['usdc-eth', 'USDC-ETH'],
    ['ETH-USDC', 'USDC-ETH'],
    ['cadc', 'CADC'],
  ])('is the label %s for %s', async (sent, nearest) => {
    const explained = await explain(`GET /v2/quotes?${QUERY}=${sent}`)
    expect(explained).toMatchObject({ status: 400, rule: 'What the service does: 3', nearest })
  })
})

describe('a wallet of another chain', () => {
  it.each([
    [SOLANA_WALLET, 'USDC-ETH', 'Solana'],
    [EVM_WALLET, 'USDC-SOL', 'Ethereum'],
  ])('%s for %s is recognised', async (wallet, rightSideLabel, words) => {
    const buy: Order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel }
    const { quoteId } = await quote(app, buy)
    const body = { ...buy, wallet, quoteId }
    const { status, hint } = await explain('POST /v2/transactions', { token: alice.token, body })
    expect([status, hint]).toEqual([400, expect.stringContaining(words)])
  })
})

describe('the row of another', () => {
  it('integrator is named to people who read the journal', async () => {
    await app.control('PATCH', '/settings', { 'users.visibility': 'integrator' })
    const { hint } = await explain(`GET /v2/users/${alice.id}/requirements`, { key: KEY_2 })
    expect(hint).toContain('main')
    await app.control('PATCH', '/settings', { 'users.visibility': null })
  })
})

describe('an unknown path', () => {
  it.each([
    ['GET /users?email=x', 'GET /v2/users'],
    ['GET /V2/Users', 'GET /v2/users'],
    ['POST /v1/transactions', 'POST /v2/transactions'],
    ['POST /v2/loginCodeSend', 'POST /v2/auth/login-codes'],
    ['POST /v1/loginCodeSend', 'POST /loginCodeSend'],
    ['PATCH /v2/webhooks', 'PUT or DELETE /v2/webhook-configurations'],
    ['POST //v2/auth//login-codes/', 'POST /v2/auth/login-codes'],
    ['POST /v2/transactons', 'POST /v2/transactions'],
  ])('%s is near %s', async (route, nearest) => {
    const explained = await explain(route)
    expect(explained).toMatchObject({ status: 404, nearest })
    expect(explained.hint).not.toBe('')
  })

  it('with an id keeps it', async () => {
    const { nearest } = await explain(`PUT /transactions/${NOWHERE}/cancel`)
    expect(nearest).toBe(`PUT /v2/transactions/${NOWHERE}/cancel`)
  })

  it('with another method names one that it takes', async () => {
    expect(await explain('POST /v2/limits')).toMatchObject({
      status: 405,
      nearest: 'GET /v2/limits',
    })
  })
})

describe('a call that is wrong at length', () => {
  it('takes little room in the journal', async () => {
    const texts = [
      JSON.stringify({ ['x'.repeat(1_000_000)]: 1 }),
      JSON.stringify({ email: 'x'.repeat(1_000_000) }),
      `{"email":[${'1,'.repeat(90_000)}1]}`,
    ]
    for (const text of texts) {
      const response = await send('POST /v2/users', { text })
      expect(response.status).toBe(400)
      const path = `/_sandbox/requests/${response.headers.get('x-sandbox-request')}`
      expect((await app.send(path)).text.length).toBeLessThan(200 * 1024)
    }
  })
})

describe('a value that is missing', () => {
  const UNFILLED = ['$TOKEN', `\${TOKEN}`, '{{token}}', '<ACCESS_TOKEN>', '%TOKEN%']
  it.each(['undefined', 'null', 'NaN', '[object Object]', '', '"undefined"', ...UNFILLED])(
    'in place of the token is recognised: "%s"',
    async (text) => {
      const headers = { authorization: `Bearer ${text}` }
      for (const route of ['GET /v2/limits', 'GET /transaction?tx_id=x']) {
        const { status, hint } = await explain(route, { headers })
        expect([status, hint]).toEqual([
          401,
          expect.stringContaining('Is the variable that holds the token set?'),
        ])
      }
    },
  )

  it.each(['undefined', 'null', '{{api key}}', '$KEY'])(
    'in place of the key is recognised: "%s"',
    async (key) => {
      for (const route of ['GET /v2/users?email=a@example.com', 'GET /webhooks']) {
        const { status, hint } = await explain(route, { key })
        expect([status, hint]).toEqual([
          401,
          expect.stringContaining('Is the variable that holds it set?'),
        ])
      }
    },
  )
})

describe('a key that is empty', () => {
  it.each(['', ' '])('is said to be: "%s"', async (key) => {
    for (const route of ['GET /v2/users?email=a@example.com', 'GET /webhooks']) {
      const { status, hint } = await explain(route, { key })
      expect([status, hint]).toEqual([
        401,
        'x-api-key is empty. Is the variable that holds it set?',
      ])
    }
  })
})

describe('a header that is sent twice', () => {
  it('is recognised where it is the key', async () => {
    const headers = { 'x-api-key': `${KEY}, ${KEY}` }
    for (const route of ['GET /v2/users?email=a@example.com', 'GET /webhooks']) {
      const { status, hint } = await explain(route, { key: null, headers })
      expect([status, hint]).toEqual([401, expect.stringContaining('more than once')])
    }
  })

  it('is recognised where it is the word Bearer, or where that is missing', async () => {
    const twice = await explain('GET /v2/limits', { token: `Bearer ${alice.token}` })
    expect(twice.hint).toContain('Bearer was sent twice')
    const headers = { authorization: alice.token }
    expect((await explain('GET /v2/limits', { headers })).hint).toContain('Bearer is missing')
  })
})

describe('the query', () => {
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
  ])('has a hint where a + is read as a space: %s', async (route) => {
    const { hint } = await explain(route)
    expect(hint).toContain('In a query, + means a space; write %2B in email.')
  })

  it('has a hint, or a note where it is accepted, where it was encoded twice', async () => {
    const twice = 'email was encoded twice: %252B is read as %2B.'
    const query = 'email=ana%252Bramp@example.com'
    expect(await notesOf(`GET /v2/users?${query}`)).toEqual([twice])
    for (const route of [`GET /apiFindUser?${query}`, `POST /loginCodeSend?${query}`]) {
      expect((await explain(route)).hint).toContain(twice)
    }
    expect((await explain('GET /v2/users?email=ana%2540example.com')).hint).toContain('%2540')
  })

  it('has no note where a + was encoded', async () => {
    expect(await notesOf('GET /v2/users?email=ana%2Bramp@example.com')).toEqual([])
  })

  it.each([
    ['page=2', 'page', 'offset'],
    ['per_page=50', 'per_page', 'limit'],
    ['pageSize=50', 'pageSize', 'limit'],
    ['skip=20', 'skip', 'offset'],
    ['ofset=20', 'ofset', 'offset'],
  ])('has a note where a parameter is ignored: %s', async (query, sent, meant) => {
    const notes = await notesOf(`GET /v2/transactions?${query}`, { token: alice.token })
    expect(notes).toEqual([
      `${sent} is not a query parameter of this request; did you mean ${meant}?`,
    ])
  })

  it('has a note of an ignored parameter in v1, and where an operation takes none', async () => {
    const ignored = 'page is not a query parameter of this request.'
    expect(await notesOf('GET /webhooks?page=2')).toEqual(expect.arrayContaining([ignored]))
    expect(await notesOf('GET /v2/limits?page=2', { token: alice.token })).toEqual([ignored])
    const own = await notesOf(`GET /v2/limits?userId=${alice.id}`, { token: alice.token })
    expect(own).toEqual([])
  })
})

describe('a login code', () => {
  const mail = async (route: string, email: string, key = KEY) => {
    await send(route, { key, body: { email } })
    return await readCode(app, email)
  }

  it('of an earlier mail says that a newer one replaced it, in both versions', async () => {
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

  it('that was sent for another key says so', async () => {
    const email = 'bob@example.com'
    const other = await mail('POST /v2/auth/login-codes', email, KEY_2)
    await mail('POST /v2/auth/login-codes', email)
    const body = { email, code: other }
    const { hint } = await explain('POST /v2/auth/login-codes/verify', { body })
    expect(hint).toContain('It was sent for the API key of second.')
  })

  it('is refused to a rejected user without the word yet, and says how to verify the user', async () => {
    await app.control('POST', '/simulate/users/bob@example.com/kyc', { status: 'rejected' })
    const body = { email: 'bob@example.com' }
    const { problems, hint } = await explain('POST /v2/auth/login-codes', { body })
    expect(problems[0]).toMatchObject({ field: 'email' })
    expect(hint).toContain('/_sandbox/simulate/users/bob@example.com/kyc')
    const { text } = await send('POST /v2/auth/login-codes', { body })
    expect(text).toContain('This user is not verified (status rejected) and cannot log in.')
    await app.control('POST', '/simulate/users/bob@example.com/kyc', { status: 'verified' })
  })
})
