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

/** What callers send may hold control characters, and such as turn the direction of a line. */
export const toPrintable = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to take out
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')
