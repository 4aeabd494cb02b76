import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { identifyControl } from './auth.ts'
import { lever } from './dialect.ts'
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
  lever('health', {
    id: 'getHealth',
    summary: 'Check whether the sandbox responds and can write its data file',
    about:
      'Answers as soon as the sandbox can be used. It changes nothing, so poll it while starting; a world that was not used before is made by this call. Without the control token, where there is one, it says no more than `status` and `version`: that is enough for the probe of a container.',
    success: 'The sandbox answers.',
    words: 'health',
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
