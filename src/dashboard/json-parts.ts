interface JsonPart {
  text: string
  /** A name and its colon are apart; what is between values has none. */
  kind?: 'name' | 'text' | 'value'
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** A JSON text in parts that have colours of their own. */
export function splitJson(text: string): JsonPart[] {
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
