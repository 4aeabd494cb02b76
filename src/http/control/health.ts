import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { identifyControl } from './auth.ts'
import { operation } from './dialect.ts'
import { WorldTime } from './shapes.ts'

const Health = () =>
  z.strictObject({
    status: z.literal('ok'),
    version: z.string(),
    world: z.string().optional(),
    now: WorldTime().optional(),
    storage: z
      .strictObject({ status: z.enum(['ok', 'failing']), reason: z.string().nullable() })
      .nullable()
      .optional()
      .describe('How the data file is; null where worlds live in memory only.'),
  })

export const health = [
  operation('GET', '/_sandbox/health', {
    id: 'getHealth',
    summary: 'Whether the sandbox answers, and whether its data file can be written',
    auth: identifyControl,
    answer: Health,
    handle: ({ c, who, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      ...(who && {
        world: services.name,
        now: formatInstant(world.now),
      }),
      ...(who?.isMain && { storage: c.env.control.storage() }),
    }),
  }),
]
