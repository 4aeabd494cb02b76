// Writes the types of the control API without zod, which a user of the package does not have.
// src/control-api/wire.ts names the schemas, and this writes dist/control-api/wire.d.ts from them, with
// a fixture's type and with an interface that has a method for each row of the control API.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import * as z from 'zod'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src/control-api')
const compiled = join(root, 'dist/wire.mjs')

const { CONTROL_OPERATIONS, toFixtureJsonSchema, ...schemas } = await loadSchemas()
const plain = Object.entries(schemas).map(([name, make]) => [name, toJsonSchema(make())])
/** Schemas with a title are referred to by name where another one holds them. */
const names = new Map(plain.flatMap(([name, { title }]) => (title ? [[title, name]] : [])))
/** Names by the function that makes the schema. */
const made = new Map(Object.entries(schemas).map(([name, make]) => [make, name]))
/** Types that are declared elsewhere, and where. */
const DECLARED = {
  Duration: '../world/duration.ts',
  KnownTransactionStatus: '../world/words.ts',
  ContractOperationId: '../world/settings/operations.ts',
  GivenSettings: '../world/settings/index.ts',
}
/** Types of arguments for the path: an id may be given as the record that has it. */
const PATH_TYPES = {
  id: 'string | { readonly id: string }',
  user: 'string | { readonly id: string }',
  name: 'string',
}
const SETTING_CHANGES = `/** Settings to change; null or \`default\` restores the default. */
export type SettingChanges = { [Id in keyof GivenSettings]?: GivenSettings[Id] | 'default' | null | undefined }
`
const fixture = toFixtureJsonSchema()
fixture.properties.settings = { typeName: 'GivenSettings' }
const declarations = [
  ...Object.entries(DECLARED).map(([name, path]) => `import type { ${name} } from '${path}'\n`),
  ...plain.map(([name, schema]) => declare(name, schema)),
  SETTING_CHANGES,
  declare('FixtureDocument', fixture),
  declareControlApi(),
]
await write('control-api/wire', declarations.join(''))
await write('client/control-api', "export type { ControlApi } from '../control-api/wire.ts'\n")
await write('fixture/format', "export type { FixtureDocument } from '../control-api/wire.ts'\n")

async function write(name, text) {
  await writeFile(join(root, `dist/${name}.d.ts`), text)
}

/** The schemas and the rows. Each schema has the name of its type, so what re-exports types names them. */
async function loadSchemas() {
  const types = await readFile(join(folder, 'wire.ts'), 'utf8')
  const values = types
    .replaceAll('export type', 'export')
    .replace(/export \{ InputOf, Wire \}.*\n/, '')
    .replace('SettingChanges', '')
  const contents = `${values}
export { CONTROL_OPERATIONS } from './index.ts'
export { toFixtureJsonSchema } from '../fixture/schema.ts'`
  const stdin = { contents, resolveDir: folder, loader: 'ts' }
  await build({
    stdin,
    outfile: compiled,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    define: { __VERSION__: '""' },
  })
  try {
    return { ...(await import(compiled)) }
  } finally {
    await rm(compiled)
  }
}

/** An interface with a method for each row, described by its summary. */
function declareControlApi() {
  const groups = new Set(CONTROL_OPERATIONS.map(({ as }) => as.split('.')[0]))
  const members = [...groups].map((group) => {
    const single = CONTROL_OPERATIONS.find(({ as }) => as === group)
    if (single) return declareMethod(single, '  ')
    const rows = CONTROL_OPERATIONS.filter(({ as }) => as.startsWith(`${group}.`))
    const methods = rows.map((row) => declareMethod(row, '    '))
    return `  readonly ${group}: {\n${methods.join('')}  }\n`
  })
  return `/** Every operation of the control API as a method. */\nexport interface ControlApi {\n${members.join('')}}\n`
}

function declareMethod(row, indent) {
  const { as, method, params = {}, args: fields = [], result, isPaged } = row
  const input = (method === 'GET' ? row.query : row.body)?.()
  const {
    properties = {},
    required = [],
    anyOf,
    oneOf,
    typeName,
  } = input ? toJsonSchema(input) : {}
  const inPath = Object.keys(params).map((each) => `${each}: ${PATH_TYPES[each]}`)
  const own = fields.map((field) => {
    const isOptional = !required.includes(field)
    return `${field}${isOptional ? '?' : ''}: ${typeOf(properties[field], indent)}`
  })
  const left = Object.entries(properties).filter(
    ([each]) => !fields.includes(each) && !(isPaged && ['after', 'limit'].includes(each)),
  )
  const options = { type: 'object', properties: Object.fromEntries(left), required }
  const isNeeded = anyOf ?? oneOf ?? typeName ?? left.some(([each]) => required.includes(each))
  const type =
    typeName ?? ((anyOf ?? oneOf) ? typeOf({ anyOf, oneOf }, indent) : objectType(options, indent))
  const last = type === `{\n${indent}}` ? [] : [`options${isNeeded ? '' : '?'}: ${type}`]
  const response = row.response ? toJsonSchema(row.response()) : {}
  const returned =
    result === undefined
      ? (made.get(row.response) ?? typeOf(response, indent))
      : typeOf(response.properties?.[result] ?? {}, indent)
  const about = `${indent}/** ${row.summary}. */\n`
  return `${about}${indent}${as.split('.').at(-1)}(${[...inPath, ...own, ...last].join(', ')}): Promise<${returned}>\n`
}

function toJsonSchema(schema) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function declare(name, schema) {
  const type = typeOf({ ...schema, title: undefined }, '')
  const isObject = type.startsWith('{')
  const body = isObject ? `interface ${name} ${type}` : `type ${name} = ${type}`
  return `${comment(schema, '')}export ${body}\n`
}

function typeOf(schema, indent) {
  const { title, type, anyOf, oneOf, examples, items, typeName, wire } = schema
  if (typeName) return typeName
  if (typeof wire === 'object') return typeOf(wire, indent)
  if (names.has(title)) return names.get(title)
  if (schema.enum ?? 'const' in schema) {
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(' | ')
  }
  const members = anyOf ?? oneOf
  if (members) return members.map((member) => typeOf(member, indent)).join(' | ')
  if (schema['x-closed']) return examples.map(quoted).join(' | ')
  if (type === 'string')
    return examples ? `${examples.map(quoted).join(' | ')} | (string & {})` : type
  if (Array.isArray(type))
    return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'integer') return 'number'
  if (type === 'array') return arrayType(typeOf(items, indent))
  if (type === 'object') return objectType(schema, indent)
  return type ?? 'unknown'
}

function arrayType(item) {
  return item.includes('|') ? `(${item})[]` : `${item}[]`
}

function quoted(value) {
  return JSON.stringify(value)
}

function objectType({ properties, required = [], propertyNames, additionalProperties }, indent) {
  if (!properties) {
    const keys = propertyNames?.enum ? propertyNames.enum.map(quoted).join(' | ') : 'string'
    return `Record<${keys}, ${typeOf(additionalProperties || {}, indent)}>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name)
    const type = typeOf(field, inner) + (isOptional ? ' | undefined' : '')
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
    return `${comment(field, inner)}${inner}${key}${isOptional ? '?' : ''}: ${type}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

/** A description as a comment; one of a value that may be null is inside. */
function comment({ inField, description, anyOf = [] }, indent) {
  const text = inField ?? description ?? anyOf.find((member) => member.description)?.description
  return text ? `${indent}/** ${text} */\n` : ''
}
