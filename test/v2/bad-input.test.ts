import { describe, expect, it } from 'vitest'
import { ANSWERS, type Answer, parseFailure, parseSuccess, type Route } from '../contract.ts'
import { type Call, type Door, openDoor, toRequest } from '../helpers/door.ts'
import { readState } from '../helpers/state.ts'
import { prepareCalls } from '../helpers/valid-calls.ts'

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
const BODILESS = (Object.keys(ANSWERS) as Route[]).filter(
  (route) => !(BODIED as Route[]).includes(route),
)

interface Scene {
  door: Door
  call: Call
  body: Record<string, unknown>
  /** Sends a text in place of the body; the state must be as before unless it is taken. */
  sendText(
    text: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string | null>,
  ): Promise<Answer>
  send(body: unknown): Promise<Answer>
}

async function prepare(route: Route, options = {}): Promise<Scene> {
  const door = openDoor(options)
  const { calls } = await prepareCalls(door)
  const call = calls[route]
  const scene: Scene = {
    door,
    call,
    body: (call.body ?? {}) as Record<string, unknown>,
    async sendText(text, { ...changed } = {}) {
      const [path, init] = toRequest(route, call)
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(changed)) {
        if (value === null) headers.delete(name)
        else headers.set(name, value)
      }
      const before = await readState(door)
      const answer = await door.send(path, { method: init.method ?? '', headers, body: text })
      if (answer.status >= 400) expect(await readState(door)).toBe(before)
      return answer
    },
    send: (body) => scene.sendText(JSON.stringify(body)),
  }
  return scene
}

function expectRefusal(answer: Answer, status: number, field: string): void {
  const { errors } = parseFailure(answer)
  expect([answer.status, errors[0]?.field], answer.text).toEqual([status, field])
}

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
    for (const text of MALFORMED) expectRefusal(await sendText(text), 400, 'body')
  })

  it('must be an object', async () => {
    const { sendText } = await prepare(route)
    for (const text of NOT_OBJECTS) expectRefusal(await sendText(text), 400, 'body')
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
      expectRefusal(await sendText(bytes, { 'content-type': type }), 415, 'content-type')
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
      expectRefusal(await send(rest), 400, field)
    }
  })

  it('must hold values of the right type', async () => {
    const { send, body } = await prepare(route)
    for (const [field, value] of Object.entries(body)) {
      const isOptional = field === 'externalSessionId'
      for (const wrong of [null, 1, true, 'text', [], {}, ['text'], { text: 'text' }]) {
        if (typeof wrong === typeof value && wrong !== null) continue
        if (isOptional && wrong === null) continue
        expectRefusal(await send({ ...body, [field]: wrong }), 400, field)
      }
    }
  })

  it('may hold fields that the contract does not name, which the journal tells of', async () => {
    const { send, body, door } = await prepare(route)
    const answer = await send({ ...body, first_name: 'x', 'a b': [{}], toString: 1, '': null })
    parseSuccess(ANSWERS[route], answer)
    const id = answer.headers.get('x-sandbox-request')
    const { notes } = await door.control('GET', `/requests/${id}`)
    expect(notes.join('\n')).toContain('first_name is not a field of this request; v2 calls it')
  })

  it('may not, where the setting says so', async () => {
    const settings = { 'requests.unknownFields': 'refuse' }
    const { send, sendText, body } = await prepare(route, { settings })
    expectRefusal(await send({ ...body, first_name: 'x' }), 400, 'first_name')
    const planted = JSON.stringify(body).replace('{', '{"__proto__":{"polluted":1},')
    expectRefusal(await sendText(planted.replace(',}', '}')), 400, '__proto__')
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
    expectRefusal(answer, 400, REQUIRED[route][0] ?? '')
  })

  it('may be nested deeply where nobody looks', async () => {
    const { sendText, body, door } = await prepare(route)
    for (const [open, close, depth] of [
      ['[', ']', 100_000],
      ['[', ']', 30_000],
      ['{"a":', '}', 10_000],
    ] as const) {
      const deep = `${open.repeat(depth)}1${close.repeat(depth)}`
      const answer = await sendText(`{"deep":${deep},${JSON.stringify(body).slice(1)}`)
      expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500)
      const id = answer.headers.get('x-sandbox-request')
      await door.control('GET', `/requests/${id}`)
    }
  })

  it('may hold any text at all without harm', async () => {
    const { call } = await prepare(route)
    for (const field of Object.keys((call.body ?? {}) as object)) {
      for (const text of TEXTS) {
        const { send, body } = await prepare(route)
        const answer = await send({ ...body, [field]: text })
        if (answer.status >= 400) parseFailure(answer)
        else parseSuccess(ANSWERS[route], answer)
      }
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

describe('amounts', () => {
  const BAD = [
    '-1',
    '0',
    '-0',
    '1e-7',
    '0.0000001',
    '100.0000001',
    '1e308',
    '-1e308',
    '1e999',
    '-1e999',
    '5e-324',
    '1000000001',
    '9007199254740993',
    '"100"',
    '"NaN"',
    '[100]',
    'null',
    'true',
  ]

  it.each(BAD)('%s is refused in a transaction', async (amount) => {
    const { sendText, body } = await prepare('POST /v2/transactions')
    const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
    expectRefusal(await sendText(text), 400, 'leftSideValue')
  })

  it.each(['1e2', '100.0', '1.0E+2', '1000e-1'])(
    '%s is the number 100, as JSON has it',
    async (amount) => {
      const { sendText, body } = await prepare('POST /v2/transactions')
      const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
      const created = parseSuccess(ANSWERS['POST /v2/transactions'], await sendText(text))
      expect(created.leftSideValue).toBe(100)
    },
  )
})

describe('where no body is meant', () => {
  it.each(BODILESS.filter((route) => !route.startsWith('GET')))(
    '%s takes no notice of one',
    async (route) => {
      for (const text of ['', '{', 'null', '{"status":"complete"}', 'x'.repeat(2000)]) {
        const { sendText } = await prepare(route)
        parseSuccess(ANSWERS[route], await sendText(text, { 'content-type': 'application/json' }))
      }
    },
  )

  it.each(BODILESS.filter((route) => route.startsWith('GET')))(
    '%s takes no notice of a content type',
    async (route) => {
      const { door, call } = await prepare(route)
      for (const type of ['application/json', 'text/plain', 'nonsense', '']) {
        await door.call(route, { ...call, headers: { 'content-type': type } })
      }
    },
  )
})
