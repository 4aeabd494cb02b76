import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { SETTING_IDS } from '../../src/world/settings/index.ts'
import { openApp } from '../helpers/app.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { checkExamples, makeDocuments } from './documents.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

const documents: Record<'contract' | 'control', Json> = makeDocuments()
const NAMES = ['contract', 'control'] as const

describe.each(NAMES)('the document of the %s', (name) => {
  const document = documents[name]
  const operations: Json[] = Object.values(document.paths).flatMap((item: Json) =>
    Object.values(item),
  )

  it('is valid OpenAPI 3.1, says a validator of others', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  it('has schemas that are valid JSON Schema, says another', () => {
    const ajv = new Ajv2020({ strict: false })
    const schemas = [...Object.values<Json>(document.components.schemas), ...schemasIn(document)]
    expect(schemas.length).toBeGreaterThan(100)
    expect([ajv.validateSchema({ allOf: schemas }), ajv.errors]).toEqual([true, null])
  })

  it('describes every response, none of them by default but those that a test sets', () => {
    for (const { operationId, responses } of operations) {
      expect('default' in responses, operationId).toBe(/^catch[A-Z]/.test(operationId))
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
      for (const { description } of Object.values<Json>(responses)) {
        expect(description, operationId).toMatch(/\.$/)
      }
    }
  })

  it('has examples that are as it says', () => {
    const { count, wrong } = checkExamples(document)
    expect(count).toBeGreaterThan(50)
    expect(wrong).toEqual([])
  })
})

describe('the document of the contract', () => {
  it('names the field of a share token as the setting does', async () => {
    const path = '/v2/users/{userId}/kyc'
    const either = await bodyUnder({}, path, 'put')
    expect(either.anyOf.map((way: Json) => way.required)).toEqual([['shareToken'], ['share_token']])
    const one = await bodyUnder({ 'kyc.import.body': 'share_token' }, path, 'put')
    expect([one.required, Object.keys(one.properties)]).toEqual([['share_token'], ['share_token']])
  })

  it('closes the bodies of v2 where unknown fields are refused', async () => {
    const settings = { 'status.unknown-field': 400 }
    const open = await bodyUnder({}, '/v2/users/{userId}', 'patch')
    expect(open.additionalProperties).toBeUndefined()
    const closed = await bodyUnder(settings, '/v2/users/{userId}', 'patch')
    expect(closed.additionalProperties).toBe(false)
    expect(closed.properties.olderUserInfo.additionalProperties).toBe(false)
    const app = openApp({ settings })
    const body = { email: 'alice@example.com', nickname: 'Al' }
    expect((await app.refused('POST /v2/users', { body })).status).toBe(400)
  })

  it('lists the error of an unknown field for each body that is refused with one', async () => {
    const { paths } = await documentUnder({ 'status.unknown-field': 400 })
    const saysSo = (path: string, method: string) =>
      paths[path][method].responses['400'].description.includes('`unknown-field`')
    expect(saysSo('/v2/users', 'post')).toBe(true)
    expect(saysSo('/webhooks', 'patch')).toBe(true)
    expect(saysSo('/transaction', 'post')).toBe(false)
  })

  it('lists the known statuses of a transaction, spelt as the setting does', async () => {
    const { components } = await documentUnder({ 'transactions.cancelledStatus': 'canceled' })
    for (const name of ['Transaction', 'TransactionUpdate', 'V1Transaction']) {
      const { anyOf } = components.schemas[name].properties.status
      expect(anyOf).toEqual([
        {
          type: 'string',
          enum: [
            'pending request money transfer',
            'processing request money transfer',
            'complete',
            'canceled',
            'expired',
          ],
        },
        { type: 'string' },
      ])
    }
  })

  it('holds every operation of the table, each with its place in the contract', () => {
    const expected = OPERATIONS.filter(({ dialect }) => dialect.isContract)
    for (const { id, method, path, ref } of expected) {
      const template = path.replace(/:(\w+)/g, '{$1}')
      const described = documents.contract.paths[template][method.toLowerCase()]
      expect(described.operationId).toBe(id)
      expect(described.description).toContain(`In the contract: ${ref}.`)
    }
  })

  it('names the gaps that operations rest on, with what this world makes of them', async () => {
    const app = openApp({ settings: { 'quotes.ttl': '5m' } })
    const { status, text } = await app.send('/openapi.json')
    expect(status).toBe(200)
    const document = JSON.parse(text)
    const [gap] = document.paths['/v2/quotes'].get['x-assumptions'].filter(
      ({ id }: Json) => id === 'quotes.ttl',
    )
    expect(gap).toEqual({
      id: 'quotes.ttl',
      question: 'How long does a quote lock its rate?',
      value: '5m',
      contractRef: 'Endpoints: Quotes and limits',
      href: '/_sandbox/settings/quotes.ttl',
    })
    expect(await app.control('GET', gap.href.slice('/_sandbox'.length))).toMatchObject({
      id: 'quotes.ttl',
      value: '5m',
    })
    expect(Object.keys(document['x-assumptions'])).toEqual(SETTING_IDS)
  })

  it('follows the settings about statuses', async () => {
    const app = openApp({
      settings: {
        'status.createUser': 201,
        'status.duplicate-user': 400,
        'status.invalid-body': 422,
        'status.invalid-query': 422,
        'requests.perMinute': 100,
      },
    })
    const { paths } = JSON.parse((await app.send('/openapi.json')).text)
    expect(Object.keys(paths['/v2/users'].post.responses)).toEqual([
      '201',
      '400',
      '401',
      '413',
      '415',
      '422',
      '429',
    ])
  })

  it('is read without a key at the base URL of its world, and the control one by the guard', async () => {
    const app = openApp({ controlToken: 'secret' }).world('worker-1')
    expect((await app.send('/_sandbox/openapi.json')).status).toBe(401)
    const headers = { authorization: 'Bearer secret' }
    expect((await app.send('/_sandbox/openapi.json', { headers })).status).toBe(200)
    const { servers } = JSON.parse((await app.send('/openapi.json')).text)
    expect(servers).toEqual([{ url: app.base }])
  })
})

describe('ramp-sandbox openapi', () => {
  it.each([
    [[], 'contract'],
    [['--control'], 'control'],
  ] as const)('prints the document (%s)', async (args, name) => {
    const { paths } = JSON.parse((await runInProcess(['openapi', ...args])).out)
    expect(paths).toEqual(documents[name].paths)
  })
})

type SomeSettings = Record<string, string | number>

async function documentUnder(settings: SomeSettings): Promise<Json> {
  return JSON.parse((await openApp({ settings }).send('/openapi.json')).text)
}

async function bodyUnder(settings: SomeSettings, path: string, method: string) {
  const { paths } = await documentUnder(settings)
  return paths[path][method].requestBody.content['application/json'].schema
}

/** Those of parameters, headers and bodies. */
function schemasIn(value: Json): Json[] {
  if (value === null || typeof value !== 'object') return []
  const own = Object.hasOwn(value, 'schema') ? [value.schema] : []
  return own.concat(Object.entries(value).flatMap(([, part]) => schemasIn(part)))
}
