import * as z from 'zod'
import { ACTION_KINDS, type Action } from '../../engine/timeline.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { requireControl } from './auth.ts'
import { Caused, presentCaused } from './causes.ts'
import { operation } from './dialect.ts'
import { Count, Cursor, createSearch, Filter, LIMIT_DEFAULT, when } from './page.ts'
import { seenBy, WorldTime } from './shapes.ts'

const ListActions = () =>
  z.strictObject({
    kind: z.enum(ACTION_KINDS).optional(),
    subject: Filter(),
    after: Cursor(),
    limit: Count(),
  })

export const ActionRecord = () =>
  z
    .strictObject({
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
      caused: Caused(),
    })
    .meta({
      title: 'Action',
      description:
        'What changed the world other than a contract call: a simulation, a move of the clock, a changed setting, rate or fault, a scheduled task.',
    })
export type ActionRecord = z.output<ReturnType<typeof ActionRecord>>

export const actions = [
  operation({
    id: 'listActions',
    method: 'GET',
    path: '/_sandbox/actions',
    summary: 'List simulations, moves of the clock, changes and scheduled tasks after a cursor',
    auth: requireControl,
    query: ListActions,
    answer: () => z.strictObject({ actions: z.array(ActionRecord()), cursor: z.string() }),
    handle({ services, input }) {
      const { after, limit = LIMIT_DEFAULT, kind, subject } = input.query
      const journal = services.timeline.actions
      const conditions = [
        ...when('kind', kind, (row: Action, asked) => row.kind === asked),
        ...when('subject', subject, (row: Action, asked) => row.subject === asked),
      ]
      const search = createSearch({ journal, after, most: limit, conditions })
      search.readOn()
      return { actions: search.found.map(presentAction), cursor: search.cursor }
    },
  }),
  operation({
    id: 'getAction',
    method: 'GET',
    path: '/_sandbox/actions/:id',
    summary: 'Read one action and what it caused',
    auth: requireControl,
    answer: ActionRecord,
    errors: { 'not-found': 'There is no such action, or it is kept no longer.' },
    handle({ c, services, param }) {
      const id = param('id')
      const { actions: journal } = services.timeline
      const [, position] = /^act_(\d{1,15})$/.exec(id) ?? []
      const found = position === undefined ? undefined : journal.at(Number(position))
      if (found) {
        return { ...presentAction(found), caused: presentCaused(found, seenBy(c)) }
      }
      const message = `There is no action ${id}; the last ${journal.max} are kept.`
      throw new DomainError('not-found', 'id', message)
    },
  }),
]

export function presentAction(action: Action): ActionRecord {
  const { id, kind, operation, subject, input, at, until, status, problem } = action
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
  }
}
