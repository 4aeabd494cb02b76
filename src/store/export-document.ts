import type { State } from '../world/state.ts'
import { exportState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { LISTS } from './replay.ts'
import { createTurns } from './turns.ts'

const PIECE_LENGTH = 64 * 1024
/** Rows that may be left for the moment in which the document is put together. */
const LEFT_MAX = 1_000
const PASSES_MAX = 10

/**
 * The state of a world as one JSON document, in pieces: the whole may be longer than a string can be.
 * Others have their turn while its rows are written; those that change meanwhile are written again,
 * and the document is of one moment, at which few are left.
 */
export async function exportDocument(world: World): Promise<Buffer[]> {
  const turns = createTurns()
  const texts = new Map<object, string>()
  const unlisten = world.listen({ onTouch: (_, row) => void texts.delete(row) })
  try {
    for (let pass = 0, written = LEFT_MAX + 1; written > LEFT_MAX && pass < PASSES_MAX; pass++) {
      written = 0
      const state = exportState(world)
      for (const list of LISTS) {
        for (const row of state[list]) {
          if (texts.has(row)) continue
          texts.set(row, JSON.stringify(row))
          written++
          if (turns.isDue()) await turns.take()
        }
      }
    }
  } finally {
    unlisten()
  }
  const pieces: Buffer[] = []
  for (const piece of toPieces([...toTexts(exportState(world), texts)])) {
    pieces.push(piece)
    if (turns.isDue()) await turns.take()
  }
  return pieces
}

function* toPieces(texts: readonly string[]): Generator<Buffer> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < PIECE_LENGTH) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}

function* toTexts(state: State, texts: ReadonlyMap<object, string>): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(state)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!Array.isArray(value)) yield JSON.stringify(value)
    else {
      yield '['
      for (const [i, row] of value.entries()) {
        if (i > 0) yield ','
        yield texts.get(row) ?? JSON.stringify(row)
      }
      yield ']'
    }
  }
  yield '}'
}
