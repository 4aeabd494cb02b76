import { type Colour, formatPieces, type Piece, type Terminal } from '../terminal.ts'

/** As wide as the time. */
const INDENT = ' '.repeat(10)

/** A line in pieces, and below it why something failed. */
export interface Described {
  pieces: readonly Piece[]
  problem?: string | undefined
  /** Not cut where the terminal ends. */
  isWhole?: true
}

/** With the wall time before it, because a frozen clock would give every line the same. */
export function formatLine(described: Described, at: number, terminal: Terminal): string {
  const { pieces, problem, isWhole } = described
  const uncut = { ...terminal, columns: () => undefined }
  const time = new Date(at).toTimeString().slice(0, 8)
  const line = formatPieces([['dim', `${time}  `], ...pieces], isWhole ? uncut : terminal)
  return problem ? `${line}\n${INDENT}${formatPieces([['yellow', problem]], uncut)}` : line
}

export const colourOf = (status: number): Colour =>
  status >= 500 || status === 0 ? 'red' : status >= 400 ? 'yellow' : 'green'

export const formatElapsed = (ms: number | null) =>
  ms === null ? '' : `  ${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
