import * as z from 'zod'
import type { Fault, FaultRequest } from '../../faults.ts'
import { formatDuration } from '../../world/duration.ts'
import { operation } from './dialect.ts'
import { byControl } from './guard.ts'
import { Duration } from './shapes.ts'

const Counts = () => ({
  times: z.int().min(1).max(1_000_000).default(1),
  skip: z.int().min(0).max(1_000_000).default(0),
})

/** Longest that a fault may hold a call or a delivery, in ms. */
const DELAY_MAX = 60_000
const Delay = () => Duration().refine((ms) => ms <= DELAY_MAX, { error: 'may be at most 60s' })

const ApiFault = () =>
  z.strictObject({
    on: z.literal('api'),
    match: z
      .strictObject({
        operation: z.string().optional(),
        method: z.string().toUpperCase().optional(),
        path: z.string().max(500).optional(),
        integrator: z.string().optional(),
      })
      .default({}),
    then: z
      .strictObject({
        delay: Delay().optional(),
        status: z.int().min(400).max(599).optional(),
        error: z.strictObject({ field: z.string(), message: z.string() }).optional(),
        headers: z
          .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), z.string().regex(/^[\x20-\x7e]*$/))
          .optional(),
        connection: z.enum(['reset', 'truncate', 'lost']).optional(),
      })
      .refine((effect) => Object.keys(effect).length > 0, { error: 'must do something' }),
    ...Counts(),
  })

const WebhookFault = () =>
  z.strictObject({
    on: z.literal('webhook'),
    match: z
      .strictObject({
        type: z.string().optional(),
        status: z.string().optional(),
        ref: z.string().optional(),
        generation: z.enum(['v2', 'v1']).optional(),
        integrator: z.string().optional(),
      })
      .default({}),
    then: z
      .strictObject({
        drop: z.literal(true).optional(),
        delay: Delay().optional(),
        duplicate: z.literal(true).optional(),
        reorder: z.literal(true).optional(),
        signature: z.literal('bad').optional(),
        timestamp: z.literal('stale').optional(),
        envelopeId: z.enum(['id', 'eventId', 'both']).optional(),
        beforeResponse: z.literal(true).optional(),
      })
      .refine((effect) => Object.keys(effect).length > 0, { error: 'must do something' }),
    ...Counts(),
  })

const CreateFault = () => z.discriminatedUnion('on', [ApiFault(), WebhookFault()])

const FaultAnswer = () =>
  z.strictObject({
    id: z.string(),
    on: z.enum(['api', 'webhook']),
    match: z.record(z.string(), z.string()),
    then: z.record(z.string(), z.unknown()),
    times: z.int(),
    skip: z.int(),
    seen: z.int(),
    hits: z.int(),
  })
const DeletedAnswer = () => z.strictObject({ deleted: z.int() })

const path = '/_sandbox/faults'

export const faults = [
  operation({
    id: 'listFaults',
    method: 'GET',
    path,
    summary: 'List the faults that are ordered, with how often each was met',
    guard: byControl,
    answer: () => z.strictObject({ items: z.array(FaultAnswer()), total: z.int() }),
    handle({ doors }) {
      const items = doors.faults.list().map(show)
      return { items, total: items.length }
    },
  }),
  operation({
    id: 'createFault',
    method: 'POST',
    path,
    summary: 'Order a fault for the next calls or deliveries that match',
    guard: byControl,
    body: CreateFault,
    answer: FaultAnswer,
    refuses: { conflict: 'As many faults are kept as may be.' },
    handle({ doors, input: { body } }) {
      const { delay: delayMs, ...then } = body.then
      return show(doors.faults.add({ ...body, then: { ...then, delayMs } } as FaultRequest))
    },
  }),
  operation({
    id: 'clearFaults',
    method: 'DELETE',
    path,
    summary: 'Forget every fault',
    guard: byControl,
    answer: DeletedAnswer,
    handle({ doors }) {
      const deleted = doors.faults.list().length
      doors.faults.clear()
      return { deleted }
    },
  }),
  operation({
    id: 'deleteFault',
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Forget one fault',
    guard: byControl,
    answer: DeletedAnswer,
    refuses: { 'not-found': 'There is no such fault.' },
    handle({ doors, param }) {
      doors.faults.remove(param('id'))
      return { deleted: 1 }
    },
  }),
]

function show({ id, on, match, then, times, skip, seen, hits }: Fault) {
  const { delayMs, ...effect } = then
  const delay = delayMs === undefined ? {} : { delay: formatDuration(delayMs) }
  const named = { ...match } as Record<string, string>
  return { id, on, match: named, then: { ...effect, ...delay }, times, skip, seen, hits }
}
