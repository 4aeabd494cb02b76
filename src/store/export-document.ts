import { realTime } from '../real-time.ts'
import type { State } from '../world/state.ts'
import { exportState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'

/** How long pieces are made before other calls get their turn. */
const SLICE_MS = 5
const PIECE_LENGTH = 64 * 1024

/**
 * The state of a world as one JSON document, in pieces: the whole may be longer than a string can be.
 * Others have their turn meanwhile; where one of them changes the world, it is made again in one go.
 */
export async function exportDocument(world: World): Promise<Buffer[]> {
  const { revision } = world
  const pieces: Buffer[] = []
  let sliceEnd = realTime.elapsed() + SLICE_MS
  for (const piece of toPieces(exportState(world))) {
    pieces.push(piece)
    if (realTime.elapsed() < sliceEnd) continue
    await realTime.nextTurn()
    if (world.revision !== revision) return [...toPieces(exportState(world))]
    sliceEnd = realTime.elapsed() + SLICE_MS
  }
  return pieces
}

function* toPieces(state: State): Generator<Buffer> {
  let text = ''
  for (const part of toTexts(state)) {
    text += part
    if (text.length < PIECE_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function* toTexts(state: State): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(state)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!Array.isArray(value)) yield JSON.stringify(value)
    else {
      yield '['
      for (const [i, row] of value.entries()) yield `${i > 0 ? ',' : ''}${JSON.stringify(row)}`
      yield ']'
    }
  }
  yield '}'
}
