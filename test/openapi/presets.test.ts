import { describe, expect, it } from 'vitest'
import { successOf } from '../../src/http/status.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import { openApp, sendTo } from '../helpers/app.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { register } from '../helpers/story.ts'
import { createChecker } from './checker.ts'
import { checkExamples, makeDocuments } from './documents.ts'
import { EXAMPLES, openExample } from './example-calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: examples are of every shape
type Json = any

describe.each(['default', 'contract'])('under the preset %s', (preset) => {
  const documents = makeDocuments({ preset })
  const checker = createChecker(documents.contract)
  const settings = toSettings({ preset })

  it.each(EXAMPLES.map(({ id }) => id))(
    'the request example of %s gets a documented response',
    async (id) => {
      const { app, operation, target, sent } = await openExample(id, preset)
      const { body } = sent
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
    ['/v2/auth/login-codes', 'post', 'message'],
    ['/v2/users', 'post', 'accessibleBy'],
    ['/v2/users', 'post', 'status'],
    ['/v2/quotes', 'get', 'rightSideValue'],
    ['/v2/quotes', 'get', 'expiresAt'],
  ])('shows no field that %s does not have then', (path, method, field) => {
    const shownIn = (document: Json) => {
      const { schema, example } = contentAt(document, path, method, 200)
      return { fields: fieldsOf(document, schema), example: Object.keys(example.data ?? example) }
    }
    const { fields, example } = shownIn(contract)
    expect(shownIn(usual).fields).toContain(field)
    expect([...fields, ...example]).not.toContain(field)
    expect(example.filter((name) => !fields.includes(name))).toEqual([])
  })

  it('shows the id alone of a user who is found, unless a setting says more', () => {
    const fieldsIn = (document: Json) =>
      fieldsOf(document, contentAt(document, '/v2/users', 'get', 200).schema)
    expect(fieldsIn(contract)).toEqual(['id'])
    const full = makeDocuments({ 'fields.findUsers': 'full' }).contract
    expect(fieldsIn(full)).toEqual(['id', 'accessibleBy', 'status', 'email'])
  })

  it.each([
    ['get', '/v2/limits'],
    ['get', '/v2/transactions'],
    ['post', '/v2/transactions'],
    ['post', '/transaction'],
  ])('has no error of a user that %s %s names, where no call may name one', (method, path) => {
    const statusesIn = (document: Json) => Object.keys(document.paths[path][method].responses)
    expect(statusesIn(usual)).toContain('404')
    expect(statusesIn(contract)).not.toContain('404')
    const { paths } = makeDocuments({ 'access.subject': 'refuse' }).contract as Json
    expect(Object.keys(paths['/v2/users/{userId}'].patch.responses)).toContain('404')
  })

  it('describes the address of a user who is found, also where it is not ASCII', async () => {
    const settings = { 'fields.findUsers': 'full' }
    const app = openApp({ settings })
    await register(app, { email: '漢@例え.jp' })
    const path = `/v2/users?email=${encodeURIComponent('漢@例え.jp')}`
    const { status, text, headers } = await sendTo(app, `GET ${path}`)
    expect(text).toContain('漢@例え.jp')
    const actual = { method: 'GET', path, status, type: headers.get('content-type'), text }
    expect(createChecker(makeDocuments(settings).contract).check(actual)).toEqual([])
  })

  const changes = [
    { 'requirements.shape': 'array' },
    { 'kyc.import.body': 'share_token' },
    { 'names.envelopeId': 'eventId' },
    { 'names.securityAnswerField': 'answer' },
  ]
  // To check all examples of a document takes long, so by default the changes share two.
  const documented = isFullDepth
    ? [{ preset: 'contract' }, { 'names.envelopeId': 'both' }, ...changes]
    : [{ preset: 'contract', 'names.envelopeId': 'both' }, Object.assign({}, ...changes)]
  it.each(documented)('has no example that such a world would not send (%o)', (settings) => {
    const { count, wrong } = checkExamples(makeDocuments(settings).contract)
    expect(count).toBeGreaterThan(50)
    expect(wrong).toEqual([])
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

/** Names of the fields of a payload, in the envelope or without one, and of the items of a list. */
function fieldsOf(document: Json, schema: Json): string[] {
  const { $ref, items, properties } = schema
  if ($ref) return fieldsOf(document, document.components.schemas[$ref.split('/').at(-1)])
  if (items) return fieldsOf(document, items)
  return properties.data ? fieldsOf(document, properties.data) : Object.keys(properties)
}
