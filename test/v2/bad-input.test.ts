import { describe, expect, it } from 'vitest'
import { parseSuccess, RESPONSES, type Route } from '../contract.ts'
import { expectError, prepare } from '../helpers/bad-input.ts'

/** What each body must hold. */
const REQUIRED = {
  'POST /v2/auth/login-codes': ['email'],
  'POST /v2/auth/login-codes/verify': ['email', 'code'],
  'POST /v2/users': ['email'],
  'PATCH /v2/users/{userId}': [],
  'PUT /v2/users/{userId}/kyc': ['shareToken'],
  'POST /v2/transactions': [
    'leftSideLabel',
    'leftSideValue',
    'rightSideLabel',
    'wallet',
    'quoteId',
  ],
  'PUT /v2/webhook-configurations': ['url'],
} as const satisfies Partial<Record<Route, readonly string[]>>
type Bodied = keyof typeof REQUIRED

const BODIED = Object.keys(REQUIRED) as Bodied[]
const MALFORMED = [
  '',
  '{',
  '{"email":"a@b.co",}',
  'undefined',
  '{"leftSideValue":NaN}',
  '{}{}',
  'email=a@b.co',
  '['.repeat(1000),
]
const NOT_OBJECTS = ['null', '[]', '"text"', '42']

describe.each(BODIED)('the body of %s', (route) => {
  it('must be JSON', async () => {
    const { sendText } = await prepare(route)
    for (const text of MALFORMED) expectError(await sendText(text), 400, 'body')
  })

  it('must be an object', async () => {
    const { sendText } = await prepare(route)
    for (const text of NOT_OBJECTS) expectError(await sendText(text), 400, 'body')
  })

  it('must say that it is JSON', async () => {
    const { sendText, body } = await prepare(route)
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    for (const type of [
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
    ]) {
      expectError(await sendText(bytes, { 'content-type': type }), 415, 'content-type')
    }
  })

  it.each(['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/vnd.api+json'])(
    'may say so as %s',
    async (type) => {
      const { sendText, body } = await prepare(route)
      const response = await sendText(JSON.stringify(body), { 'content-type': type })
      parseSuccess(RESPONSES[route], response)
    },
  )

  it('must hold what is required', async () => {
    const { send, body } = await prepare(route)
    for (const field of REQUIRED[route]) {
      const { [field]: _, ...rest } = body
      expectError(await send(rest), 400, field)
    }
  })

  it('must hold values of the right type', async () => {
    const { send, body } = await prepare(route)
    const required: readonly string[] = REQUIRED[route]
    for (const [field, value] of Object.entries(body)) {
      const isOptional = !required.includes(field)
      for (const wrong of [null, 1, true, 'text', [], {}]) {
        if (typeof wrong === typeof value && wrong !== null) continue
        if (isOptional && wrong === null) continue
        expectError(await send({ ...body, [field]: wrong }), 400, field)
      }
    }
  })

  it('may hold fields that the contract does not name, which the journal notes', async () => {
    const { send, body, app } = await prepare(route)
    const response = await send({ ...body, first_name: 'x', 'a b': [{}], toString: 1, '': null })
    parseSuccess(RESPONSES[route], response)
    const id = response.headers.get('x-sandbox-request')
    const { notes } = await app.control('GET', `/requests/${id}`)
    const text = notes.join('\n')
    expect(text).toContain('toString is not a field of this request')
    expect(text).toContain('first_name is not a field of this request')
    if ('firstName' in body) expect(text).toContain('did you mean firstName?')
  })

  it('may not, where the setting says so', async () => {
    const settings = { 'status.unknown-field': 400 }
    const { send, sendText, body } = await prepare(route, { settings })
    expectError(await send({ ...body, first_name: 'x' }), 400, 'first_name')
    const planted = JSON.stringify(body).replace('{', '{"__proto__":{"polluted":1},')
    expectError(await sendText(planted.replace(',}', '}')), 400, '__proto__')
    parseSuccess(RESPONSES[route], await send(body))
  })

  it('may be nested a hundred deep, and no deeper', async () => {
    const { sendText, body, app } = await prepare(route)
    const nested = (open: string, close: string, depth: number) =>
      `{"deep":${open.repeat(depth)}1${close.repeat(depth)},${JSON.stringify(body).slice(1)}`
    for (const depth of [100, 100_000]) {
      expectError(await sendText(nested('[', ']', depth)), 400, 'body')
      expectError(await sendText(nested('{"a":', '}', depth)), 400, 'body')
    }
    const response = await sendText(nested('[', ']', 99))
    parseSuccess(RESPONSES[route], response)
    await app.control('GET', `/requests/${response.headers.get('x-sandbox-request')}`)
    await app.control('GET', '/requests')
  })
})

/** The operations that take no body. */
const BODILESS = (Object.keys(RESPONSES) as Route[]).filter((route) =>
  /^DELETE|cancel$|test$|rotate$/.test(route),
)

describe('olderUserInfo', () => {
  const older = { olderUserInfo: { sourceOfFunds: 'Pension', source: 'x' } }

  it('may hold an unknown field too, which is noted or rejected', async () => {
    const route = 'PATCH /v2/users/{userId}'
    const { send, app } = await prepare(route)
    const response = await send(older)
    parseSuccess(RESPONSES[route], response)
    const id = response.headers.get('x-sandbox-request')
    const { notes } = await app.control('GET', `/requests/${id}`)
    expect(notes).toEqual(['olderUserInfo.source is not a field of this request.'])
    const strict = await prepare(route, { settings: { 'status.unknown-field': 400 } })
    expectError(await strict.send(older), 400, 'olderUserInfo.source')
  })
})

describe('amounts', () => {
  const BAD = [
    '-1',
    '0',
    '0.0000001',
    '1e308',
    '1e999',
    '1000000001',
    '"100"',
    '[100]',
    'null',
    'true',
  ]

  it.each(BAD)('%s is refused in a transaction', async (amount) => {
    const { sendText, body } = await prepare('POST /v2/transactions')
    const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
    expectError(await sendText(text), 400, 'leftSideValue')
  })

  it.each(['1e2', '100.0'])('%s is the number 100, as JSON has it', async (amount) => {
    const { sendText, body } = await prepare('POST /v2/transactions')
    const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
    const created = parseSuccess(RESPONSES['POST /v2/transactions'], await sendText(text))
    expect(created.leftSideValue).toBe(100)
  })
})

describe('where no body is meant', () => {
  it.each(BODILESS)('%s takes no notice of one', async (route) => {
    for (const text of ['{', '{"status":"complete"}']) {
      const { sendText } = await prepare(route)
      parseSuccess(RESPONSES[route], await sendText(text, { 'content-type': 'application/json' }))
    }
  })
})
