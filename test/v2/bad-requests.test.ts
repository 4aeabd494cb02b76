import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseFailure, RESPONSES, type Route } from '../contract.ts'
import { KEY, openApp, type TestApp, toRequest } from '../helpers/app.ts'
import { expectNothingChanged } from '../helpers/state.ts'
import { type Person, verifiedUser } from '../helpers/story.ts'

const ROUTES = Object.keys(RESPONSES) as Route[]

describe('an invalid id in a path', () => {
  const IDS = [
    'x',
    '00000000-0000-4000-8000-00000000000',
    '__proto__',
    '%00',
    '%E0%A4%A',
    '%',
    '..%2f..%2fetc',
  ]
  let app: TestApp
  let alice: Person
  beforeAll(async () => {
    app = openApp()
    alice = await verifiedUser(app)
  })

  it.each(ROUTES.filter((route) => /\{userId\}|\{txId\}/.test(route)))(
    'an invalid id in a path is not found by %s',
    async (route) => {
      const isUser = route.includes('{userId}')
      for (const id of IDS) {
        const call = {
          token: alice.token,
          path: { userId: id, txId: id },
          ...(/^(PATCH|PUT.*kyc)/.test(route) && { body: { shareToken: 'x' } }),
        }
        const refused = await app.refused(route, call)
        const expected = isUser ? [403, 'userId'] : [404, 'txId']
        expect([refused.status, refused.errors[0]?.field], id).toEqual(expected)
        if (!isUser) continue
        const { token: _, ...withoutToken } = call
        const unknown = await app.refused(route, withoutToken)
        expect([unknown.status, unknown.errors[0]?.field], id).toEqual([404, 'userId'])
      }
    },
  )
})

it.each([
  '/v2',
  '/v2/user',
  '/v2/users/',
  '/v2//users',
  '/v2/%E0%A4%A',
  '/v2/submitKYB',
  '/v2/__proto__',
])('an unknown path such as %s is named in a header', async (path) => {
  const app = openApp()
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const body = method === 'GET' ? {} : { body: '{' }
    const response = await app.send(path, { method, headers, ...body })
    const { errors } = parseFailure(response)
    expect([response.status, errors[0]?.field]).toEqual([404, 'path'])
    expect(response.headers.get('x-sandbox-hint')).toBe('not emulated')
  }
})

it('an unknown path gets another error than an unknown object', async () => {
  const refused = await openApp().refused('GET /v2/users/{userId}/requirements')
  expect(refused.status).toBe(404)
  expect(refused.headers.has('x-sandbox-hint')).toBe(false)
})

const paths = [...new Set(ROUTES.map((route) => route.split(' ')[1] ?? ''))]

it.each(paths)(
  'an unsupported method is refused at %s, with the supported ones',
  async (template) => {
    const app = openApp()
    const offered = ROUTES.filter((route) => route.split(' ')[1] === template)
    const methods = offered.map((route) => route.split(' ')[0] ?? '')
    const [path] = toRequest(`GET ${template}` as Route, {})
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'FOO']) {
      if (methods.includes(method)) continue
      const response = await app.send(path, { method })
      const { errors } = parseFailure(response)
      expect([response.status, errors[0]?.field], method).toEqual([405, 'method'])
      expect(errors[0]?.message).toMatch(/ accepts [A-Z]+((, [A-Z]+)* and [A-Z]+)?, not [A-Z]+\.$/)
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort())
    }
  },
)

it.each([
  ['GET /v2/users', 'email=a@b.co&email=c@d.co', 'email'],
  ['GET /v2/users', 'email=%00', 'email'],
  ['GET /v2/quotes', 'leftSideLabel=CAD&leftSideValue=%&rightSideLabel=USDC', 'leftSideValue'],
] as const)('the query of %s may not be %s', async (route, query, field) => {
  const app = openApp()
  const path = route.split(' ')[1]
  const response = await app.send(`${path}?${query}`, { headers: { 'x-api-key': KEY } })
  const { errors } = parseFailure(response)
  expect([response.status, errors[0]?.field]).toEqual([400, field])
})

const email = 'accents@example.com'
const register = (app: TestApp, body: Buffer, headers: Record<string, string> = {}) =>
  app.send('/v2/users', {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
    body,
  })

it('a body that is not plain UTF-8 is refused rather than stored with letters lost', async () => {
  const app = openApp()
  const body = JSON.stringify({ email, city: 'Montréal' })
  const latin1 = Buffer.from(body, 'latin1')
  const response = await expectNothingChanged(app, () => register(app, latin1))
  expect([response.status, parseFailure(response).errors[0]?.field]).toEqual([400, 'body'])
  expect(await register(app, Buffer.from(body))).toMatchObject({ status: 200 })
})

it('a body that is not plain UTF-8 is refused if it is declared as compressed', async () => {
  const app = openApp()
  const body = Buffer.from(JSON.stringify({ email }))
  const refused = await expectNothingChanged(app, () =>
    register(app, gzipSync(body), { 'content-encoding': 'gzip' }),
  )
  const { errors } = parseFailure(refused)
  expect([refused.status, errors[0]?.field]).toEqual([415, 'content-encoding'])
  const plain = await register(app, body, { 'content-encoding': 'identity' })
  expect(plain.status).toBe(200)
})
