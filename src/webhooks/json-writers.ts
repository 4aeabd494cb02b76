import { wordList } from '../world/word-list.ts'
import { writeSpaced } from './body.ts'

type Write = (json: unknown) => string

/** Writes characters that stand only inside texts of JSON as `\u00e9`. */
const escapeAll = (text: string, characters: RegExp): string =>
  text.replace(characters, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

const escapeUnicode = (text: string) => escapeAll(text, /[\u007f-\uffff]/g)
const escapeHtml = (text: string) => escapeAll(text, /[<>&\u2028\u2029]/g)
const escapeGson = (text: string) => escapeAll(text, /[<>&='\u2028\u2029]/g)
const escapeSlashes = (text: string) => text.replaceAll('/', '\\/')

const compact: Write = (json) => JSON.stringify(json)
const indented =
  (by: number | string): Write =>
  (json) =>
    JSON.stringify(json, null, by)
/** JSON escapes the line breaks of texts, so each raw one is part of the indentation. */
const spaced: Write = (json) => indented(1)(json).replace(/,\n */g, ', ').replace(/\n */g, '')
const sorted =
  (write: Write): Write =>
  (json) =>
    write(sortKeys(json))

function sortKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sortKeys)
  if (typeof json !== 'object' || json === null) return json
  const fields = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, value]) => [key, sortKeys(value)]))
}

/** Gson leaves out what is null. */
const writeGson: Write = (json) =>
  escapeGson(JSON.stringify(json, (_, value) => value ?? undefined))
/** Gson reads each number into a map as a double. */
const writeGsonMap: Write = (json) => {
  const marked = JSON.stringify(json, (_, value) =>
    Number.isInteger(value) ? `\0${value}.0\0` : value,
  )
  return writeGson(JSON.parse(marked)).replace(/"?\\u0000"?/g, '')
}

const writeJacksonPretty: Write = (json) => indented(2)(json).replace(/^( *"[^"]*"):/gm, '$1 :')

function writeDotnet(json: unknown): string {
  const text = compact(json).replaceAll('\\"', '\\u0022')
  const escaped = escapeAll(text, /[<>&'`+\u007f-\uffff]/g)
  return escaped.replace(/\\u[0-9a-f]{4}/g, (each) => `\\u${each.slice(2).toUpperCase()}`)
}

/** Newtonsoft reads what looks like a time as a time, and leaves out the zeros at its end. */
const writeNewtonsoft: Write = (json) =>
  compact(json).replace(/("[\d-]{10}T[\d:]{8})(?:\.0+|(\.\d*?)0+)Z"/g, '$1$2Z"')

/** Shows an object as a language does that puts it into a string without writing JSON. */
const showAs =
  (colon: string, nothing: string, quote: (text: string) => string): Write =>
  (json) => {
    const show = (value: unknown): string => {
      if (value === null) return nothing
      if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
      if (typeof value !== 'object') return typeof value === 'string' ? quote(value) : String(value)
      const fields = Object.entries(value).map(([key, each]) => quote(key) + colon + show(each))
      return `{${fields.join(', ')}}`
    }
    return show(json)
  }

function quotePython(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  const isDouble = text.includes("'") && !text.includes('"')
  return isDouble ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
}

/** Ways in which receivers write a parsed body again. */
const WRITERS: Readonly<Record<string, Write>> = {
  'JSON.stringify(body)': compact,
  'JSON.stringify(body, null, 2)': indented(2),
  "Go's json.Marshal of a map": sorted((json) => escapeHtml(compact(json))),
  "Go's json.Marshal of a json.RawMessage": (json) => escapeHtml(compact(json)),
  "Go's json.Encoder with SetEscapeHTML(false)": sorted(compact),
  "Ruby's JSON.generate(body)": compact,
  "Ruby's JSON.pretty_generate(body)": indented(2),
  "Ruby on Rails' body.to_json": (json) => escapeHtml(compact(json)),
  "Java's Jackson": compact,
  "Java's Gson": writeGson,
  "Java's Gson with a Map": writeGsonMap,
  "C#'s System.Text.Json": writeDotnet,
  "C#'s Newtonsoft.Json": writeNewtonsoft,
  "Rust's serde_json": sorted(compact),
  'this sandbox (`webhooks.body=spaced`)': writeSpaced,
  ...python('with its default separators', spaced, []),
  ...python('', compact, ["separators=(',', ':')"]),
  ...php([]),
}

const RARE_WRITERS: Readonly<Record<string, Write>> = {
  'JSON.stringify(body, null, 4)': indented(4),
  "JSON.stringify(body, null, '\\t')": indented('\t'),
  "Go's json.MarshalIndent of a map": sorted((json) => escapeHtml(indented(2)(json))),
  "Java's Jackson with its pretty printer": writeJacksonPretty,
  "Python's str(body)": showAs(': ', 'None', quotePython),
  "Ruby's body.to_s": showAs('=>', 'nil', compact),
  "Java's body.toString()": showAs('=', 'null', (text) => text),
  ...python('', indented(2), ['indent=2']),
  ...python('', indented(4), ['indent=4']),
  ...php(['JSON_PRETTY_PRINT'], indented(4)),
}

function python(note: string, write: Write, layout: readonly string[]): Record<string, Write> {
  const named = (given: readonly string[]) =>
    `Python's json.dumps(${['body', ...given, ...layout].join(', ')})`
  const sort = 'sort_keys=True'
  const unicode = 'ensure_ascii=False'
  return {
    [`${named([])} ${note}`.trim()]: (json) => escapeUnicode(write(json)),
    [named([sort])]: sorted((json) => escapeUnicode(write(json))),
    [named([unicode])]: write,
    [named([sort, unicode])]: sorted(write),
  }
}

function php(layout: readonly string[], write: Write = compact): Record<string, Write> {
  const named = (given: readonly string[]) => {
    const flags = [...layout, ...given].join(' | ')
    return `PHP's json_encode($body${flags && `, ${flags}`})`
  }
  const slashes = 'JSON_UNESCAPED_SLASHES'
  const unicode = 'JSON_UNESCAPED_UNICODE'
  return {
    [named([])]: (json) => escapeUnicode(escapeSlashes(write(json))),
    [named([slashes])]: (json) => escapeUnicode(write(json)),
    [named([unicode])]: (json) => escapeSlashes(write(json)),
    [named([slashes, unicode])]: write,
  }
}

/** A text for a body, with the names of the writers that agree on it. */
export interface Writing {
  text: string
  writers: string
  isRare: boolean
}

/** Writes JSON as each known writer does. */
export function writeInEveryWay(json: unknown): Writing[] {
  const groups = new Map<string, string[]>()
  for (const [name, write] of Object.entries({ ...WRITERS, ...RARE_WRITERS })) {
    const text = write(json)
    groups.set(text, [...(groups.get(text) ?? []), name])
  }
  return [...groups].map(([text, names]) => ({
    text,
    writers: formatNames(names),
    isRare: names.every((name) => name in RARE_WRITERS),
  }))
}

/** The first writer of each language. */
function formatNames(names: readonly string[]): string {
  const languages = names.map((name) => name.split(/[' .]/, 1).join())
  const firsts = names.filter((_, index) => languages.indexOf(languages[index] ?? '') === index)
  return wordList(firsts, 'or')
}
