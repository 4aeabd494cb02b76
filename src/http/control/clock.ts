import * as z from 'zod'
import type { Target } from '../../engine/timekeeper.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import { Refusal } from '../../world/domain-error.ts'
import { formatInstant, INSTANT_MAX } from '../../world/duration.ts'
import { fields } from '../problems.ts'
import type { Doors } from '../services.ts'
import { byControl } from './auth.ts'
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
    guard: byControl,
    answer: ClockAnswer,
    handle: ({ doors }) => showClock(doors),
  }),
  operation({
    id: 'advanceClock',
    method: 'POST',
    path: '/_sandbox/clock/advance',
    summary: 'Move world time forward, doing what falls due',
    guard: byControl,
    body: Advance,
    answer: AdvancedAnswer,
    refuses: { conflict: 'The clock is being advanced already, or nothing is due.' },
    async handle({ doors, input }) {
      const { timekeeper } = doors
      const advancing = timekeeper.advance(toTarget(input.body), waits(input.body))
      return showAdvanced(await advancing.catch((error) => tellWays(doors, error)))
    },
  }),
  operation({
    id: 'freezeClock',
    method: 'POST',
    path: '/_sandbox/clock/freeze',
    summary: 'Stop world time, now or at an instant ahead',
    guard: byControl,
    body: () => fields({ at: Instant().optional() }),
    answer: ClockAnswer,
    refuses: { conflict: 'The clock is being advanced.' },
    async handle({ doors, input }) {
      await doors.timekeeper.freeze(input.body.at)
      return showClock(doors)
    },
  }),
  operation({
    id: 'resumeClock',
    method: 'POST',
    path: '/_sandbox/clock/resume',
    summary: 'Let world time follow the wall clock',
    guard: byControl,
    answer: ClockAnswer,
    refuses: { conflict: 'The clock is being advanced.' },
    handle({ doors }) {
      doors.timekeeper.resume()
      return showClock(doors)
    },
  }),
]

function toTarget({ by, to, toNext }: z.output<ReturnType<typeof Advance>>): Target {
  const given = [by, to, toNext].filter((way) => way !== undefined)
  if (given.length === 1) {
    if (by !== undefined) return { by }
    if (to !== undefined) return { to }
    return { toNext: true }
  }
  throw new Refusal('invalid', 'body', 'Send one of by, to and toNext.')
}

/** Says what would move the clock, where it was asked to stand still, to go back or too far. */
function tellWays({ world }: Doors, error: unknown): never {
  const isMisled =
    error instanceof Refusal && ['not-forward', 'too-far'].includes(error.detail.code ?? '')
  if (!isMisled) throw error
  const { kind, problems, message, detail } = error
  const [from, to] = [world.now + 1, INSTANT_MAX].map(formatInstant)
  const hint = `by takes a length of time above 0, such as 1h; to an instant from ${from} to ${to}; toNext goes to what falls due next.`
  throw new Refusal(kind, problems[0]?.field ?? 'by', message, { ...detail, hint })
}

function showClock({ world, wallClock }: Doors) {
  const { now, mode, schedule } = world
  return {
    now: formatInstant(now),
    mode,
    wallNow: formatInstant(wallClock()),
    tasks: schedule
      .list(ROWS_MAX)
      .map(({ at, kind, ref }) => ({ at: formatInstant(at), kind, ref })),
    taskCount: schedule.size,
  }
}
