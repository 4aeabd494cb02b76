import * as z from 'zod'
import type { AdvanceTarget } from '../../engine/timekeeper.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../../world/duration.ts'
import { fields } from '../problems.ts'
import type { Services } from '../services.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import {
  AdvancedAnswer,
  Deliver,
  DueTask,
  Duration,
  Instant,
  showAdvanced,
  waits,
} from './shapes.ts'

const Advance = () =>
  fields({
    by: Duration().optional(),
    to: Instant().optional(),
    toNext: z.literal(true).optional(),
    deliver: Deliver(),
  })

const ClockAnswer = () =>
  z
    .strictObject({
      now: z.iso.datetime(),
      mode: z.enum(['frozen', 'running']),
      wallNow: z.iso.datetime(),
      tasks: z.array(DueTask()),
      taskCount: z.int(),
    })
    .meta({ title: 'Clock' })

export const clock = [
  operation({
    id: 'getClock',
    method: 'GET',
    path: '/_sandbox/clock',
    summary: 'Read world time and what falls due when',
    auth: requireControl,
    answer: ClockAnswer,
    handle: ({ services }) => showClock(services),
  }),
  operation({
    id: 'advanceClock',
    method: 'POST',
    path: '/_sandbox/clock/advance',
    summary: 'Move world time forward, doing what falls due',
    auth: requireControl,
    body: Advance,
    answer: AdvancedAnswer,
    errors: { conflict: 'The clock is being advanced already, or nothing is due.' },
    async handle({ services, input }) {
      const { timekeeper } = services
      const advancing = timekeeper.advance(toTarget(input.body), waits(input.body))
      return showAdvanced(await advancing.catch((error) => tellWays(services, error)))
    },
  }),
  operation({
    id: 'freezeClock',
    method: 'POST',
    path: '/_sandbox/clock/freeze',
    summary: 'Stop world time, now or at an instant ahead',
    auth: requireControl,
    body: () => fields({ at: Instant().optional() }),
    answer: ClockAnswer,
    errors: { conflict: 'The clock is being advanced.' },
    async handle({ services, input }) {
      await services.timekeeper.freeze(input.body.at)
      return showClock(services)
    },
  }),
  operation({
    id: 'resumeClock',
    method: 'POST',
    path: '/_sandbox/clock/resume',
    summary: 'Let world time follow the wall clock',
    auth: requireControl,
    answer: ClockAnswer,
    errors: { conflict: 'The clock is being advanced.' },
    handle({ services }) {
      services.timekeeper.resume()
      return showClock(services)
    },
  }),
]

function toTarget({ by, to, toNext }: z.output<ReturnType<typeof Advance>>): AdvanceTarget {
  const given = [by, to, toNext].filter((way) => way !== undefined)
  if (given.length === 1) {
    if (by !== undefined) return { by }
    if (to !== undefined) return { to }
    return { toNext: true }
  }
  throw new DomainError('invalid', 'body', 'Send one of by, to and toNext.')
}

/** Says what would move the clock, where it was asked to stand still, to go back or too far. */
function tellWays({ world }: Services, error: unknown): never {
  const isMisled =
    error instanceof DomainError && ['not-forward', 'too-far'].includes(error.detail.code ?? '')
  if (!isMisled) throw error
  const { kind, problems, message, detail } = error
  const [from, to] = [world.now + 1, INSTANT_MAX].map(formatInstant)
  const hint = `by takes a length of time above 0, such as 1h; to an instant from ${from} to ${to}; toNext goes to what falls due next.`
  throw new DomainError(kind, problems[0]?.field ?? 'by', message, { ...detail, hint })
}

function showClock({ world, wallClock }: Services) {
  const { now, mode, tasks } = world
  return {
    now: formatInstant(now),
    mode,
    wallNow: formatInstant(wallClock()),
    tasks: tasks.list(ROWS_MAX).map(({ at, kind, ref }) => ({ at: formatInstant(at), kind, ref })),
    taskCount: tasks.size,
  }
}
