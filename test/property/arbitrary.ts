import fc, { type Arbitrary } from '../helpers/fast-check.ts'

// biome-ignore lint/suspicious/noExplicitAny: a schema is read by its keywords
type Json = any

/** Values that a field of a name is likelier to get than what its schema alone would give. */
export type Pools = Readonly<Record<string, readonly unknown[]>>

/** Values that a JSON schema of a document permits. */
export function arbitraryOf(
  schema: Json,
  document: Json,
  pools: Pools,
  name = '',
): Arbitrary<Json> {
  const pool = Object.hasOwn(pools, name) ? pools[name] : undefined
  const plain = toPlain(schema, document, pools, name)
  return pool ? fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...pool) }, plain) : plain
}

function toPlain(schema: Json, document: Json, pools: Pools, name: string): Arbitrary<Json> {
  const of = (part: Json, partName = name) => arbitraryOf(part, document, pools, partName)
  if (schema.$ref) return of(resolve(schema.$ref, document))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const ways = schema.anyOf ?? schema.oneOf
  if (ways) return fc.oneof(...ways.map((way: Json) => of(way)))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => of({ ...schema, type })))
  }
  return BY_TYPE[schema.type]?.(schema, of) ?? fc.jsonValue({ maxDepth: 2 })
}

type Of = (part: Json, name?: string) => Arbitrary<Json>

const BY_TYPE: Readonly<Record<string, (schema: Json, of: Of) => Arbitrary<Json>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  string: toText,
  integer: ({ minimum = -1_000, maximum = 1_000_000 }) =>
    fc.integer({ min: minimum, max: maximum }),
  number: ({ minimum = -1_000, maximum = 1_000_000 }) =>
    fc.oneof(
      fc.integer({ min: minimum, max: maximum }),
      fc.integer({ min: minimum, max: maximum }).map((cents) => cents / 100),
      fc.double({ min: minimum, max: maximum, noNaN: true }),
    ),
  array: ({ items = {}, minItems = 0, maxItems = 3 }, of) =>
    fc.array(of(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }),
  object: toObject,
}

/** Those of texts, which take long to make, by the keywords of their schema. */
const texts = new Map<string, Arbitrary<string>>()

function toText({ pattern, format, minLength = 0, maxLength = 40 }: Json): Arbitrary<string> {
  const keywords = { pattern, format, minLength, maxLength }
  const key = JSON.stringify(keywords)
  const text = texts.get(key) ?? makeText(keywords)
  texts.set(key, text)
  return text
}

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any code point: the `binary` unit of fast-check fills a table with a million of them. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(toCharacter, fromCharacter)

function toCharacter(index: number): string {
  return String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count)
}

/** Throws where a value is not one character, as fast-check asks when it shrinks a text. */
function fromCharacter(value: unknown): number {
  if (typeof value !== 'string' || !/^\P{Surrogate}$/u.test(value)) {
    throw new Error('This is not one character.')
  }
  const point = value.codePointAt(0) ?? 0
  return point < SURROGATES.first ? point : point - SURROGATES.count
}

function makeText({ pattern, format, minLength, maxLength }: Json): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((at) => at.toISOString())
  const lengths = { minLength, maxLength: Math.min(maxLength, 40) }
  return fc.oneof(fc.string(lengths), fc.string({ ...lengths, unit: anyCharacter }))
}

function toObject(schema: Json, of: Of): Arbitrary<Json> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.entries<Json>(properties).map(([name, part]) => [name, of(part, name)])
  const requiredKeys: string[] = required.filter((name: string) => name in properties)
  const record: Arbitrary<Json> = fc.record(Object.fromEntries(fields), {
    requiredKeys: requiredKeys as never[],
  })
  if (typeof additionalProperties !== 'object') return record
  const keys = additionalProperties.propertyNames
    ? of(additionalProperties.propertyNames)
    : fc.string()
  const more = fc.dictionary(keys as Arbitrary<string>, of(additionalProperties), { maxKeys: 3 })
  return fc.tuple(more, record).map(([rest, known]) => ({ ...rest, ...known }))
}

function resolve(ref: string, document: Json): Json {
  return ref
    .slice(2)
    .split('/')
    .reduce((value, step) => value[step.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
