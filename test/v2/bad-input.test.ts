import { describe, expect, it } from 'vitest'
import {
  parseFailure,
  parseSuccess,
  RESPONSES,
  type Route,
  type TextResponse,
} from '../contract.ts'
import { openApp, toRequest } from '../helpers/app.ts'
import { expectNothingChanged } from '../helpers/state.ts'
import { prepareCalls } from '../helpers/valid-calls.ts'

/** What each body must hold. */
const REQUIRED: Partial<Record<Route, readonly string[]>> = {
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
}
const NOT_JSON = ['', '{', '{"email":"a@b.co",}', 'undefined', '{"leftSideValue":NaN}', '{}{}']
const NO_OBJECTS = ['email=a@b.co', '['.repeat(1000), 'null', '[]', '"text"', '42']
const OTHER_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']

/** A world in which the operation has a valid call, whose body a test then spoils. */
async function prepare(route: Route, options = {}) {
  const app = openApp(options)
  const call = (await prepareCalls(app)).calls[route]
  const [path, init] = toRequest(route, call)
  const sendText = (
    text: string | Uint8Array<ArrayBuffer>,
    type: string | null = 'application/json',
  ) => {
    const headers = new Headers(init.headers)
    headers.delete('content-type')
    if (type !== null) headers.set('content-type', type)
    return app.send(path, { method: init.method ?? '', headers, body: text })
  }
  return {
    app,
    body: (call.body ?? {}) as Record<string, unknown>,
    sendText,
    send: (body: unknown) => sendText(JSON.stringify(body)),
    /** Refused at this field, with nothing changed. */
    async expectError(send: () => Promise<TextResponse>, status: number, field: string) {
      const response = await expectNothingChanged(app, send)
      const [error] = parseFailure(response).errors
      expect([response.status, error?.field], response.text).toEqual([status, field])
    },
    async expectSuccess(response: TextResponse) {
      parseSuccess(RESPONSES[route], response)
      const id = response.headers.get('x-sandbox-request')
      return (await app.control('GET', `/requests/${id}`)).notes as string[]
    },
  }
}

describe.each(Object.keys(REQUIRED) as Route[])('the body of %s', (route) => {
  const required = REQUIRED[route] ?? []

  it(`the body of ${route} must be a JSON object, and say that it is JSON`, async () => {
    const { sendText, body, expectError } = await prepare(route)
    for (const text of [...NOT_JSON, ...NO_OBJECTS]) {
      await expectError(() => sendText(text), 400, 'body')
    }
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    for (const type of [null, ...OTHER_TYPES]) {
      await expectError(() => sendText(bytes, type), 415, 'content-type')
    }
  })

  it(`the body of ${route} must hold what is required, and values of the right type`, async () => {
    const { send, body, expectError } = await prepare(route)
    for (const field of required) {
      const { [field]: _, ...rest } = body
      await expectError(() => send(rest), 400, field)
    }
    for (const [field, value] of Object.entries(body)) {
      const others = [1, true, 'text', [], {}].filter((each) => typeof each !== typeof value)
      for (const wrong of [...others, ...(required.includes(field) ? [null] : [])]) {
        await expectError(() => send({ ...body, [field]: wrong }), 400, field)
      }
    }
  })

  it(`the body of ${route} may hold fields that the contract does not name, which the journal notes`, async () => {
    const { send, body, expectSuccess } = await prepare(route)
    const more = { first_name: 'x', 'a b': [{}], toString: 1, '': null }
    const notes = (await expectSuccess(await send({ ...body, ...more }))).join()
    expect(notes).toContain('toString is not a field of this request')
    expect(notes).toContain('first_name is not a field of this request')
    // Only a field that was not sent may have been meant.
    if ('firstName' in body) expect(notes).not.toContain('did you mean')
  })

  it(`the body of ${route} may not hold fields that the contract does not name if the setting says so`, async () => {
    const settings = { 'status.unknown-field': 400 }
    const { send, sendText, body, expectError, expectSuccess } = await prepare(route, { settings })
    await expectError(() => send({ ...body, first_name: 'x' }), 400, 'first_name')
    const long = 'x'.repeat(900_000)
    await expectError(() => send({ ...body, [long]: 1 }), 400, `${'x'.repeat(200)}…`)
    const planted = JSON.stringify(body).replace('{', '{"__proto__":{"polluted":1},')
    await expectError(() => sendText(planted.replace(',}', '}')), 400, '__proto__')
    await expectSuccess(await send(body))
  })

  it(`the body of ${route} may be nested a hundred deep, and no deeper`, async () => {
    const { sendText, body, expectError, expectSuccess } = await prepare(route)
    const nested = (open: string, close: string, depth: number) =>
      `{"deep":${open.repeat(depth)}1${close.repeat(depth)},${JSON.stringify(body).slice(1)}`
    for (const depth of [100, 100_000]) {
      await expectError(() => sendText(nested('[', ']', depth)), 400, 'body')
      await expectError(() => sendText(nested('{"a":', '}', depth)), 400, 'body')
    }
    await expectSuccess(await sendText(nested('[', ']', 99)))
  })
})

it.each(['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/vnd.api+json'])(
  'a body may be declared as JSON by %s',
  async (type) => {
    const { sendText, body, expectSuccess } = await prepare('POST /v2/users')
    await expectSuccess(await sendText(JSON.stringify(body), type))
  },
)

it('olderUserInfo may hold an unknown field too, which is noted or rejected', async () => {
  const older = { olderUserInfo: { sourceOfFunds: 'Pension', source: 'x' } }
  const { send, expectSuccess } = await prepare('PATCH /v2/users/{userId}')
  const notes = await expectSuccess(await send(older))
  expect(notes).toEqual(['olderUserInfo.source is not a field of this request.'])
  const settings = { 'status.unknown-field': 400 }
  const strict = await prepare('PATCH /v2/users/{userId}', { settings })
  await strict.expectError(() => strict.send(older), 400, 'olderUserInfo.source')
})

const prepareAmount = async (amount: string) => {
  const { body, sendText, ...scene } = await prepare('POST /v2/transactions')
  const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
  return { ...scene, send: () => sendText(text) }
}

it.each(['-1', '0', '0.0000001', '1e308', '1e999', '1000000001', '"100"', '[100]', 'true'])(
  'the amount of a transaction may not be %s',
  async (amount) => {
    const { send, expectError } = await prepareAmount(amount)
    await expectError(send, 400, 'leftSideValue')
  },
)

it.each(['1e2', '100.0'])(
  'the amount of a transaction may be 100 written as %s, as in JSON',
  async (amount) => {
    const { send } = await prepareAmount(amount)
    const created = parseSuccess(RESPONSES['POST /v2/transactions'], await send())
    expect(created.leftSideValue).toBe(100)
  },
)

it.each(
  (Object.keys(RESPONSES) as Route[]).filter((route) =>
    /^DELETE|(cancel|test|rotate)$/.test(route),
  ),
)('%s ignores a body', async (route) => {
  for (const text of ['{', '{"status":"complete"}']) {
    const { sendText, expectSuccess } = await prepare(route)
    await expectSuccess(await sendText(text))
  }
})
