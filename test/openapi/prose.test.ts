import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROBLEM_CODE_NAMES } from '../../src/http/control/dialect.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

const documents: Record<'contract' | 'control', Json> = makeDocuments()

describe.each([
  ['contract', documents.contract],
  ['control API', documents.control],
])('the prose of the document of the %s', (_, document) => {
  const operations = operationsOf(document)
  const fields = findFields(document, '')

  it('describes every field; if not, its schema needs a .describe()', () => {
    expect(fields.length).toBeGreaterThan(100)
    const bare = fields.filter(({ field }) => !isSentence(field.description))
    expect(bare.map(({ pointer }) => pointer)).toEqual([])
  })

  it('gives fields examples that are as it says', () => {
    const checker = createChecker(document)
    expect(fields.filter(({ field }) => field.examples).length).toBeGreaterThan(100)
    for (const { pointer, field } of fields) {
      for (const example of field.examples ?? []) {
        const validate = checker.validatorAt(pointer)
        expect(validate(example), `${pointer} ${JSON.stringify(validate.errors)}`).toBe(true)
      }
    }
  })

  it('describes every parameter and header', () => {
    const headers = Object.values<Json>(document.components.headers ?? {})
    const parameters = operations.flatMap((operation) => operation.parameters ?? [])
    for (const parameter of [...parameters, ...headers]) {
      expect(isSentence(parameter.description), parameter.name).toBe(true)
    }
  })

  it('says of every operation what it does, and what a success means', () => {
    for (const { operationId, description, responses } of operations) {
      expect(isSentence(description), operationId).toBe(true)
      const [[, success]] = Object.entries<Json>(responses) as [[string, Json]]
      expect(isSentence(success.description), operationId).toBe(true)
      expect(success.description).not.toMatch(/^Done/)
    }
  })
})

describe('the tables of the documents', () => {
  it('have a line for each code that a problem of the control API can have', () => {
    const root = join(import.meta.dirname, '../../src')
    const folders = ['engine', 'host', 'http/control', 'store']
    const sources = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    )
    const codes = sources.flatMap((source) =>
      Array.from(source.matchAll(/\bcode: '([a-z-]+)'/g), ([, code = '']) => code),
    )
    const unknown = codes.filter((code) => code !== 'custom' && !PROBLEM_CODE_NAMES.includes(code))
    expect(unknown).toEqual([])
    const { code } = documents.control.components.schemas.Problem.properties
    expect(code.enum).toEqual(PROBLEM_CODE_NAMES)
    for (const known of code.enum) expect(code.description).toContain(`- \`${known}\`: `)
  })
})

const isSentence = (text: unknown) => typeof text === 'string' && /\S.*\.$/s.test(text)

function operationsOf({ paths, webhooks = {} }: Json): Json[] {
  return [...Object.values<Json>(paths), ...Object.values<Json>(webhooks)].flatMap(Object.values)
}

interface Found {
  pointer: string
  name: string
  field: Json
}

/** Every property of every schema of a document. */
function findFields(value: Json, pointer: string): Found[] {
  if (value === null || typeof value !== 'object') return []
  const { properties } = value
  const isSchema = properties !== undefined && value.type === 'object'
  const own = isSchema
    ? Object.entries<Json>(properties).map(([name, field]) => {
        return { pointer: `${pointer}/properties/${toStep(name)}`, name, field }
      })
    : []
  const inner = Object.entries<Json>(value)
    .filter(([key]) => !['example', 'examples'].includes(key))
    .flatMap(([key, part]) => findFields(part, `${pointer}/${toStep(key)}`))
  return [...own, ...inner]
}

const toStep = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
