// Writes the types of the control API without zod, which a user of the package does not have.
// src/http/control/wire.ts names the schemas, and this writes dist/http/control/wire.d.ts from them.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import * as z from 'zod'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src/http/control')
const compiled = join(root, 'dist/wire.mjs')

const schemas = await loadSchemas()
const plain = Object.entries(schemas).map(([name, make]) => [name, toJsonSchema(make())])
/** Schemas with a title are referred to by name where another one holds them. */
const names = new Map(plain.flatMap(([name, { title }]) => (title ? [[title, name]] : [])))
const declarations = [
  "import type { Duration } from '../../world/duration.ts'",
  ...plain.map(([name, schema]) => declare(name, schema)),
]
await writeFile(join(root, 'dist/http/control/wire.d.ts'), declarations.join('\n'))

/** Each schema has the name of its type, so the re-exports of the types name the schemas too. */
async function loadSchemas() {
  const types = await readFile(join(folder, 'wire.ts'), 'utf8')
  const contents = types.replaceAll('export type', 'export')
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
  const { title, type, anyOf, oneOf, examples, items, typeName } = schema
  if (typeName) return typeName
  if (names.has(title)) return names.get(title)
  if (schema.enum ?? 'const' in schema) {
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(' | ')
  }
  const members = anyOf ?? oneOf
  if (members) return members.map((member) => typeOf(member, indent)).join(' | ')
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
    return `${comment(field, inner)}${inner}${name}${isOptional ? '?' : ''}: ${type}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

/** A description as a comment; one of a value that may be null is inside. */
function comment({ description, anyOf = [] }, indent) {
  const text = description ?? anyOf.find((member) => member.description)?.description
  return text ? `${indent}/** ${text} */\n` : ''
}
