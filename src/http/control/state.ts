import * as z from 'zod'
import { lengthOf } from '../../store/export-document.ts'
import { importDocument } from '../../store/import-document.ts'
import { readPieces } from '../request-body.ts'
import type { Claim } from '../services.ts'
import { operation } from './dialect.ts'
import { presentWorldState, WorldState } from './shapes.ts'

/** Longest state that is imported, in bytes. */
export const STATE_MAX = 1024 * 1024 * 1024

export const state = [
  operation('GET', '/_sandbox/state', {
    id: 'exportState',
    summary: 'Read the whole world as one JSON document',
    answer: () => z.looseObject({ formatVersion: z.int() }),
    async handle({ c, services }) {
      const pieces = await c.env.control.exports.take(() => services.world)
      const length = String(lengthOf(pieces))
      const headers = { 'content-type': 'application/json', 'content-length': length }
      return new Response(toStream(pieces), { headers })
    },
  }),
  operation('PUT', '/_sandbox/state', {
    id: 'importState',
    summary: 'Replace the world by a document that was exported',
    body: () => z.looseObject({ formatVersion: z.int() }),
    bodyMax: STATE_MAX,
    answer: WorldState,
    readsBody: true,
    async handle({ c, services }) {
      const claim = c.env.control.claimMemory()
      try {
        services.importState(await importDocument(claimed(readPieces(c, STATE_MAX), claim)))
      } finally {
        claim.release()
      }
      return presentWorldState(services.name, services.world)
    },
  }),
]

function toStream(pieces: Buffer[]): ReadableStream<Uint8Array> {
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const piece = pieces.shift()
    if (piece) controller.enqueue(piece)
    else controller.close()
  }
  const cancel = () => void pieces.splice(0)
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

/** How much more memory the rows of a document take than its text. */
const ROWS_FACTOR = 2

/** Pieces for whose rows there is room, beside all others that are being read. */
async function* claimed(pieces: AsyncIterable<Uint8Array>, claim: Claim) {
  for await (const piece of pieces) {
    claim.add(ROWS_FACTOR * piece.length)
    yield piece
  }
}
