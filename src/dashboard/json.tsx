import type { Child } from 'hono/jsx'
import { formatJson } from './format.ts'
import { Copy } from './parts.tsx'

/** A text this long is shown without colours, so that the page stays light. */
const COLOURED_MAX = 20_000
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** Indented JSON in colours, or a text that is no JSON as it is; a copy has the same text. */
export const Json = ({ text, what }: { text: string; what: string }) => {
  const shown = formatJson(text)
  return (
    <div class="code">
      <section tabindex={0} aria-label={what}>
        <pre>{shown.length > COLOURED_MAX ? shown : colour(shown)}</pre>
      </section>
      <Copy text={shown} what={what} />
    </div>
  )
}

function colour(text: string): Child[] {
  const parts: Child[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match
    parts.push(text.slice(end, match.index))
    if (quoted === undefined) parts.push(<span class="j-value">{token}</span>)
    else if (colon === undefined) parts.push(<span class="j-text">{quoted}</span>)
    else parts.push(<span class="j-name">{quoted}</span>, colon)
    end = match.index + token.length
  }
  parts.push(text.slice(end))
  return parts
}
