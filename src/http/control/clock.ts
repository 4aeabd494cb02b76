import * as z from 'zod'
import type { AdvanceTarget } from '../../engine/timekeeper.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../../world/duration.ts'
import { named } from '../named.ts'
import type { Services } from '../services.ts'
import { lever } from './dialect.ts'
import { Deliver, Happened, presentEffects, waits } from './events.ts'
import { Duration, Instant, Mode, presentAs, WallTime, WorldTime } from './shapes.ts'

export const DueTask = () =>
  named('DueTask', {
    at: WorldTime(),
    kind: z.string().describe('What is done.'),
    ref: z.string().describe('Id of the transaction or user it is about.'),
  }).describe('Work that is scheduled at a future instant, or was done at a past one.')
export type DueTask = z.output<ReturnType<typeof DueTask>>

const Advance = () => ({
  by: Duration().optional(),
  to: Instant().optional().describe('The instant that time moves to.'),
  toNext: z.literal(true).optional().describe('Move to the next scheduled instant.'),
  deliver: Deliver(),
})

export const ClockState = () =>
  named('Clock', {
    now: WorldTime(),
    mode: Mode(),
    wallNow: WallTime(),
    tasks: z.array(DueTask()).describe('What is scheduled, soonest first; at most 1,000.'),
    taskCount: z.int(),
  })
export type ClockState = z.output<ReturnType<typeof ClockState>>

const Moved = () =>
  z.strictObject({
    from: WorldTime(),
    to: WorldTime('The instant that time moves to.'),
    fired: z.array(DueTask()).describe('What was scheduled on the way; at most 1,000.'),
    firedCount: z.int().describe('How many tasks ran.'),
  })
export const Advanced = () => z.strictObject({ ...Moved().shape, ...Happened().shape })
export type Advanced = z.output<ReturnType<typeof Advanced>>

const BUSY = { conflict: 'The clock is being advanced.' }

export const clock = [
  lever('clock.read', 'getClock', {
    summary: 'Show world time and what is scheduled',
    about: 'Scheduled are expiry, automatic settlement and delayed identity checks.',
    words: ['clock', 'clock show'],
    tool: true,
    response: ClockState,
    handle: ({ services }) => presentClock(services),
  }),
  lever('clock.advance', 'advanceClock', {
    summary: 'Move world time forward and run what is scheduled on the way',
    about:
      'It moves by a length, to an instant or to the next scheduled instant: send exactly one of `by`, `to` and `toNext`. It responds once the webhooks are delivered.',
    success: 'What ran, with the events and deliveries that followed.',
    words: ['clock advance LENGTH=by'],
    also: [
      {
        words: 'clock next',
        sends: { toNext: true },
        summary: 'Move to the next scheduled instant',
      },
    ],
    hides: ['by', 'to', 'toNext'],
    example: 'clock advance 1h',
    tool: true,
    body: Advance,
    response: Advanced,
    errors: { conflict: 'The clock is being advanced already, or nothing is due.' },
    async handle({ services, input: { body } }) {
      const advancing = services.timekeeper.advance(toTarget(body), waits(body))
      const result = await advancing.catch((error) => throwWithHint(services, error))
      return { ...presentAs(Moved, result), ...presentEffects(result, services) }
    },
  }),
  lever('clock.freeze', 'freezeClock', {
    summary: 'Stop world time, now or at an instant ahead',
    about:
      'It then moves only by a call. With `at` it first advances to that instant and runs what is scheduled on the way.',
    words: ['clock freeze [INSTANT=at]'],
    example: 'clock freeze',
    tool: true,
    body: () => ({ at: Instant().optional() }),
    response: ClockState,
    errors: BUSY,
    async handle({ services, input }) {
      await services.timekeeper.freeze(input.body.at)
      return presentClock(services)
    },
  }),
  lever('clock.resume', 'resumeClock', {
    summary: 'Let world time follow the wall clock, from where it stands',
    about: 'What is scheduled then runs by itself.',
    words: ['clock resume'],
    tool: true,
    response: ClockState,
    errors: BUSY,
    handle({ services }) {
      services.timekeeper.resume()
      return presentClock(services)
    },
  }),
]

type Advance = z.output<z.ZodObject<ReturnType<typeof Advance>>>

function toTarget({ by, to, toNext }: Advance): AdvanceTarget {
  if ([by, to, toNext].filter((way) => way !== undefined).length !== 1) {
    throw new DomainError('invalid', 'Send one of by, to and toNext.', { field: 'body' })
  }
  if (by !== undefined) return { by }
  return to === undefined ? { toNext: true } : { to }
}

/** Adds what would move the clock to an error about standing still, going back or too far. */
function throwWithHint({ world }: Services, error: unknown): never {
  const isAboutTarget =
    error instanceof DomainError && ['not-forward', 'too-far'].includes(error.code)
  if (!isAboutTarget) throw error
  const { code, problems, message, detail } = error
  const [from, to] = [world.now + 1, INSTANT_MAX].map(formatInstant)
  const hint = `by takes a length of time above 0, such as 1h; to an instant from ${from} to ${to}; toNext goes to what is scheduled next.`
  throw new DomainError(code, message, { field: problems[0]?.field ?? 'by', ...detail, hint })
}

const presentClock = ({ world, wallClock }: Services): ClockState =>
  presentAs(ClockState, world, {
    wallNow: wallClock(),
    tasks: world.tasks.list(ROWS_MAX),
    taskCount: world.tasks.size,
  })
