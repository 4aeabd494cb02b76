import * as z from 'zod'
import { lever } from './dialect.ts'
import { Proposed, presentWorldState, WorldState } from './shapes.ts'

/** What says how a world starts. */
export const startFields = () => ({
  // A path would let anyone who reaches the port read files.
  fixture: z
    .union([
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be the name of a fixture' }),
      z.record(z.string(), z.unknown()),
    ])
    .optional(),
  seed: z.string().min(1).max(200).optional(),
  clock: Proposed(z.string(), ['running', 'frozen']).optional(),
})

const Reset = () =>
  z.strictObject({
    ...startFields(),
    keep: z
      .array(z.enum(['webhooks', 'clock']))
      .max(2)
      .optional(),
  })

export const reset = [
  lever('reset', {
    id: 'reset',
    summary: 'Go back to the state after the start, or to another fixture, seed or clock',
    about:
      'Replaces the world by the state after the start, with another fixture, seed or clock if you send one. What happened before is gone, faults and journals included; snapshots stay. Streams get a `reset`, and cursors begin again.',
    success: 'The world after the reset.',
    words: 'reset',
    example: 'reset --fixture cast',
    tool: true,
    body: Reset,
    answer: WorldState,
    handle({ services, input }) {
      services.reset(input.body)
      return presentWorldState(services.name, services.world)
    },
  }),
]
