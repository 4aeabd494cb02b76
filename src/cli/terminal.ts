import { styleText } from 'node:util'

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export type Piece = string | readonly [Colour, string]

export interface Terminal {
  isColoured: boolean
  /** Characters in a line; undefined where that is not known. */
  columns(): number | undefined
}

export function describeTerminal(stream: NodeJS.WriteStream): Terminal {
  return { isColoured: isColoured(stream), columns: () => stream.columns || undefined }
}

/** As most programs decide it: FORCE_COLOR, then NO_COLOR, then whether it is a terminal. */
function isColoured({ isTTY }: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

/** One line of pieces, cut where the terminal ends. Nothing in it can steer the terminal. */
export function formatPieces(pieces: readonly Piece[], { isColoured, columns }: Terminal): string {
  let left = columns() ?? Number.POSITIVE_INFINITY
  let line = ''
  for (const piece of pieces) {
    const [colour, raw] = typeof piece === 'string' ? [undefined, piece] : piece
    const text = cut(toPrintable(raw), left)
    left -= text.length
    line += isColoured && colour && text ? styleText(colour, text, { validateStream: false }) : text
  }
  return line
}

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`.slice(0, length)

/** Control characters, and marks that turn the direction of a line or do not show. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** A text that a server or a world has made, without what could steer the terminal. */
export const toPrintable = (text: string) => text.replace(UNPRINTABLE, '\ufffd')

export const toPrintableLines = (text: string) => text.split('\n').map(toPrintable).join('\n')

/** Prints lines for people. */
export function printText(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  if (text !== '') stream.write(`${toPrintableLines(text)}\n`)
}

/** JSON that means the same, with what could steer the terminal escaped. */
export const toSafeJson = (json: string): string =>
  json.replace(UNPRINTABLE, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A text in lines of a width, broken between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of toPrintable(text).split(' ')) {
    const last = lines.at(-1)
    const fits = last !== undefined && last.length + word.length < width
    if (fits) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export function printJson(value: unknown): void {
  process.stdout.write(`${toSafeJson(JSON.stringify(value, null, 2))}\n`)
}
