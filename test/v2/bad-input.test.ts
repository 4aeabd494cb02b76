import { describe, expect, it } from 'vitest'
import { ANSWERS, parseFailure, parseSuccess, type Route } from '../contract.ts'
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
  ' ',
  '{',
  '{"email":',
  "{'email':1}",
  '{"email":"a@b.co",}',
  '{email:"a@b.co"}',
  'undefined',
  'NaN',
  '{"leftSideValue":NaN}',
  '{"leftSideValue":Infinity}',
  '{"leftSideValue":0x10}',
  '{"leftSideValue":01}',
  '{"a":"\n"}',
  '{}{}',
  '\u0000',
  'email=a@b.co',
  '<xml/>',
  '['.repeat(1000),
]
const NOT_OBJECTS = ['null', '[]', '[{}]', '"text"', '42', 'true', '['.repeat(99) + ']'.repeat(99)]

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
      '',
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json-seq',
      'application/octet-stream',
    ]) {
      expectError(await sendText(bytes, { 'content-type': type }), 415, 'content-type')
    }
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json;',
    'application/vnd.api+json',
    'application/vnd.api.v2+json',
  ])('may say so as %s', async (type) => {
    const { sendText, body } = await prepare(route)
    const answer = await sendText(JSON.stringify(body), { 'content-type': type })
    parseSuccess(ANSWERS[route], answer)
  })

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
      for (const wrong of [null, 1, true, 'text', [], {}, ['text'], { text: 'text' }]) {
        if (typeof wrong === typeof value && wrong !== null) continue
        if (isOptional && wrong === null) continue
        expectError(await send({ ...body, [field]: wrong }), 400, field)
      }
    }
  })

  it('may hold fields that the contract does not name, which the journal notes', async () => {
    const { send, body, app } = await prepare(route)
    const answer = await send({ ...body, first_name: 'x', 'a b': [{}], toString: 1, '': null })
    parseSuccess(ANSWERS[route], answer)
    const id = answer.headers.get('x-sandbox-request')
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
    parseSuccess(ANSWERS[route], await send(body))
  })

  it('plants nothing through __proto__', async () => {
    const { sendText, body } = await prepare(route)
    const planted = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'
    const answer = await sendText(`${planted}${JSON.stringify(body).slice(1)}`)
    parseSuccess(ANSWERS[route], answer)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('is not taken for granted when it hides in __proto__', async () => {
    if (REQUIRED[route].length === 0) return
    const { sendText, body } = await prepare(route)
    const answer = await sendText(`{"__proto__":${JSON.stringify(body)}}`)
    expectError(answer, 400, REQUIRED[route][0] ?? '')
  })

  it('may be nested a hundred deep, and no deeper', async () => {
    const { sendText, body, app } = await prepare(route)
    const nested = (open: string, close: string, depth: number) =>
      `{"deep":${open.repeat(depth)}1${close.repeat(depth)},${JSON.stringify(body).slice(1)}`
    for (const depth of [100, 5_000, 30_000, 100_000]) {
      expectError(await sendText(nested('[', ']', depth)), 400, 'body')
      expectError(await sendText(nested('{"a":', '}', depth)), 400, 'body')
    }
    const answer = await sendText(nested('[', ']', 99))
    parseSuccess(ANSWERS[route], answer)
    await app.control('GET', `/requests/${answer.headers.get('x-sandbox-request')}`)
    await app.control('GET', '/requests')
  })

  it('may hold any text at all without harm', async () => {
    let scene = await prepare(route)
    const fields = Object.keys(scene.body).flatMap((field) => TEXTS.map((text) => [field, text]))
    for (const [i, [field = '', text]] of fields.entries()) {
      const own = route === 'POST /v2/users' ? { email: `user${i}@example.com` } : {}
      const answer = await scene.send({ ...scene.body, ...own, [field]: text })
      if (answer.status >= 400) parseFailure(answer)
      else parseSuccess(ANSWERS[route], answer)
      if (answer.status < 400 && route !== 'POST /v2/users') scene = await prepare(route)
    }
  })
})

const TEXTS = [
  '',
  ' ',
  'é漢🙂',
  '\u0000',
  '\u0007\u001b[31m',
  '\u202e\u200b\ufeff',
  '\ud800',
  'a\r\nx-injected: 1',
  '<script>alert(1)</script>',
  "'; DROP TABLE users; --",
  '%00%E0%A4%A',
  '../../etc/passwd',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that some template engine would run
  '${7*7}{{7*7}}',
  '__proto__',
  'x'.repeat(100_000),
]
