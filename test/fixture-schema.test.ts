import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { loadFixture } from '../src/fixture/load.ts'
import { toFixtureJsonSchema } from '../src/fixture/schema.ts'
import { SETTING_IDS } from '../src/world/settings/index.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const schema = read('dist/fixture.schema.json')
const validate = new Ajv({ strict: false }).compile(schema)
const user = (more: object) => ({ users: [{ email: 'alice@example.com', ...more }] })

it('the JSON schema of fixtures is built from the schema that reads them', () => {
  expect(schema).toEqual(toFixtureJsonSchema())
  expect(Object.keys(schema.properties.settings.properties).sort()).toEqual([...SETTING_IDS].sort())
})

it.each(readdirSync(join(root, 'fixtures')))(
  'the JSON schema of fixtures accepts %s, which names it',
  (file) => {
    const fixture = read(`fixtures/${file}`)
    expect(validate(fixture), JSON.stringify(validate.errors)).toBe(true)
    expect(read(join('fixtures', fixture.$schema))).toEqual(schema)
  },
)

it.each([
  ['an unknown field', { user: [] }],
  ['an unknown status of a user', user({ status: 'approved' })],
  ['a transaction without an amount', { transactions: [{ user: 'alice@example.com' }] }],
])('the JSON schema of fixtures refuses %s, as reading it does', (_, fixture) => {
  expect(validate(fixture)).toBe(false)
  expect(() => loadFixture(fixture)).toThrow()
})
