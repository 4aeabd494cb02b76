import type { Child } from 'hono/jsx'
import { formatJson } from './format.ts'
import { splitJson } from './json-parts.ts'
import { Code } from './parts.tsx'

/** A text this long is shown without colours, so that the page stays light. */
const COLOURED_MAX = 20_000

/** Indented JSON in colours, or a text that is no JSON as it is; a copy has the same text. */
export const Json = ({ text, what }: { text: string; what: string }) => {
  const shown = formatJson(text)
  return (
    <Code text={shown} what={what} shown={shown.length > COLOURED_MAX ? shown : colour(shown)} />
  )
}

const colour = (text: string): Child[] =>
  splitJson(text).map(({ text: part, kind }) =>
    kind ? <span class={`j-${kind}`}>{part}</span> : part,
  )
