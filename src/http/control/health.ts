import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { WorldTime } from './shapes.ts'

const Health = () =>
  z.strictObject({
    status: z.literal('ok'),
    version: z.string(),
    world: z.string(),
    now: WorldTime(),
  })

export const health = [
  operation({
    id: 'getHealth',
    method: 'GET',
    path: '/_sandbox/health',
    summary: 'Whether the sandbox answers',
    auth: requireControl,
    answer: Health,
    handle: ({ c, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      world: services.name,
      now: formatInstant(world.now),
    }),
  }),
]
