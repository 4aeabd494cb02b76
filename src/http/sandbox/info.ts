import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { operation } from './dialect.ts'
import { byControl } from './guard.ts'

const Reset = () =>
  z.strictObject({
    fixture: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    seed: z.string().min(1).max(200).optional(),
    clock: z.string().optional(),
    keep: z.array(z.enum(['webhooks', 'clock'])).optional(),
  })

export const info = [
  operation({
    id: 'getHealth',
    method: 'GET',
    path: '/_sandbox/health',
    summary: 'Whether the sandbox answers',
    guard: byControl,
    handle: ({ c, doors, world }) => ({
      status: 'ok',
      version: c.env.control.version,
      world: doors.name,
      now: formatInstant(world.now),
    }),
  }),
  operation({
    id: 'getInfo',
    method: 'GET',
    path: '/_sandbox/info',
    summary: 'What this world is and how to reach it',
    guard: byControl,
    handle({ c, doors, world }) {
      const { seed, fixture, now, mode } = world
      return {
        version: c.env.control.version,
        world: doors.name,
        baseUrl: `${new URL(c.req.url).origin}${c.env.prefix}`,
        seed,
        fixture,
        now: formatInstant(now),
        mode,
        integrators: world.integrators.map(({ name, apiKey }) => ({ name, apiKey })),
      }
    },
  }),
  operation({
    id: 'reset',
    method: 'POST',
    path: '/_sandbox/reset',
    summary: 'Go back to the state after the start, or to another fixture, seed or clock',
    guard: byControl,
    body: Reset,
    handle({ doors, input }) {
      doors.reset(input.body)
      const { seed, fixture, now, mode } = doors.world
      return { world: doors.name, seed, fixture, now: formatInstant(now), mode }
    },
  }),
]
