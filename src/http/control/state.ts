import * as z from 'zod'
import { exportDocument } from '../../store/export-document.ts'
import { importDocument } from '../../store/import-document.ts'
import { readPieces } from '../request-body.ts'
import { operation } from './dialect.ts'
import { presentWorldState, WorldState } from './shapes.ts'

/** Longest state that is imported, in bytes: its rows take about twice as much memory. */
export const STATE_MAX = 1024 * 1024 * 1024

export const state = [
  operation('GET', '/_sandbox/state', {
    id: 'exportState',
    summary: 'Read the whole world as one JSON document',
    answer: () => z.looseObject({ formatVersion: z.int() }),
    async handle({ services }) {
      const pieces = await exportDocument(services.world)
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      const headers = { 'content-type': 'application/json', 'content-length': String(length) }
      return new Response(ReadableStream.from(pieces), { headers })
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
      services.importState(await importDocument(readPieces(c, STATE_MAX)))
      return presentWorldState(services.name, services.world)
    },
  }),
]
