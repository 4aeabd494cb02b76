import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { successOf } from '../../src/http/status.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import { openApp, type RawCall, sendTo } from '../helpers/app.ts'
import { PROFILE } from '../helpers/story.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'

// biome-ignore lint/suspicious/noExplicitAny: examples are of every shape
type Json = any

/** Both are before the sunset of v1. */
const CLOCK = '2026-07-01T12:00:00Z'
const EMAIL = 'alice@example.com'
const ORDER = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const USER = { email: EMAIL, status: 'verified', profile: PROFILE } as const
/** Its example changes a user who is not verified yet, or a sandbox that has none. */
const OWN_USER = ['createUser', 'v1GenerateApiLink']

const EXAMPLES = OPERATIONS.filter(
  ({ id, dialect }) => dialect.isContract && exampleOf(id)?.request !== undefined,
)

describe.each(['default', 'contract'])('under the preset %s', (preset) => {
  const documents = makeDocuments({ preset })
  const checker = createChecker(documents.contract)
  const settings = toSettings({ preset })

  it.each(EXAMPLES.map(({ id }) => id))(
    'the request example of %s gets a documented response',
    async (id) => {
      const operation = OPERATIONS.find((row) => row.id === id)
      if (!operation) throw new Error(id)
      const users = OWN_USER.includes(id) ? [] : [USER]
      const app = openApp({ fixture: { users }, settings: { preset }, clock: CLOCK })
      const around = users.length > 0 ? await prepare(app) : undefined
      const { path, query, body } = fill(exampleOf(id)?.request ?? {}, around)
      const target = operation.path.replace(/:(\w+)/g, (_, name: string) => path?.[name] ?? '')
      const takesToken = operation.auth.takes.flat().includes('accessToken')
      const token = takesToken ? around?.token : undefined
      const sent = { query, body, ...(token && { token }) }
      const response = await sendTo(app, `${operation.method} ${target}`, sent)
      expect([response.status, response.text]).toEqual([
        successOf(operation, settings),
        response.text,
      ])
      const { status, text, headers } = response
      const type = headers.get('content-type')
      expect(checker.check({ method: operation.method, path: target, status, type, text })).toEqual(
        [],
      )
      const at = documents.contract.paths as Json
      const schema = at[target]?.[operation.method.toLowerCase()]?.requestBody
      if (schema && body !== undefined) {
        const validate = checker.validatorAt(
          `/paths/${encodeURIComponent(target.replaceAll('~', '~0').replaceAll('/', '~1'))}/${operation.method.toLowerCase()}/requestBody/content/${encodeURIComponent('application~1json')}/schema`,
        )
        expect([validate(body), validate.errors]).toEqual([true, null])
      }
      await app.close()
    },
  )
})

describe('the document of a world that keeps to the contract', () => {
  const { contract } = makeDocuments({ preset: 'contract' })
  const usual = makeDocuments({}).contract
  const contentAt = (document: Json, path: string, method: string, status: number) =>
    document.paths[path][method].responses[status].content['application/json']

  it.each([
    ['/apiFindUser', 'get', 'userStatus'],
    ['/transaction', 'post', 'depositAddress'],
  ])('shows no field that %s does not have then', (path, method, field) => {
    const fieldsIn = (document: Json) =>
      Object.keys(contentAt(document, path, method, 200).schema.properties)
    expect(fieldsIn(usual)).toContain(field)
    expect(fieldsIn(contract)).not.toContain(field)
  })

  it.each([
    ['object', { properties: { complete: {} } }],
    ['array', { type: 'array' }],
  ])('shows the one shape of requirements that it has (%s)', (shape, expected) => {
    const document = makeDocuments({ 'requirements.shape': shape }).contract as Json
    const path = '/v2/users/{userId}/requirements'
    const { schema } = contentAt(document, path, 'get', 200)
    expect(schema.properties.data).not.toHaveProperty('anyOf')
    expect(schema.properties.data).toMatchObject(expected)
  })

  it.each(['/v2/transactions', '/transaction'])('says which quoteId %s accepts', (path) => {
    const quoteIdIn = (document: Json) =>
      document.paths[path].post.requestBody.content['application/json'].schema.properties.quoteId
    expect(quoteIdIn(usual).anyOf).toMatchObject([{ type: 'integer' }, { type: 'string' }])
    expect(quoteIdIn(contract).type).toBe('integer')
  })

  it('has an example of each error of KYB', () => {
    expect(contentAt(contract, '/submitKYB', 'post', 409).example.status).toBe('error')
  })
})

/** What an example names that is another one in each world. */
async function prepare(app: ReturnType<typeof openApp>) {
  const send = async (route: string, call: RawCall = {}) =>
    JSON.parse((await sendTo(app, route, call)).text)
  const codeOf = async () => {
    await send('POST /v2/auth/login-codes', { body: { email: EMAIL } })
    return (await send('GET /_sandbox/inbox?kind=login-code')).messages.at(-1).code as string
  }
  const verified = { email: EMAIL, code: await codeOf() }
  const { data: login } = await send('POST /v2/auth/login-codes/verify', { body: verified })
  const token: string = login.accessToken
  const quote = () => send(`GET /v2/quotes?${new URLSearchParams(ORDER as Json)}`)
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const { quoteId } = (await quote()).data
  const body = { ...ORDER, wallet, quoteId, externalSessionId: 'one' }
  const { data: made } = await send('POST /v2/transactions', { token, body })
  const { items } = await send('GET /_sandbox/users')
  const { shareToken } = await send('POST /_sandbox/simulate/share-tokens', {
    body: { email: EMAIL },
  })
  const fresh = (await quote()).data.quoteId
  const code = await codeOf()
  return { token, userId: items[0].id, txId: made.id, quoteId: fresh, code, shareToken }
}

/** An example whose ids, codes and tokens are those of this world. */
function fill(request: Json, around: Awaited<ReturnType<typeof prepare>> | undefined): Json {
  if (around === undefined) return request
  const { userId, txId, quoteId, code, shareToken } = around
  const own: Json = {
    ...{ userId, txId, quoteId, code, shareToken },
    ...{ tx_id: txId, login_code: code, share_token: shareToken, email: EMAIL },
    ...ORDER,
  }
  const part = (fields: Json) =>
    fields &&
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, own[name] ?? value]))
  const { path, query, body } = request
  return { path: part(path), query: part(query), body: part(body) }
}
