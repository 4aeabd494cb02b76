import { type Advance, ClockState, Moved } from '../../control-api/clock.ts'
import type { AdvanceTarget } from '../../engine/timekeeper.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../../world/duration.ts'
import type { Services } from '../services.ts'
import { implement } from './dialect.ts'
import { presentEffects, waits } from './events.ts'
import { presentAs } from './present-as.ts'

export const clock = [
  implement('clock.read', ({ services }) => presentClock(services)),
  implement('clock.advance', async ({ services, input: { body } }) => {
    const advancing = services.timekeeper.advance(toTarget(body), waits(body))
    const result = await advancing.catch((error) => throwWithHint(services, error))
    return { ...presentAs(Moved, result), ...presentEffects(result, services) }
  }),
  implement('clock.freeze', async ({ services, input }) => {
    const { at } = input.body
    await services.timekeeper.freeze(at).catch((error) => throwWithHint(services, error, 'at'))
    return presentClock(services)
  }),
  implement('clock.resume', ({ services }) => {
    services.timekeeper.resume()
    return presentClock(services)
  }),
]

function toTarget({ by, to, toNext }: Advance): AdvanceTarget {
  if ([by, to, toNext].filter((way) => way !== undefined).length !== 1) {
    throw new DomainError('invalid', 'Send exactly one of by, to and toNext.', { field: 'body' })
  }
  if (by !== undefined) return { by }
  return to === undefined ? { toNext: true } : { to }
}

/** Adds a hint to errors about a target that is not ahead or too far. */
function throwWithHint({ world }: Services, error: unknown, given?: string): never {
  const isAboutTarget =
    error instanceof DomainError && ['not-forward', 'too-far'].includes(error.code)
  if (!isAboutTarget) throw error
  const { code, problems, message, detail } = error
  const from = formatInstant(world.now + 1)
  const to = formatInstant(INSTANT_MAX)
  const range = `an instant from ${from} to ${to}`
  const hint = given
    ? `Give ${range}.`
    : `Advance by a length of time above 0, such as 1h, or to ${range}.`
  const field = given ?? problems[0]?.field ?? 'by'
  throw new DomainError(code, message, { ...detail, field, hint })
}

const presentClock = ({ world, wallClock }: Services): ClockState =>
  presentAs(ClockState, world, {
    wallNow: wallClock(),
    tasks: world.tasks
      .list(ROWS_MAX)
      .map(({ at, kind, ref }) => ({ at: formatInstant(at), kind, ref })),
    taskCount: world.tasks.size,
  })
