import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { openApp } from '../helpers/app.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { checkExamples, documents as described } from './documents.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

const documents: Record<'contract' | 'control', Json> = described
const NAMES = ['contract', 'control'] as const

describe.each(NAMES)('the document of the %s', (name) => {
  const document = documents[name]
  const operations: Json[] = Object.values(document.paths).flatMap((item: Json) =>
    Object.values(item),
  )

  it('a third-party validator accepts the document as OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  it('a third-party validator accepts the schemas of the document as JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false })
    const schemas = [...Object.values<Json>(document.components.schemas), ...schemasIn(document)]
    expect(schemas.length).toBeGreaterThan(100)
    expect([ajv.validateSchema({ allOf: schemas }), ajv.errors]).toEqual([true, null])
  })

  it('a document describes every response, and has a default one only for catches', () => {
    for (const { operationId, responses } of operations) {
      expect('default' in responses, operationId).toBe(/^catch[A-Z]/.test(operationId))
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
      for (const { description } of Object.values<Json>(responses)) {
        expect(description, operationId).toMatch(/\.$/)
      }
    }
  })

  it('a document has examples that match its schemas', () => {
    const { count, wrong } = checkExamples(document)
    expect(count).toBeGreaterThan(50)
    expect(wrong).toEqual([])
  })
})

it('the document of the contract holds every operation of the table, each with its place in the contract', () => {
  const expected = OPERATIONS.filter(({ dialect }) => dialect.isContract)
  for (const { id, method, path, contract } of expected) {
    const template = path.replace(/:(\w+)/g, '{$1}')
    const described = documents.contract.paths[template][method.toLowerCase()]
    expect(described.operationId).toBe(id)
    expect(described.description).toContain(`In the contract: ${contract?.ref}.`)
  }
})

it('the document of the contract needs no key and names the base URL of its world, and that of the control API needs the token', async () => {
  const app = openApp({ controlToken: 'secret' }).world('worker-1')
  expect((await app.send('/_sandbox/openapi.json')).status).toBe(401)
  const headers = { authorization: 'Bearer secret' }
  expect((await app.send('/_sandbox/openapi.json', { headers })).status).toBe(200)
  const { servers } = JSON.parse((await app.send('/openapi.json')).text)
  expect(servers).toEqual([{ url: app.base }])
})

it.each([
  [[], 'contract'],
  [['--control'], 'control'],
] as const)('ramp-sandbox openapi prints the document (%s)', async (args, name) => {
  const { paths } = JSON.parse((await runInProcess(['openapi', ...args])).out)
  expect(paths).toEqual(documents[name].paths)
})

/** Those of parameters, headers and bodies. */
function schemasIn(value: Json): Json[] {
  if (value === null || typeof value !== 'object') return []
  const own = Object.hasOwn(value, 'schema') ? [value.schema] : []
  return own.concat(Object.entries(value).flatMap(([, part]) => schemasIn(part)))
}
