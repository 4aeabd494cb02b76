import { stripVTControlCharacters, styleText } from 'node:util'

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

/** Decides as most programs do: FORCE_COLOR, then NO_COLOR, then whether it is a terminal. */
function isColoured({ isTTY }: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

/** Narrowest that texts are wrapped to, whatever stands before them. */
const WRAPPED_MIN = 40
const GAP = '  '

/** Pieces beside each other, as far as the line goes; the others below. Nothing in it can steer the terminal. */
export function formatPieces(pieces: readonly Piece[], terminal: Terminal, indent: number): string {
  const columns = terminal.columns() ?? Number.POSITIVE_INFINITY
  let text = ''
  for (const piece of pieces) {
    const [colour, shown] = toPrintablePiece(piece)
    const line = stripVTControlCharacters(text.slice(text.lastIndexOf('\n') + 1))
    const gap = line === '' ? '' : GAP
    if (line.length + gap.length + shown.length <= columns) {
      text += gap + paint(shown, colour, terminal)
    } else if (shown.trim() !== '') text = text.trimEnd() + formatBelow(piece, terminal, indent)
  }
  return text.trimEnd()
}

/** A piece in indented lines of its own, broken between words. */
export function formatBelow(piece: Piece, terminal: Terminal, indent: number): string {
  const [colour, shown] = toPrintablePiece(piece)
  const columns = terminal.columns() ?? Number.POSITIVE_INFINITY
  const left = Math.min(indent, Math.max(0, columns - WRAPPED_MIN))
  const lines = wrap(shown.trim(), columns - left)
  return lines.map((line) => `\n${' '.repeat(left)}${paint(line, colour, terminal)}`).join('')
}

const toPrintablePiece = (piece: Piece): [Colour | undefined, string] =>
  typeof piece === 'string' ? [undefined, toPrintable(piece)] : [piece[0], toPrintable(piece[1])]

const paint = (text: string, colour: Colour | undefined, { isColoured }: Terminal) =>
  isColoured && colour && text.trim() ? styleText(colour, text, { validateStream: false }) : text

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

/** A text in lines of a width, broken between words, and inside a word that is longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  const words = toPrintable(text).split(' ')
  for (const word of words.flatMap((each) => cut(each, width))) {
    const last = lines.at(-1)
    const fits = last !== undefined && last.length + word.length < width
    if (fits) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function cut(word: string, width: number): string[] {
  if (word.length <= width) return [word]
  return [word.slice(0, width), ...cut(word.slice(width), width)]
}

export function printJson(value: unknown): void {
  process.stdout.write(`${toSafeJson(JSON.stringify(value, null, 2))}\n`)
}
