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
    let kind = sign
    if (value !== undefined) kind = 'value'
    if (quoted !== undefined) kind = 'text'
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
