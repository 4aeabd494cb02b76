import { styleText } from 'node:util'

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export type Piece = string | readonly [Colour, string]

export interface Terminal {
  isColoured: boolean
}

export const describeTerminal = (stream: NodeJS.WriteStream): Terminal => ({
  isColoured: isColoured(stream),
})

/** Decides as most programs do: FORCE_COLOR, then NO_COLOR, then whether it is a terminal. */
function isColoured({ isTTY }: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

const GAP = '  '

/** Puts pieces side by side. No text in them can control the terminal. */
export function formatPieces(pieces: readonly Piece[], terminal: Terminal): string {
  const shown = pieces.map((piece) => {
    const [colour, content] = typeof piece === 'string' ? [undefined, piece] : piece
    return paint(toPrintable(content), colour, terminal)
  })
  return shown.join(GAP).trimEnd()
}

const paint = (text: string, colour: Colour | undefined, { isColoured }: Terminal) =>
  isColoured && colour && text.trim() ? styleText(colour, text, { validateStream: false }) : text

/** Control characters, and marks that turn the direction of a line or do not show. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Replaces characters that could control the terminal, in text from a server or a world. */
const toPrintable = (text: string) => text.replace(UNPRINTABLE, '\ufffd')

export const toPrintableLines = (text: string) => text.split('\n').map(toPrintable).join('\n')

/** Prints lines for people. */
export function printText(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  if (text !== '') stream.write(`${toPrintableLines(text)}\n`)
}

/** Escapes characters in JSON that could control the terminal. */
export const toSafeJson = (json: string): string =>
  json.replace(UNPRINTABLE, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Length of a line if the width is unknown. */
const LINE_MAX = 1e9

/** Wraps text between words, and inside words that are longer than a line. */
export function wrap(text: string, width: number): string[] {
  const max = Math.min(width, LINE_MAX)
  const lines = toPrintable(text).matchAll(new RegExp(`(.{1,${max}})(?: |$)|.{${max}}`, 'g'))
  return Array.from(lines, ([cut, line = cut]) => line)
}

/** Overwrites the line that says how far a command is. Returns false where there is no terminal. */
export function showProgress(text: string): boolean {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`)
  return process.stderr.isTTY
}

export function printJson(value: unknown): void {
  process.stdout.write(`${toSafeJson(JSON.stringify(value, null, 2))}\n`)
}
