import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { KEY, KEY_2, NOWHERE, openApp, type TestApp } from './helpers/app.ts'
import { validKyb } from './helpers/kyb.ts'
import {
  EVM_WALLET,
  type Order,
  type Person,
  PROFILE,
  quote,
  SOLANA_WALLET,
  verifiedUser,
} from './helpers/story.ts'

const CONTRACT = join(import.meta.dirname, '../../shared/provider-contract.md')

/** What the journal says about a call that was rejected. */
interface Explained {
  status: number
  rule: string
  hint: string
  nearest: string | null
  problems: { field: string; nearest: string | null }[]
  notes: string[]
}

const rules = new Set<string>()
let app: TestApp
let alice: Person
let bob: Person

beforeAll(async () => {
  app = openApp()
  alice = await verifiedUser(app)
  bob = await verifiedUser(app, { email: 'bob@example.com' })
})

interface Call {
  headers?: Record<string, string>
  body?: unknown
  /** Sent as it is. */
  text?: string
  token?: string
  key?: string | null
}

/** Makes a call that is rejected, and reads the reason in the journal. */
async function explain(route: string, call: Call = {}): Promise<Explained> {
  const answer = await send(route, call)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expectContractShape(route, answer.text)
  const id = answer.headers.get('x-sandbox-request')
  const { reason, problems, notes } = await app.control('GET', `/requests/${id}`)
  expect(reason.rule, answer.text).toMatch(/^[A-Z]/)
  rules.add(reason.rule)
  const { rule, hint, nearest } = reason
  return { status: answer.status, rule, hint: hint ?? '', nearest, problems, notes }
}

function send(route: string, { headers, body, text, token, key = KEY }: Call) {
  const [method = '', path = ''] = route.split(' ')
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return app.send(path, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  })
}

/** What the journal explains must not show in the answer. */
function expectContractShape(route: string, text: string) {
  const answer = JSON.parse(text)
  const isV2 = route.includes(' /v2')
  expect(Object.keys(answer)).toEqual(isV2 ? ['success', 'errors'] : ['message', 'status'])
  for (const error of answer.errors ?? []) expect(Object.keys(error)).toEqual(['field', 'message'])
}

const ORDER = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const QUERY = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel'
const order = async (more: object = {}) => {
  const { quoteId } = await quote(app, ORDER)
  return { ...ORDER, wallet: EVM_WALLET, quoteId, ...more }
}

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
    const answer = await later.send('/v2/limits', {
      headers: { 'x-api-key': KEY, authorization: `Bearer ${token}` },
    })
    const id = answer.headers.get('x-sandbox-request')
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

  it('in the query is not taken for a similar field', async () => {
    const { problems } = await explain('GET /v2/quotes?leftSideLable=CAD')
    expect(problems.map(({ nearest }) => nearest)).toEqual(['leftSideLabel', null, null])
  })

  it('that v2 no longer accepts points to the rule', async () => {
    const body = await order({ gasId: 1 })
    expect(await explain('POST /v2/transactions', { token: alice.token, body })).toMatchObject({
      status: 400,
      rule: 'Endpoints: Transactions, POST',
    })
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
    ['POST /v2/auth/login-codes/verify', { email: 'alice@example.com', code: 1234 }, '"1234"'],
    ['POST /v2/users', { email: 'values@example.com', pep: 'False' }, 'false'],
    ['POST /submitKYB', { ...validKyb(), purpose: 'Treasury Management' }, '"treasury_management"'],
  ])('%s %j should be %s', async (route, body, nearest) => {
    expect(await explain(route, { body })).toMatchObject({ status: 400, nearest })
  })

  it('is a number where an amount is text', async () => {
    const body = await order({ leftSideValue: '99.5' })
    const explained = await explain('POST /v2/transactions', { token: alice.token, body })
    expect(explained).toMatchObject({ nearest: '99.5' })
  })

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

describe('a quote', () => {
  it('that has expired says when', async () => {
    const later = await verifiedUser(app.world('later'))
    const world = app.world('later')
    const { quoteId } = await quote(world, ORDER)
    await world.advance('30m')
    const refused = await world.refused('POST /v2/transactions', {
      token: later.token,
      body: { ...ORDER, wallet: EVM_WALLET, quoteId },
    })
    const id = refused.headers.get('x-sandbox-request')
    const { reason } = await world.control('GET', `/requests/${id}`)
    expect(reason.hint).toContain('2026-07-01T12:30:00.000Z')
  })

  it('of another integrator says whose it is', async () => {
    const { quoteId } = await quote(app, ORDER, KEY_2)
    const body = { ...ORDER, wallet: EVM_WALLET, quoteId }
    const { hint } = await explain('POST /v2/transactions', { token: alice.token, body })
    expect(hint).toContain('second')
  })
})

describe('the row of another', () => {
  it('integrator is not given away', async () => {
    const path = 'GET /v2/users/alice@example.com/requirements'
    expect((await explain(path, { key: KEY_2 })).nearest).toBeNull()
  })

  it('integrator is named to people who read the journal', async () => {
    await app.control('PATCH', '/settings', { 'users.visibility': 'integrator' })
    const { hint } = await explain(`GET /v2/users/${alice.id}/requirements`, { key: KEY_2 })
    expect(hint).toContain('main')
    await app.control('PATCH', '/settings', { 'users.visibility': null })
  })

  it('user says so', async () => {
    const { id } = await bob.buy()
    const { hint } = await explain(`GET /v2/transactions/${id}`, { token: alice.token })
    expect(hint).toContain('another user')
  })
})

describe('an unknown path', () => {
  it.each([
    ['GET /users?email=x', 'GET /v2/users'],
    ['GET /V2/Users', 'GET /v2/users'],
    ['POST /v1/transactions', 'POST /v2/transactions'],
    ['POST /v2/loginCodeSend', 'POST /v2/auth/login-codes'],
    ['GET /v2/priceQuote', 'GET /v2/quotes'],
    ['POST /v1/loginCodeSend', 'POST /loginCodeSend'],
    ['POST /v2/login-codes', 'POST /v2/auth/login-codes'],
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

  it('that nothing is near says so', async () => {
    expect(await explain('GET /v2/elephants')).toMatchObject({
      rule: 'Versioning: 1',
      nearest: null,
    })
  })

  it('with another method names one that it takes', async () => {
    expect(await explain('POST /v2/limits')).toMatchObject({
      status: 405,
      nearest: 'GET /v2/limits',
    })
  })
})

describe('an error of the world', () => {
  it('points to its place in the contract', async () => {
    const token = alice.token
    const tooMuch = { body: await order({ leftSideValue: 10_000 }), token }
    expect(await explain('POST /v2/transactions', tooMuch)).toMatchObject({
      rule: 'Limits: Per transaction',
    })
    const twice = await explain('POST /v2/users', { body: { email: 'alice@example.com' } })
    expect(twice).toMatchObject({ status: 409, rule: 'Endpoints: Users, POST /users' })
    const nobody = await explain('POST /v2/auth/login-codes', { body: { email: 'no@example.com' } })
    expect(nobody).toMatchObject({ status: 404, rule: 'Endpoints: Login' })
  })
})

describe.skipIf(!existsSync(CONTRACT))('the rules that hints point to', () => {
  it('each begin with a section of the contract', () => {
    const text = existsSync(CONTRACT) ? readFileSync(CONTRACT, 'utf8') : ''
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, title = '']) => title)
    const unknown = [...rules].filter((rule) => {
      const [section = ''] = rule.split(':')
      return !headings.some((title) => title.startsWith(section))
    })
    expect(unknown).toEqual([])
  })
})
