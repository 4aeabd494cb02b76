import { text as textOf } from 'node:stream/consumers'
import { readFixture } from '../../client/fixture-file.ts'
import { parseJson } from '../../client/http.ts'
import { inputsOf } from '../../control-api/inputs.ts'
import type { JsonSchema } from '../../control-api/schema.ts'
import { messageOf } from '../../world/domain-error.ts'
import { parseInstant } from '../../world/duration.ts'
import { wordList } from '../../world/word-list.ts'
import type { OptionSpec } from '../command.ts'
import { createKind, invalid, isMap, readJson, readJsonFile } from '../option-values.ts'
import { assertComplete, isPair, type Phrase, type Word } from './words.ts'

export type Input = Record<string, unknown>

/** A field of a call, as it can be typed. */
interface Field extends OptionSpec {
  /** Names on the way to it in what is sent, such as `then` and `status`. */
  path: readonly string[]
  name: string
  option: string
  values: readonly string[]
  schema: JsonSchema
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The fields that can be typed with a phrase: as its words, then as options. */
export function fieldsOf({ operation, words, sends }: Phrase) {
  // The fixed fields of a phrase choose the member of a union.
  const inputs = inputsOf(operation).filter(({ properties }) =>
    Object.entries(sends).every(([name, value]) => (properties[name]?.const ?? value) === value),
  )
  const all = inputs.flatMap(({ properties }) => readFields(properties))
  // Of a list, the newest rows are asked for.
  const isList = all.some(({ name }) => name === 'last')
  const hasPairs = words.some(({ isPairs }) => isPairs)
  const hidden = [
    ...words.flatMap(({ field, instantAs }) => [field, instantAs]),
    ...[...Object.keys(sends), ...(operation.hides ?? []), ...(isList ? ['limit'] : [])],
  ]
  return {
    all,
    asWord: words.flatMap((word) => all.filter(({ name }) => name === word.field)),
    asOption: hasPairs ? [] : all.filter(({ name }) => !hidden.includes(name)),
  }
}

function readFields(properties: Properties, parents: readonly string[] = []): Field[] {
  return Object.entries(properties).flatMap(([own, schema]) => {
    const path = [...parents, own]
    if (schema.properties) return readFields(schema.properties as Properties, path)
    return [toField(path, toPlain(schema), String(schema.description ?? ''))]
  })
}

/** The variant of a field that fits in one word. */
function toPlain({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (Array.isArray(rest.type)) {
    const [type] = rest.type.filter((each) => each !== 'null')
    return { ...rest, type, isNullable: rest.type.includes('null') }
  }
  if (!Array.isArray(anyOf)) return rest
  const isNullable = anyOf.some(({ type }: JsonSchema) => type === 'null')
  const plain = anyOf.find(({ type }: JsonSchema) => type !== 'null' && type !== 'object')
  return { ...rest, ...(plain ?? anyOf[0]), isNullable }
}

const VALUES_SHOWN_MAX = 12

function toField(path: readonly string[], schema: JsonSchema, text: string): Field {
  const isMany = schema.type === 'array' || schema.type === 'object'
  const one = schema.type === 'array' ? (schema.items as JsonSchema) : schema
  const known = one.enum ?? (one.const === undefined ? schema.examples : [one.const])
  const values = ((known ?? []) as unknown[]).map(String)
  const option = isMany ? toOption(path).replace(/s$/, '') : toOption(path)
  const [sentence = ''] = text.replaceAll('`', '').split(/\.(?: |$)/)
  const first = schema.isNullable ? sentence.replace(/\bnull\b/, 'none') : sentence
  const field = { path, name: path.join('.'), option, values, schema }
  if (one.type === 'boolean') return { ...field, help: first, isBoolean: one.const === undefined }
  const isSaid = values.length > VALUES_SHOWN_MAX || values.every((each) => first.includes(each))
  const isNumber = one.type === 'integer' || one.type === 'number'
  const word = isNumber ? 'N' : (option.split('-').at(-1) ?? '').toUpperCase()
  return {
    ...field,
    help: isSaid ? first : `${first} (${values.join(', ')})`,
    value: one.typeName === 'Duration' ? 'LENGTH' : word,
    mayBeEmpty: one.minLength === 0,
    ...(isMany && { many: true }),
    ...(schema.type === 'object' && NAMED),
  }
}

const NAMED = createKind('NAME:VALUE', 'a name and a value, such as retry-after:30', (text) =>
  /^([^:]+): *(.*)$/s.exec(text)?.slice(1),
)

/** Turns `then.beforeResponse` into `--before-response`; deeper fields keep their parent's name. */
function toOption(parts: readonly string[]): string {
  const last = parts.slice(parts.length > 2 ? -2 : -1).join('-')
  return last.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** Words and options that were typed for a call. */
export interface Typed {
  /** Fields that are sent. */
  input: Input
  /** Values as they were typed, by field. */
  texts: Input
  /** Label under which each field was typed: `USER` or `--deliver`. */
  labels: Record<string, string>
}

/** Collects the input to send, and how each field was typed, for error messages. */
export async function readInput(
  phrase: Phrase,
  typed: readonly string[],
  values: Input,
): Promise<Typed> {
  assertComplete(phrase, typed)
  const { all, asOption } = fieldsOf(phrase)
  const given: Typed = { input: structuredClone(phrase.sends) as Input, texts: {}, labels: {} }
  const take = (name: string, label: string, text: unknown) => {
    const field = all.find((each) => each.name === name)
    given.labels[name] = label
    given.texts[name] = text
    put(given.input, field?.path ?? [name], toValue(text, field))
  }
  for (const [at, word] of phrase.words.entries()) {
    const texts = word.isMany ? typed.slice(at) : typed.slice(at, at + 1)
    const [text = word.otherwise] = texts
    if (text === undefined) continue
    const wrong = word.isPairs && texts.find((pair) => !isPair(pair))
    if (wrong) throw invalid(phrase.name, `${phrase.name} takes ${word.text}, not ${wrong}.`)
    if (word.isPairs) for (const pair of texts) await takePair(pair, take, given, all)
    else if (word.field !== undefined) await takeWord(word, text, texts)
  }
  for (const { name, option } of asOption) {
    const value = values[option]
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
    if (isGiven) take(name, `--${option}`, value)
  }
  for (const [name, more] of Object.entries(phrase.operation.sendsWith ?? {})) {
    if (name in given.input) given.input = { ...more, ...given.input }
  }
  const missing = Object.keys(phrase.operation.params ?? {}).filter((name) => !given.input[name])
  if (missing.length > 0) {
    const [empty] = missing.flatMap((name) => given.labels[name] ?? [])
    const pairs = missing.map((name) => `${name}=VALUE`)
    throw invalid(
      phrase.name,
      empty ? `${empty} must not be empty.` : `${phrase.name} needs ${wordList(pairs, 'and')}.`,
    )
  }
  return given

  async function takeWord(word: Word, text: string, texts: readonly string[]) {
    const { field = '', instantAs, orFile, isMany } = word
    const { schema } = all.find(({ name }) => name === field) ?? {}
    const isFile = orFile && !new RegExp(String(schema?.pattern)).test(text)
    if (isFile) await takeFile(given, word.text, text)
    else if (instantAs && parseInstant(text) !== undefined) take(instantAs, word.text, text)
    else take(field, word.text, isMany ? asMany(schema, texts) : text)
  }
}

/** Many words are a list, or one text. */
const asMany = (schema: JsonSchema | undefined, texts: readonly string[]) =>
  schema?.type === 'array' ? texts : texts.join(' ')

/** Reads `USDC=1.38`, or `@FILE` with an object of fields. */
async function takePair(
  pair: string,
  take: (name: string, label: string, text: unknown) => void,
  given: Typed,
  all: readonly Field[],
) {
  if (pair.startsWith('@')) {
    await takeFile(given, '@FILE', pair.slice(1))
    return
  }
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  // A field that is an object with one field stands for that.
  const inside = all.filter((field) => field.name.startsWith(`${name}.`))
  const [only] = inside
  take(inside.length === 1 && only ? only.name : name, name, pair.slice(at + 1))
}

/** Takes the fields of a JSON file, or of stdin for `-`. */
async function takeFile({ input, labels }: Typed, label: string, path: string): Promise<void> {
  const parsed =
    path === '-'
      ? readJson(label, await textOf(process.stdin), 'The input')
      : readJsonFile(label, path, path)
  const source = path === '-' ? 'The input' : path
  if (!isMap(parsed)) throw invalid(label, `${source} must contain a JSON object.`)
  Object.assign(input, parsed)
  for (const name of Object.keys(parsed)) labels[name] = `${source}: ${name}`
}

/** Converts what was typed to the type of its field; the sandbox rejects what does not fit. */
function toValue(given: unknown, field: Field | undefined): unknown {
  const { name, schema = {} } = field ?? {}
  const { type, typeName, isNullable } = schema
  if (name === 'fixture') return readFixtureAt(given)
  if (Array.isArray(given)) return type === 'object' ? Object.fromEntries(given) : given
  if (typeof given !== 'string') return given
  if (isNullable && (given === 'null' || given === 'none')) return null
  if (type === 'boolean') return given === 'true' || (given !== 'false' && given)
  const mayBeNumber = type === 'integer' || type === 'number' || typeName === 'Duration'
  if (mayBeNumber) return toNumber(given)
  if (type === 'array' && !given.startsWith('[')) return given.split(',')
  return type === 'array' || type === 'object' ? parseJson(given) : given
}

function readFixtureAt(source: unknown): unknown {
  try {
    const fixture = readFixture(source)
    if (typeof fixture === 'string' || isMap(fixture)) return fixture
  } catch (error) {
    throw invalid('--fixture', messageOf(error))
  }
  throw invalid('--fixture', `The fixture ${source} must contain a JSON object.`)
}

const toNumber = (text: string) =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

/** Sets a nested field, such as `then.status`. */
function put(input: Input, [own = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) input[own] = value
  else {
    input[own] ??= {}
    put(input[own] as Input, inner, value)
  }
}
