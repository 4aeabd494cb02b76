import * as z from 'zod'
import type { Fault, FaultRequest } from '../../engine/faults.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration } from '../../world/duration.ts'
import { suggest } from '../../world/nearest.ts'
import type { Call } from '../operation.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { CreateFault } from './fault-shapes.ts'
import { ListOf, toList } from './page.ts'

export const FaultRecord = () =>
  titled('Fault', {
    id: z.string(),
    on: z.enum(['api', 'webhook']),
    match: z.record(z.string(), z.string()),
    then: z.record(z.string(), z.unknown()),
    times: z.int(),
    skip: z.int(),
    seen: z.int().describe('What matched it, the skipped ones included.'),
    hits: z.int().describe('What it applied to.'),
  })
export type FaultRecord = z.output<ReturnType<typeof FaultRecord>>
const DeletedAnswer = () => z.strictObject({ deleted: z.int() })

export const faults = [
  lever('faults.list', {
    id: 'listFaults',
    summary: 'List faults, with how often each applied',
    about:
      'Lists the faults, the oldest first, with how often each matched and applied. Those that are used up stay in the list.',
    success: 'The faults.',
    words: 'fault list',
    also: { fault: {} },
    tool: true,
    answer: () => ListOf(FaultRecord()),
    handle: ({ services }) => toList(services.faults.list().map(presentFault)),
  }),
  lever('faults.add', {
    id: 'createFault',
    summary: 'Make the next matching calls or webhooks fail',
    about:
      'Adds a fault for contract calls (`on: api`) or deliveries (`on: webhook`) that come from now on and match. It applies `times` times after `skip` others; the first fault that matches wins. Faults stay until they are deleted or the world is reset.',
    success: 'The fault was added.',
    words: 'fault add ON',
    example: 'fault add api --operation createTransaction --status 503',
    tool: true,
    body: CreateFault,
    answer: FaultRecord,
    errors: { conflict: 'As many faults are kept as may be.' },
    handle(call) {
      const { body } = call.input
      assertKnown(call, body.match)
      const { delay: delayMs, ...then } = body.then
      return presentFault(
        call.services.faults.add({ ...body, then: { ...then, delayMs } } as FaultRequest),
      )
    },
  }),
  lever('faults.clear', {
    id: 'clearFaults',
    summary: 'Remove all faults',
    about: 'Removes every fault. Calls and deliveries from now on go as usual.',
    success: 'There are no faults any more.',
    words: 'fault clear',
    tool: true,
    answer: DeletedAnswer,
    handle({ services }) {
      const deleted = services.faults.list().length
      services.faults.clear()
      return { deleted }
    },
  }),
  lever('faults.delete', {
    id: 'deleteFault',
    summary: 'Remove one fault',
    about: 'Removes one fault, used up or not. The others stay.',
    success: 'The fault is gone.',
    words: 'fault delete ID',
    example: 'fault delete fault_1',
    answer: DeletedAnswer,
    errors: { 'not-found': 'There is no such fault.' },
    handle({ services, param }) {
      services.faults.remove(param('id'))
      return { deleted: 1 }
    },
  }),
]

interface Named {
  operation?: string | undefined
  integrator?: string | undefined
}

/** A fault with an unknown name would never apply, without a sign of why. */
function assertKnown({ c, world }: Call, match: Named) {
  const journalled = c.env.control.operations.filter(({ dialect }) => dialect.journalled)
  const operations = journalled.map(({ id }) => id)
  assertName('match.operation', match.operation, operations)
  assertName('match.integrator', match.integrator, [...world.integratorsByName.keys()])
}

function assertName(field: string, name: string | undefined, names: readonly string[]) {
  if (name === undefined || names.includes(name)) return
  throw new DomainError('invalid', `${field}: there is no ${name}${suggest(name, names)}`, {
    field,
  })
}

function presentFault(fault: Fault): FaultRecord {
  const { id, on, match, then, times, skip, seen, hits } = fault
  const { delayMs, ...effect } = then
  const delay = delayMs === undefined ? {} : { delay: formatDuration(delayMs) }
  const named = { ...match } as Record<string, string>
  return { id, on, match: named, then: { ...effect, ...delay }, times, skip, seen, hits }
}
