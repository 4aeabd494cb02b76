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

/** Decides as most programs do: FORCE_COLOR, then NO_COLOR, then whether it is a terminal. */
function isColoured({ isTTY }: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && !NO_COLOR && TERM !== 'dumb'
}

/** Minimum width of wrapped text. */
const WRAPPED_MIN = 40
/** Length of a line if the width is unknown. */
const LINE_MAX = 1e9
const GAP = '  '

interface Layout {
  /** Column where lines after the first begin. */
  indent: number
  /** Text that begins on a new line. */
  problem?: string | undefined
}

/**
 * Puts pieces side by side, and those that do not fit below. No text in them can control the
 * terminal.
 */
export function formatPieces(pieces: readonly Piece[], terminal: Terminal, layout: Layout): string {
  const { indent, problem = '' } = layout
  const columns = terminal.columns() ?? LINE_MAX
  const left = Math.min(indent, Math.max(0, columns - WRAPPED_MIN))
  let text = ''
  let length = 0
  for (const piece of pieces) {
    const [colour, content] = typeof piece === 'string' ? [undefined, piece] : piece
    const shown = toPrintable(content)
    const gap = length === 0 ? '' : GAP
    if (length + gap.length + shown.length > columns) addBelow(content, colour)
    else {
      text += gap + paint(shown, colour, terminal)
      length += gap.length + shown.length
    }
  }
  addBelow(problem, 'yellow')
  return text.trimEnd()

  function addBelow(content: string, colour?: Colour) {
    for (const line of wrap(content.trim(), columns - left)) {
      text = `${text.trimEnd()}\n${' '.repeat(left)}${paint(line, colour, terminal)}`
      length = left + line.length
    }
  }
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
