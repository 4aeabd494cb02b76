import * as z from 'zod'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { presentWorldState, WorldState } from './shapes.ts'

/** Longest state that is imported, in bytes. */
const STATE_MAX = 64 * 1024 * 1024

export const state = [
  operation({
    id: 'exportState',
    method: 'GET',
    path: '/_sandbox/state',
    summary: 'Read the whole world as one JSON document',
    auth: requireControl,
    answer: () => z.looseObject({ formatVersion: z.int() }),
    handle: ({ services }) => ({ ...services.exportState() }),
  }),
  operation({
    id: 'importState',
    method: 'PUT',
    path: '/_sandbox/state',
    summary: 'Replace the world by a document that was exported',
    auth: requireControl,
    body: () => z.looseObject({ formatVersion: z.int() }),
    bodyMax: STATE_MAX,
    answer: WorldState,
    handle({ services, input }) {
      services.importState(input.body)
      return presentWorldState(services.name, services.world)
    },
  }),
]
