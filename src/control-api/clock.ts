import * as z from 'zod'
import { formatDuration, formatInstant } from '../world/duration.ts'
import { Deliver, Happened } from './events.ts'
import type { Use } from './row.ts'
import { named, record } from './schema.ts'
import { Duration, Instant, Mode, WallTime, WorldTime } from './shapes.ts'

export const DueTask = () =>
  named('DueTask', {
    at: WorldTime(),
    kind: z.string().describe('What the task does.'),
    ref: z.string(),
  }).describe('Work that is scheduled for a future instant, or that was done at a past one.')
export type DueTask = z.output<ReturnType<typeof DueTask>>

export const Advance = () => ({
  by: Duration()
    .optional()
    .describe('How far to move: a length of time above 0, or a number of ms.'),
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

export const Moved = () =>
  record({
    from: WorldTime(),
    to: WorldTime('The instant that time moves to.'),
    fired: z.array(DueTask()).describe('Tasks that ran on the way; at most 1,000.'),
    firedCount: z.int().describe('How many tasks ran.'),
  })

export const Advanced = () => record({ ...Moved().shape, ...Happened().shape })
export type Advanced = z.output<ReturnType<typeof Advanced>>

/** World time, with what is due below it. */
const SHOWN = {
  columns: ({ now, mode }: ClockState) => [now, mode],
  below: ['tasks'],
}

const BUSY = { conflict: 'The clock is being advanced.' }

export type Advance = z.output<z.ZodObject<ReturnType<typeof Advance>>>

export const clock = {
  'clock.read': {
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Show world time and what is scheduled',
    about: 'Scheduled tasks are expiries, automatic settlements and delayed identity checks.',
    words: ['clock'],
    ...SHOWN,
    tool: true,
    response: ClockState,
  },
  'clock.advance': {
    id: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    summary: 'Move world time forward and run what is scheduled on the way',
    about: 'Send exactly one of `by`, `to` and `toNext`. Responds once the webhooks are delivered.',
    success: 'What ran, with the events and deliveries that followed.',
    done: ({ at, until }: Use) =>
      until > at ? `Advanced ${formatDuration(until - at)}` : 'Advanced',
    words: ['clock', 'advance', { field: 'by', label: 'LENGTH', instantAs: 'to' }],
    columns: ({ from, to }: Advanced) => [`${from} → ${to}`],
    below: ['fired'],
    also: [
      {
        words: ['clock', 'next'],
        sends: { toNext: true },
        summary: 'Move to the next scheduled instant',
      },
    ],
    hides: ['by', 'to', 'toNext'],
    example: 'clock advance 1h',
    tool: true,
    body: Advance,
    response: Advanced,
    errors: { conflict: 'The clock is already being advanced, or nothing is due.' },
  },
  'clock.freeze': {
    id: 'freezeClock',
    method: 'POST',
    path: '/clock/freeze',
    args: ['at'],
    summary: 'Stop world time, now or after advancing to an instant',
    about:
      'Time then moves only when a call moves it. With `at` it first advances to that instant and runs what is scheduled on the way.',
    done: ({ until }: Use) => `Frozen at ${formatInstant(until)}`,
    words: ['clock', 'freeze', { field: 'at', label: 'INSTANT', isOptional: true }],
    example: 'clock freeze',
    ...SHOWN,
    tool: true,
    body: () => ({
      at: Instant()
        .optional()
        .describe('Instant to move to first, not before now. World time, ISO 8601.'),
    }),
    response: ClockState,
    errors: BUSY,
  },
  'clock.resume': {
    id: 'resumeClock',
    method: 'POST',
    path: '/clock/resume',
    summary: 'Let world time run from where it is',
    about: 'Scheduled tasks then run by themselves.',
    done: 'Resumed',
    words: ['clock', 'resume'],
    ...SHOWN,
    tool: true,
    response: ClockState,
    errors: BUSY,
  },
} as const
