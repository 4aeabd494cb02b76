import * as z from 'zod'
import { ACTION_KINDS, type Action } from '../../engine/timeline.ts'
import { formatInstant } from '../../world/duration.ts'
import { titled } from '../titled.ts'
import { Caused, presentCaused } from './causes.ts'
import { lever } from './dialect.ts'
import { Count, Cursor, Filter, getFromJournal, searchPage, whenEqual } from './page.ts'
import { seenBy, WorldTime } from './shapes.ts'

const ListActions = () =>
  z.strictObject({
    kind: z.enum(ACTION_KINDS).optional(),
    subject: Filter(),
    after: Cursor(),
    limit: Count(),
  })

export const ActionRecord = () =>
  titled('Action', {
    id: z.string(),
    kind: z.enum(ACTION_KINDS),
    operation: z.string().describe('The control operation; of a task, what it did.'),
    subject: z
      .string()
      .nullable()
      .describe('The transaction or user that it is about, as it was named.'),
    input: z
      .string()
      .nullable()
      .describe('The body of the call as JSON, of which the first 1,000 characters are kept.'),
    at: WorldTime(),
    until: WorldTime().describe('World time when it ended; of an advance, where it led.'),
    status: z.int().describe('HTTP status of its answer; 0 while it is under way.'),
    problem: z.string().nullable().describe('Why it was refused.'),
    callsBefore: z.int().describe('How many contract calls the world had seen before it.'),
    caused: Caused(),
  }).describe(
    'What changed the world other than a contract call: a simulation, a move of the clock, a changed setting, rate or fault, a scheduled task.',
  )
export type ActionRecord = z.output<ReturnType<typeof ActionRecord>>

export const actions = [
  lever('actions.list', {
    id: 'listActions',
    summary: 'List simulations, moves of the clock, changes and scheduled tasks after a cursor',
    about:
      'Lists what changed the world other than a contract call, the oldest first: simulations, moves of the clock, changed settings, rates and faults, and tasks that ran when they were due.',
    success: 'The actions.',
    query: ListActions,
    answer: () => z.strictObject({ actions: z.array(ActionRecord()), cursor: z.string() }),
    handle({ services, input }) {
      const { kind, subject } = input.query
      const conditions = whenEqual<Action>({ kind, subject })
      const page = { conditions, present: presentAction }
      const { rows, cursor } = searchPage(services.timeline.actions, input.query, page)
      return { actions: rows, cursor }
    },
  }),
  lever('actions.get', {
    id: 'getAction',
    summary: 'Read one action and what it caused',
    about:
      'Reads one action and what it caused; events and messages name theirs in `cause`. The last 1,000 actions are kept.',
    success: 'The action.',
    answer: ActionRecord,
    errors: { 'not-found': 'There is no such action, or it is kept no longer.' },
    handle({ c, services, param }) {
      const asked = { prefix: 'act', noun: 'action', id: param('id') }
      const found = getFromJournal(services.timeline.actions, asked)
      return { ...presentAction(found), caused: presentCaused(found, seenBy(c)) }
    },
  }),
]

export function presentAction(action: Action): ActionRecord {
  const { id, kind, operation, subject, input, at, until, status, problem, callsBefore } = action
  return {
    id,
    kind,
    operation,
    subject,
    input,
    at: formatInstant(at),
    until: formatInstant(until),
    status,
    problem,
    callsBefore,
  }
}
