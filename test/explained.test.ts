import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Door, KEY, KEY_2, NOWHERE, openDoor } from './helpers/door.ts'
import { validKyb } from './helpers/kyb.ts'
import { EVM_WALLET, type Person, PROFILE, quote, verifiedUser } from './helpers/story.ts'

const CONTRACT = join(import.meta.dirname, '../../shared/provider-contract.md')

/** What the journal says of a call that was refused. */
interface Told {
  status: number
  rule: string
  hint: string
  nearest: string | null
  problems: { field: string; nearest: string | null }[]
  notes: string[]
}

const rules = new Set<string>()
let door: Door
let alice: Person
let bob: Person

beforeAll(async () => {
  door = openDoor()
  alice = await verifiedUser(door)
  bob = await verifiedUser(door, { email: 'bob@example.com' })
})

interface Call {
  headers?: Record<string, string>
  body?: unknown
  /** Sent as it is. */
  text?: string
  token?: string
  key?: string | null
}

/** Makes a call that is refused, and reads why in the journal. */
async function explain(route: string, call: Call = {}): Promise<Told> {
  const answer = await send(route, call)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expectContractShape(route, answer.text)
  const id = answer.headers.get('x-sandbox-request')
  const { reason, problems, notes } = await door.control('GET', `/requests/${id}`)
  expect(reason.rule, answer.text).toMatch(/^[A-Z]/)
  rules.add(reason.rule)
  const { rule, hint, nearest } = reason
  return { status: answer.status, rule, hint: hint ?? '', nearest, problems, notes }
}

function send(route: string, { headers, body, text, token, key = KEY }: Call) {
  const [method = '', path = ''] = route.split(' ')
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return door.send(path, {
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

/** What is explained in the journal must not show in the answer. */
function expectContractShape(route: string, text: string) {
  const answer = JSON.parse(text)
  const isV2 = route.includes(' /v2')
  expect(Object.keys(answer)).toEqual(isV2 ? ['success', 'errors'] : ['message', 'status'])
  for (const error of answer.errors ?? []) expect(Object.keys(error)).toEqual(['field', 'message'])
}

const ORDER = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const QUERY = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel'
const order = async (more: object = {}) => {
  const { quoteId } = await quote(door, ORDER)
  return { ...ORDER, wallet: EVM_WALLET, quoteId, ...more }
}

describe('the API key', () => {
  it.each([
    ['in Authorization', { key: null, headers: { authorization: 'Bearer sandbox-key' } }],
    ['in Authorization, bare', { key: null, headers: { authorization: 'sandbox-key' } }],
    ['in another header', { key: null, headers: { 'api-key': 'sandbox-key' } }],
  ])('%s belongs in x-api-key', async (_, call) => {
    expect(await explain('GET /v2/webhook-configurations', call)).toMatchObject({
      status: 401,
      rule: 'Authentication: 1',
      nearest: 'x-api-key: sandbox-key',
    })
  })

  it('in the query belongs in x-api-key', async () => {
    const told = await explain('GET /v2/webhook-configurations?apiKey=sandbox-key', { key: null })
    expect(told).toMatchObject({ status: 401, nearest: 'x-api-key: sandbox-key' })
    expect(told.hint).toContain('query parameter apiKey')
  })

  it.each(['"sandbox-key"', 'Bearer sandbox-key', 'SANDBOX-KEY'])(
    'is known when it came as %s',
    async (key) => {
      expect(await explain('GET /v2/webhook-configurations', { key })).toMatchObject({
        nearest: 'sandbox-key',
      })
    },
  )

  it('is no access token', async () => {
    expect(await explain('GET /v2/limits', { key: alice.token })).toMatchObject({
      hint: expect.stringContaining('An access token came in x-api-key.'),
    })
  })
})

describe('the access token', () => {
  const SEND = 'Authorization: Bearer <ACCESS_TOKEN>'

  it('without Bearer', async () => {
    const headers = { authorization: alice.token }
    expect(await explain('GET /v2/limits', { headers })).toMatchObject({
      status: 401,
      rule: 'Authentication: 2',
      nearest: SEND,
    })
  })

  it.each(['Bearer Bearer ', 'Bearer: ', 'Token ', 'bearer "'])('after %s', async (before) => {
    const headers = { authorization: `${before}${alice.token}` }
    const { status, hint } = await explain('GET /v2/limits', { headers })
    expect(status).toBe(401)
    expect(hint).not.toBe('')
  })

  it('in the query or in another header', async () => {
    for (const told of [
      await explain(`GET /v2/limits?access_token=${alice.token}`),
      await explain('GET /v2/limits', { headers: { 'x-access-token': alice.token } }),
    ]) {
      expect(told).toMatchObject({ status: 401, nearest: SEND })
    }
  })

  it('is no API key', async () => {
    expect(await explain('GET /v2/limits', { token: KEY })).toMatchObject({
      hint: expect.stringContaining('An API key came in the header Authorization'),
    })
  })

  it('of another user says whose it is', async () => {
    const { status, hint } = await explain(`GET /v2/users/${alice.id}/requirements`, {
      token: bob.token,
    })
    expect([status, hint]).toEqual([403, 'It was made for bob@example.com.'])
  })

  it('of another integrator, of another world, or expired says so', async () => {
    const foreign = await explain('GET /v2/limits', { token: alice.token, key: KEY_2 })
    expect(foreign.hint).toContain('It was made with the API key of main.')
    const elsewhere = await verifiedUser(door.world('elsewhere'))
    const other = await explain('GET /v2/limits', { token: elsewhere.token })
    expect(other.hint).toContain('It was made in the world elsewhere')
    const later = openDoor()
    const { token } = await verifiedUser(later)
    await later.advance('1h')
    const answer = await later.send('/v2/limits', {
      headers: { 'x-api-key': KEY, authorization: `Bearer ${token}` },
    })
    const id = answer.headers.get('x-sandbox-request')
    const { reason } = await later.control('GET', `/requests/${id}`)
    expect(reason.hint).toBe('It expired at 2026-07-01T13:00:00.000Z of world time.')
  })
})

describe('names of fields', () => {
  it.each([
    ['first_name', 'firstName'],
    ['address1', 'addressLine1'],
    ['postal', 'postalCode'],
    ['Occupation', 'occupation'],
    ['postal-code', 'postalCode'],
  ])('%s is ignored by v2, with a note that names %s', async (sent, meant) => {
    const body = { email: `${sent}@example.com`.toLowerCase(), [sent]: 'x' }
    const answer = await send('POST /v2/users', { body })
    expect(answer.status, answer.text).toBe(200)
    const id = answer.headers.get('x-sandbox-request')
    const { notes } = await door.control('GET', `/requests/${id}`)
    expect(notes).toEqual([`${sent} is not a field of this request; v2 calls it ${meant}.`])
  })

  it('that are mistyped are guessed', async () => {
    const body = { email: 'mistyped@example.com', ocupation: 'Teacher' }
    const answer = await send('POST /v2/users', { body })
    const id = answer.headers.get('x-sandbox-request')
    const { notes } = await door.control('GET', `/requests/${id}`)
    expect(notes).toEqual(['ocupation is not a field of this request; did you mean occupation?'])
  })

  it.each([
    [
      'POST /v2/auth/login-codes/verify',
      { email: 'alice@example.com', login_code: '1234' },
      'code',
    ],
    ['POST /v2/users', { Email: 'alice@example.com' }, 'email'],
  ])('of %s that came under another name', async (route, body, field) => {
    const told = await explain(route, { body })
    expect(told.nearest).toBe(field)
    expect(told.hint).toContain(`v2 calls it ${field}.`)
  })

  it('of v2 that came to v1', async () => {
    const told = await explain('POST /generateApiLink', {
      body: { email: 'x@example.com', ...PROFILE },
    })
    expect(told.hint).toContain('firstName came; v1 calls it first_name.')
    expect(told.problems).toContainEqual(
      expect.objectContaining({ field: 'postal', nearest: 'postal' }),
    )
  })

  it('of an order in snake case are all named', async () => {
    const body = { left_side_label: 'CAD', left_side_value: 100, right_side_label: 'USDC' }
    const { problems, notes } = await explain('POST /v2/transactions', { token: alice.token, body })
    const named = problems.filter(({ nearest }) => nearest !== null).map(({ field }) => field)
    expect(named).toEqual(['leftSideLabel', 'leftSideValue', 'rightSideLabel'])
    expect(notes).toContain(
      'left_side_label is not a field of this request; v2 calls it leftSideLabel.',
    )
  })

  it('that v2 no longer accepts say why', async () => {
    const body = await order({ gasId: 1 })
    expect(await explain('POST /v2/transactions', { token: alice.token, body })).toMatchObject({
      status: 400,
      rule: 'Endpoints: Transactions, POST',
    })
  })
})

describe('the place of a parameter', () => {
  it('in the body that belongs in the query', async () => {
    const body = { email: 'alice@example.com' }
    expect(await explain('POST /loginCodeSend', { body })).toMatchObject({
      status: 400,
      hint: 'email came in the body; it belongs in the query.',
      nearest: '?email=alice%40example.com',
    })
  })

  it('in the query that belongs in the body', async () => {
    const told = await explain('POST /v2/auth/login-codes?email=alice@example.com', { body: {} })
    expect(told).toMatchObject({ nearest: '{"email":"alice@example.com"}' })
    const empty = await explain('POST /v2/auth/login-codes?email=alice@example.com', { text: '' })
    expect(empty).toMatchObject({ nearest: '{"email":"alice@example.com"}' })
  })

  it('inside another', async () => {
    const body = { data: { email: 'alice@example.com' } }
    expect(await explain('POST /v2/auth/login-codes', { body })).toMatchObject({
      hint: 'email came inside data; send the fields themselves.',
    })
  })

  it('that has another case in the query', async () => {
    const told = await explain(
      'GET /v2/quotes?leftsidelabel=CAD&leftSideValue=1&rightSideLabel=USDC',
    )
    expect(told).toMatchObject({ nearest: 'leftSideLabel' })
  })
})

describe('values', () => {
  it.each([
    ['usdc-eth', 'USDC-ETH'],
    ['USDC_ETH', 'USDC-ETH'],
    ['ETH-USDC', 'USDC-ETH'],
    ['cadc', 'CADC'],
    ['usdcbase', 'USDC-BASE'],
  ])('the label %s is %s', async (sent, meant) => {
    expect(await explain(`GET /v2/quotes?${QUERY}=${sent}`)).toMatchObject({
      status: 400,
      rule: 'What the service does: 3',
      nearest: meant,
    })
  })

  it.each([
    [1234, '"1234"'],
    [42, '"0042"'],
    ['12 34', '"1234"'],
  ])('the code %j is %s', async (code, nearest) => {
    const body = { email: 'alice@example.com', code }
    const told = await explain('POST /v2/auth/login-codes/verify', { body })
    expect(told).toMatchObject({ status: 400, nearest })
  })

  it.each([
    ['100', '100'],
    ['1,000.50', '1000.5'],
    ['$100', '100'],
    ['100 CAD', '100'],
  ])('the amount %j is %s', async (leftSideValue, nearest) => {
    const body = await order({ leftSideValue })
    const told = await explain('POST /v2/transactions', { token: alice.token, body })
    expect(told).toMatchObject({ status: 400, nearest })
  })

  it.each([
    ['dob', '12/04/1990', '"1990-04-12"'],
    ['dob', '1990-4-2', '"1990-04-02"'],
    ['dob', '1990-04-12T00:00:00Z', '"1990-04-12"'],
    ['province', 'Ontario', '"ON"'],
    ['province', 'CA-QC', '"QC"'],
    ['postalCode', 'M5V.3L9', '"M5V 3L9"'],
    ['phone', '(416) 555-0199', '"4165550199"'],
    ['phone', '1-416-555-0199', '"+14165550199"'],
    ['phone', 4165550199, '"4165550199"'],
    ['pep', 'false', 'false'],
    ['tpd', 'yes', 'true'],
    ['email', 'Alice <alice@example.com>', '"alice@example.com"'],
  ])('%s %j is %s', async (field, value, nearest) => {
    const body = { email: 'values@example.com', [field]: value }
    const told = await explain('POST /v2/users', { body })
    expect(told).toMatchObject({ status: 400, nearest, problems: [{ field, nearest }] })
  })

  it('a wallet without 0x, and a whole quote for its id', async () => {
    const wallet = EVM_WALLET.slice(2)
    const token = alice.token
    const told = await explain('POST /v2/transactions', { token, body: await order({ wallet }) })
    expect(told.nearest).toBe(`"${EVM_WALLET}"`)
    const quoteId = { quoteId: 100_001 }
    const other = await explain('POST /v2/transactions', { token, body: await order({ quoteId }) })
    expect(other.nearest).toBe('100001')
  })

  it('a webhook URL by http, or without a scheme', async () => {
    for (const url of ['http://example.com/hooks', 'example.com/hooks']) {
      expect(await explain('PUT /v2/webhook-configurations', { body: { url } })).toMatchObject({
        rule: 'Resources: Webhook configuration, url',
        nearest: '"https://example.com/hooks"',
      })
    }
  })

  it('a page that is too long or empty', async () => {
    const token = alice.token
    expect(await explain('GET /v2/transactions?limit=1000', { token })).toMatchObject({
      nearest: '100',
    })
    expect(await explain('GET /v2/transactions?limit=0', { token })).toMatchObject({ nearest: '1' })
  })

  it('one of a list of words', async () => {
    const body = { ...validKyb(), purpose: 'Treasury Management' }
    expect(await explain('POST /submitKYB', { body })).toMatchObject({
      rule: 'Endpoints: Corporate verification',
      nearest: '"treasury_management"',
    })
  })
})

describe('the body', () => {
  it('without the type of JSON', async () => {
    const headers = { 'content-type': 'text/plain' }
    const told = await explain('POST /v2/auth/login-codes', { text: '{}', headers })
    expect(told).toMatchObject({ status: 415, nearest: 'Content-Type: application/json' })
  })

  it.each([
    ['email=alice%40example.com', 'is a form'],
    ["{'email': 'alice@example.com',}", 'not those of JSON'],
    [JSON.stringify('{"email":"alice@example.com"}'), 'encoded twice'],
    ['[{"email":"alice@example.com"}]', 'not a list of one'],
  ])('%s', async (text, hint) => {
    const told = await explain('POST /v2/auth/login-codes', { text })
    expect(told).toMatchObject({ status: 400, nearest: '{"email":"alice@example.com"}' })
    expect(told.hint).toContain(hint)
  })
})

describe('a quote', () => {
  it('that has expired says when', async () => {
    const later = await verifiedUser(door.world('later'))
    const world = door.world('later')
    const { quoteId } = await quote(world, ORDER)
    await world.advance('30m')
    const refused = await world.refused('POST /v2/transactions', {
      token: later.token,
      body: { ...ORDER, wallet: EVM_WALLET, quoteId },
    })
    const id = refused.headers.get('x-sandbox-request')
    const { reason } = await world.control('GET', `/requests/${id}`)
    expect(reason.hint).toContain('It was locked until 2026-07-01T12:30:00.000Z of world time.')
  })

  it('of another integrator says whose it is', async () => {
    const { quoteId } = await quote(door, ORDER, KEY_2)
    const body = { ...ORDER, wallet: EVM_WALLET, quoteId }
    const told = await explain('POST /v2/transactions', { token: alice.token, body })
    expect(told.hint).toContain('The quote was made with the API key of second.')
  })
})

describe('an id', () => {
  it('of a user that is an e-mail address', async () => {
    expect(await explain('GET /v2/users/alice@example.com/requirements')).toMatchObject({
      status: 404,
      nearest: alice.id,
    })
  })

  it('that is none of this integrator is not given away', async () => {
    const told = await explain('GET /v2/users/alice@example.com/requirements', { key: KEY_2 })
    expect(told.nearest).toBeNull()
  })

  it('that is in upper case, or was never put in', async () => {
    const path = `GET /v2/users/${alice.id.toUpperCase()}/requirements`
    expect(await explain(path)).toMatchObject({ nearest: alice.id })
    for (const placeholder of ['{userId}', ':userId', 'undefined']) {
      const { hint } = await explain(`GET /v2/users/${placeholder}/requirements`)
      expect(hint).toContain('nothing was put in its place')
    }
  })

  it('of a transaction that is another of its names', async () => {
    const { id, rmtId } = await alice.buy({ externalSessionId: 'session-9' })
    const { token } = alice
    for (const name of [rmtId, 'session-9', id.toUpperCase()]) {
      expect(await explain(`GET /v2/transactions/${name}`, { token })).toMatchObject({
        status: 404,
        nearest: id,
      })
    }
  })

  it("of another user's transaction says so", async () => {
    const { id } = await bob.buy()
    const { hint } = await explain(`GET /v2/transactions/${id}`, { token: alice.token })
    expect(hint).toContain('another user')
  })
})

describe('a path', () => {
  it.each([
    ['GET /users?email=x', 'GET /v2/users'],
    ['GET /v2/users/', 'GET /v2/users'],
    ['GET /V2/Users', 'GET /v2/users'],
    ['POST /v1/transactions', 'POST /v2/transactions'],
    ['POST /v2/loginCodeSend', 'POST /v2/auth/login-codes'],
    ['GET /v2/priceQuote', 'GET /v2/quotes'],
    ['POST /v1/loginCodeSend', 'POST /loginCodeSend'],
    ['POST /v2/login-codes', 'POST /v2/auth/login-codes'],
    ['PATCH /v2/webhooks', 'PUT or DELETE /v2/webhook-configurations'],
    ['POST /submitkyb', 'POST /submitKYB'],
  ])('%s is near %s', async (route, nearest) => {
    const told = await explain(route)
    expect(told.status).toBe(404)
    expect(told.nearest).toBe(nearest)
    expect(told.hint).not.toBe('')
  })

  it('with an id keeps it', async () => {
    const { nearest } = await explain(`PUT /transactions/${NOWHERE}/cancel`)
    expect(nearest).toBe(`PUT /v2/transactions/${NOWHERE}/cancel`)
  })

  it('that nothing is near says so', async () => {
    expect(await explain('GET /v2/elephants')).toMatchObject({
      rule: 'Versioning: 1',
      hint: 'No route is near it.',
      nearest: null,
    })
  })

  it('with another method names one that it takes', async () => {
    const told = await explain('POST /v2/limits')
    expect(told).toMatchObject({ status: 405, nearest: 'GET /v2/limits' })
  })
})

describe('what the world refuses', () => {
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

describe.skipIf(!existsSync(CONTRACT))('the rules that were told of', () => {
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
