import * as z from 'zod'
import type { Fault, FaultRequest } from '../../engine/faults.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration } from '../../world/duration.ts'
import { suggest } from '../../world/nearest.ts'
import type { Call } from '../operation.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
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

const path = '/_sandbox/faults'

export const faults = [
  operation('GET', path, {
    id: 'listFaults',
    summary: 'List the faults, with how often each applied',
    answer: () => ListOf(FaultRecord()),
    handle: ({ services }) => toList(services.faults.list().map(presentFault)),
  }),
  operation('POST', path, {
    id: 'createFault',
    summary: 'Add a fault for the next calls or deliveries that match',
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
  operation('DELETE', path, {
    id: 'clearFaults',
    summary: 'Forget every fault',
    answer: DeletedAnswer,
    handle({ services }) {
      const deleted = services.faults.list().length
      services.faults.clear()
      return { deleted }
    },
  }),
  operation('DELETE', `${path}/:id`, {
    id: 'deleteFault',
    summary: 'Forget one fault',
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
