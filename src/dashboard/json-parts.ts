interface JsonPart {
  text: string
  kind?: 'name' | 'text' | 'value'
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** Longer texts have no colours, because thousands of elements make a page slow. */
const COLOURED_MAX = 20_000

/** Splits JSON into the parts that have a colour of their own. */
export function splitJson(text: string): JsonPart[] {
  if (text.length > COLOURED_MAX) return [{ text }]
  const parts: JsonPart[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match
    parts.push({ text: text.slice(end, match.index) })
    if (quoted === undefined) parts.push({ text: token, kind: 'value' })
    else if (colon === undefined) parts.push({ text: quoted, kind: 'text' })
    else parts.push({ text: quoted, kind: 'name' }, { text: colon })
    end = match.index + token.length
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '')
}

const LEXEME =
  /\s*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy

/** Finds the position of the first mistake in JSON, which `JSON.parse` reports differently everywhere. */
export function findJsonProblem(text: string): number | undefined {
  let end = 0
  const isWhole = readValue()
  const next = text.length - text.slice(end).trimStart().length
  return isWhole && next === text.length ? undefined : next

  /** Reads the next lexeme if it is of one of these kinds. */
  function take(...kinds: string[]): string | undefined {
    LEXEME.lastIndex = end
    const match = LEXEME.exec(text)
    const [whole = '', quoted, value, sign = ''] = match ?? []
    const kind = quoted === undefined ? (value === undefined ? sign : 'value') : 'text'
    if (!match || !kinds.includes(kind)) return undefined
    end += whole.length
    return kind
  }

  function readValue(): boolean {
    const kind = take('text', 'value', '{', '[')
    if (kind !== '{' && kind !== '[') return kind !== undefined
    const close = kind === '{' ? '}' : ']'
    if (take(close)) return true
    do {
      if (kind === '{' && !(take('text') && take(':'))) return false
      if (!readValue()) return false
    } while (take(','))
    return take(close) !== undefined
  }
}
