import type { Cell } from './row.ts'

/** The cells of a row in one line. */
export const joinCells = (cells: readonly Cell[]): string => cells.filter(Boolean).join('  ')

export const lines = (all: readonly string[]): string =>
  all.filter((line) => line !== '').join('\n')
