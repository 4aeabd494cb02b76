import { inspect } from 'node:util'
import type { Json } from '../client/http.ts'

/** Code that stands where a value would. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  [inspect.custom]() {
    return this.text
  }
}

/** Joins texts and code into one text. */
export function join(parts: readonly (string | Code)[]): string | Code {
  if (!parts.some((part) => part instanceof Code)) return parts.join('')
  const text = parts.map((part) => (part instanceof Code ? `\${${part.text}}` : part)).join('')
  return new Code(`\`${text}\``)
}

/** Writes a value as JavaScript. */
export const toSource = (value: Json): string =>
  inspect(value, { depth: null, breakLength: 96, maxArrayLength: null, maxStringLength: null })

/** Declares constants, each with a name of its own. */
export class Names {
  #taken: Set<string>

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  take(stem: string): Code {
    // `user12` would read as another user than `user1`, so that becomes `user1_2`.
    const base = this.#taken.has(stem) && /\d$/.test(stem) ? `${stem}_` : stem
    let name = stem
    for (let n = 2; this.#taken.has(name); n++) name = base + n
    this.#taken.add(name)
    return new Code(name)
  }
}
