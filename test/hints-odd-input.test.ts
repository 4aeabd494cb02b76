import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { OPERATIONS } from '../src/host/worlds.ts'
import * as fields from '../src/http/hints/fields.ts'
import { namesOf } from '../src/http/hints/fields.ts'
import { KEY, openApp, type TestApp } from './helpers/app.ts'
import { prepareCalls } from './helpers/valid-calls.ts'

const KIBIBYTE = 1024
const MEBIBYTE = KIBIBYTE * KIBIBYTE

let app: TestApp
let token: string
let userId: string
let txId: string

beforeAll(async () => {
  app = openApp()
  const prepared = await prepareCalls(app)
  txId = prepared.txId
  userId = prepared.alice.id
  token = prepared.alice.token
})
afterAll(() => app.close())

const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => logged.mockClear())

interface Call {
  query?: string
  headers?: Record<string, string>
  text?: string
}

/** Calls an operation of the contract. */
async function send(route: string, { query = '', headers, text }: Call) {
  const [method = '', path = ''] = route.split(' ')
  const answer = await app.send(`${path}${query}`, {
    method,
    headers: {
      'x-api-key': KEY,
      authorization: `Bearer ${token}`,
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  })
  return { status: answer.status, id: answer.headers.get('x-sandbox-request') }
}

/** Calls an operation of the contract, and reads its row of the journal. */
async function meet(route: string, call: Call) {
  const { id, ...sent } = await send(route, call)
  const { text: row } = await app.send(`/_sandbox/requests/${id}`)
  return { ...sent, row: JSON.parse(row), rowLength: row.length }
}

/** The last rows of the journal can be read, whatever is in them. */
async function expectRows() {
  const { requests } = await app.control('GET', '/requests?limit=100')
  expect(requests.length).toBeGreaterThan(0)
}

const CONTRACT = OPERATIONS.filter(({ dialect }) => dialect.journalled)
const routeOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(':userId', userId).replace(':txId', txId)}`

/** JSON that is none of what any field takes. */
const ODD_VALUES = [
  ['null', 'null'],
  ['a number without end', '1e999'],
  ['nested arrays', `${'['.repeat(90)}${']'.repeat(90)}`],
  ['an object that is no text', '{"toString":1}'],
  ['a prototype', '{"__proto__":{"toString":1}}'],
  ['half of a character', '"\\ud800"'],
] as const

describe.each(ODD_VALUES)('%s, in any field of any operation,', (_, value) => {
  it('is refused or taken, and explained', { timeout: 60_000 }, async () => {
    for (const operation of CONTRACT) {
      if (operation.method === 'GET') continue
      const { body, query } = namesOf(operation)
      for (const name of new Set([...body, ...query, '__proto__', 'constructor', 'x'])) {
        const text = `{${JSON.stringify(name)}:${value}}`
        const { status } = await send(routeOf(operation), { text })
        expect(status, `${operation.id} ${text}`).toBeLessThan(500)
        expect(logged, `${operation.id} ${text}`).not.toHaveBeenCalled()
      }
      const all = `{${body.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`
      expect((await send(routeOf(operation), { text: all })).status, all).toBeLessThan(500)
      expect(logged, `${operation.id} ${all}`).not.toHaveBeenCalled()
      await expectRows()
    }
  })
})

describe('a body that is no object', () => {
  it.each([
    ['nothing', ''],
    ['nested arrays', '[[]]'],
    ['arrays nested too deep', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['a literal', '{a:1,}'],
    ['a form', 'a=%ff'],
    ['a text', '"\\ud800"'],
  ])('%s is refused and explained', async (_, text) => {
    for (const operation of CONTRACT) {
      if (operation.method === 'GET') continue
      expect((await send(routeOf(operation), { text })).status).toBeLessThan(500)
    }
    await expectRows()
    expect(logged).not.toHaveBeenCalled()
  })
})

describe('a query or a header that is odd', () => {
  const values = ['%ED%A0%80', '%', '%ff', '__proto__', '[object Object]', '&email=1&email=2']
  it.each(values)('%j is refused or taken, and explained', async (value) => {
    for (const operation of CONTRACT) {
      for (const name of [...namesOf(operation).query, 'email', 'api_key', 'access_token']) {
        const { status } = await send(routeOf(operation), { query: `?${name}=${value}` })
        expect(status).toBeLessThan(500)
      }
      for (const name of ['x-api-key', 'authorization', 'content-type']) {
        const { status } = await send(routeOf(operation), { headers: { [name]: value } })
        expect(status).toBeLessThan(500)
      }
      await expectRows()
    }
    expect(logged).not.toHaveBeenCalled()
  })
})

describe('a call that is wrong at length', () => {
  it.each([
    ['the name of a field', JSON.stringify({ ['x'.repeat(MEBIBYTE - 100)]: 1 })],
    ['the value of a field', JSON.stringify({ email: 'x'.repeat(MEBIBYTE - 100) })],
    ['a value that is no e-mail address', JSON.stringify({ email: `${'@'.repeat(990)}.` })],
    ['a list', `{"email":[${'1,'.repeat(400_000)}1]}`],
  ])('takes little room in the journal: %s', async (_, text) => {
    for (const route of ['POST /v2/users', 'POST /v2/auth/login-codes', 'POST /submitKYB']) {
      const { status, rowLength } = await meet(route, { text })
      expect(status).toBe(400)
      expect(rowLength).toBeLessThan(200 * KIBIBYTE)
    }
  })

  it('is accepted with a hundred thousand unknown fields in a nested object', async () => {
    const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-'
    const names = Array.from(
      { length: 130_000 },
      (_, i) => `"${characters[i % 64]}${characters[(i >> 6) % 64]}${characters[i >> 12] ?? ''}":1`,
    )
    const text = `{"olderUserInfo":{${names.join(',')}}}`
    const { status, row } = await meet(`PATCH /v2/users/${userId}`, { text })
    expect(status, row.response).toBe(200)
    expect(row.notes).toHaveLength(20)
  })

  it('keeps a hundred of its problems at most, the first ones', async () => {
    await using strict = { ...openApp(), [Symbol.asyncDispose]: () => strict.close() }
    await strict.control('PATCH', '/settings', { 'status.unknown-field': 400 })
    const fields = Array.from({ length: 1_000 }, (_, i) => [`${'x'.repeat(300)}${i}`, 1])
    const answer = await strict.send('/v2/users', {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com', ...Object.fromEntries(fields) }),
    })
    const id = answer.headers.get('x-sandbox-request')
    const { problems } = await strict.control('GET', `/requests/${id}`)
    expect(JSON.parse(answer.text).errors.length).toBeGreaterThanOrEqual(problems.length)
    expect(problems.length).toBeGreaterThan(10)
    expect(problems.length).toBeLessThanOrEqual(100)
    expect(problems[0].field).toMatch(/x0$/)
  })
})

describe('a bug in what explains', () => {
  it('is logged, and leaves the answer and the rule as they are', async () => {
    const broken = vi.spyOn(fields, 'findName').mockImplementation(() => {
      throw new Error('a bug')
    })
    const { status, row } = await meet('POST /v2/auth/login-codes', { text: '{"Email":""}' })
    broken.mockRestore()
    expect(status).toBe(400)
    expect(row.reason).toMatchObject({
      code: 'invalid-body',
      field: 'email',
      rule: 'Endpoints: Login, POST /auth/login-codes',
    })
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'a bug' }))
  })
})
