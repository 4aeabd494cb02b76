import { DomainError } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { exportState } from '../world/state-export.ts'
import type { World } from '../world/world.ts'
import { LISTS } from './replay.ts'
import { createTurns } from './turns.ts'

const PIECE_LENGTH = 64 * 1024
/** Rows that may be left for the moment in which the document is put together. */
const LEFT_MAX = 1_000
const PASSES_MAX = 10

/** Bytes of the documents that are read at the same time, of all worlds; one more may begin below it. */
export const EXPORTS_BYTES_MAX = 256 * 1024 * 1024

/** Gives out the states of worlds as documents, made one after the other. */
export interface Exports {
  /** The reader takes the pieces out of the list; what is left in it counts. */
  take(world: () => World): Promise<Buffer[]>
}

export function createExports(bytesMax = EXPORTS_BYTES_MAX): Exports {
  // What nobody refers to any more needs no call to give it back.
  const unread = new Set<WeakRef<Buffer[]>>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(world) {
      const pieces = last.then(() => make(world()))
      last = pieces.catch(() => undefined)
      return pieces
    },
  }

  async function make(world: World) {
    if (countUnread() >= bytesMax) throw tooManyExports()
    const pieces = await exportDocument(world)
    unread.add(new WeakRef(pieces))
    return pieces
  }

  function countUnread(): number {
    let bytes = 0
    for (const held of unread) {
      const pieces = held.deref() ?? []
      if (pieces.length === 0) unread.delete(held)
      bytes += lengthOf(pieces)
    }
    return bytes
  }
}

/** In bytes. */
export const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0)

const tooManyExports = () =>
  new DomainError('conflict', 'state', 'Too many exports are still being read; try again later.', {
    code: 'too-many-exports',
  })

/**
 * The state of a world as one JSON document, in pieces: the whole may be longer than a string can be.
 * Others have their turn while its rows are written; those that change meanwhile are written again,
 * and the document is of one moment, at which few are left.
 */
async function exportDocument(world: World): Promise<Buffer[]> {
  const turns = createTurns()
  // As bytes, which lie outside of the heap that the rows may fill nearly.
  const texts = new Map<object, Buffer>()
  const unlisten = world.listen({ onTouch: (_, row) => void texts.delete(row) })
  try {
    for (let pass = 0, written = LEFT_MAX + 1; written > LEFT_MAX && pass < PASSES_MAX; pass++) {
      written = 0
      const state = exportState(world)
      for (const list of LISTS) {
        for (const row of state[list]) {
          if (texts.has(row)) continue
          texts.set(row, toBytes(row))
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

const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value))

function* toPieces(texts: readonly (string | Buffer)[]): Generator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for (const text of texts) {
    const part = typeof text === 'string' ? Buffer.from(text) : text
    parts.push(part)
    length += part.length
    if (length < PIECE_LENGTH) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  yield Buffer.concat(parts)
}

function* toTexts(state: State, texts: ReadonlyMap<object, Buffer>): Generator<string | Buffer> {
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
