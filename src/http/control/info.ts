import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { InfoAnswer, showInfo } from './show-info.ts'

const Reset = () =>
  z.strictObject({
    // A path would let whoever reaches the port read files.
    fixture: z
      .union([
        z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be the name of a fixture' }),
        z.record(z.string(), z.unknown()),
      ])
      .optional(),
    seed: z.string().min(1).max(200).optional(),
    clock: z.string().optional(),
    keep: z.array(z.enum(['webhooks', 'clock'])).optional(),
  })

const HealthAnswer = () =>
  z.strictObject({
    status: z.literal('ok'),
    version: z.string(),
    world: z.string(),
    now: z.iso.datetime(),
  })
const ResetAnswer = () =>
  z.strictObject({
    world: z.string(),
    seed: z.string(),
    fixture: z.string(),
    now: z.iso.datetime(),
    mode: z.enum(['frozen', 'running']),
  })

export const info = [
  operation({
    id: 'getHealth',
    method: 'GET',
    path: '/_sandbox/health',
    summary: 'Whether the sandbox answers',
    auth: requireControl,
    answer: HealthAnswer,
    handle: ({ c, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      world: services.name,
      now: formatInstant(world.now),
    }),
  }),
  operation({
    id: 'getInfo',
    method: 'GET',
    path: '/_sandbox/info',
    summary: 'What this world is and how to reach it',
    auth: requireControl,
    answer: InfoAnswer,
    handle: ({ c, services }) => showInfo(c, services),
  }),
  operation({
    id: 'reset',
    method: 'POST',
    path: '/_sandbox/reset',
    summary: 'Go back to the state after the start, or to another fixture, seed or clock',
    auth: requireControl,
    body: Reset,
    answer: ResetAnswer,
    handle({ services, input }) {
      services.reset(input.body)
      const { seed, fixture, now, mode } = services.world
      return { world: services.name, seed, fixture, now: formatInstant(now), mode }
    },
  }),
]
