import type * as z from 'zod'
import { type CreateWebhookFault, FaultRecord } from '../../control-api/faults.ts'
import {
  type ApiMatch,
  describeEffect,
  describeMatch,
  type Fault,
  type FaultRequest,
  type WebhookMatch,
} from '../../engine/faults.ts'
import { canMutate } from '../../webhooks/mutation.ts'
import { DomainError } from '../../world/domain-error.ts'
import { formatDuration } from '../../world/duration.ts'
import { EVENTS } from '../../world/event-types.ts'
import { suggest } from '../../world/nearest.ts'
import { LEGACY_HOOK_TYPES, LEGACY_HOOKS } from '../../world/state.ts'
import { toVisible, wordList } from '../../world/word-list.ts'
import { EVENT_TYPES, type EventType } from '../../world/words.ts'
import type { Call } from '../operation.ts'
import { implement } from './dialect.ts'
import { assertStatus, contains } from './filters.ts'
import { readList } from './page.ts'
import { presentAs } from './present-as.ts'

export const faults = [
  implement('faults.list', ({ services, input: { query } }) => {
    const filters = { q: contains(textsOf) }
    return readList(services.faults.list(), { query, filters, present: presentFault })
  }),
  implement('faults.add', (call) => {
    const { body } = call.input
    assertKnown(call, body.match)
    if (body.on === 'webhook') {
      assertStatus(call.world, body.match.status)
      assertPossible(body.match, body.then)
    }
    const { delay: delayMs, ...then } = body.then
    return presentFault(
      call.services.faults.add({ ...body, then: { ...then, delayMs } } as FaultRequest),
    )
  }),
  implement('faults.clear', ({ services }) => {
    const deleted = services.faults.list().length
    services.faults.clear()
    return { deleted }
  }),
  implement('faults.delete', ({ services, param }) => {
    services.faults.remove(param('id'))
    return { deleted: 1 }
  }),
]

/** A fault with an unknown name would silently never apply. */
function assertKnown({ c, world }: Call, { operation, method, integrator }: ApiMatch) {
  const contract = c.env.control.operations.filter(({ dialect }) => dialect.isContract)
  const ids = contract.map(({ id }) => id)
  assertName('match.operation', operation, ids)
  assertName('match.method', method, [...new Set(contract.map((row) => row.method))])
  assertName('match.integrator', integrator, [...world.integratorsByName.keys()])
  const row = contract.find(({ id }) => id === operation)
  if (row === undefined || method === undefined || method === row.method) return
  refuse('match.method', `must be ${row.method} with the operation ${row.id}, not ${method}`)
}

function refuse(field: string, problem: string): never {
  throw new DomainError('invalid', `${field} ${problem}.`, { field })
}

function assertName(field: string, name: string | undefined, names: readonly string[]) {
  if (name === undefined || names.includes(name)) return
  throw new DomainError(
    'invalid',
    `There is no ${field.replace('match.', '')} ${toVisible(name)}${suggest(name, names)}`,
    {
      field,
    },
  )
}

type WebhookThen = Pick<z.output<ReturnType<typeof CreateWebhookFault>>['then'], 'mutate'>

/** A fault whose conditions exclude each other would silently never apply. */
function assertPossible({ type, hook, status, generation }: WebhookMatch, { mutate }: WebhookThen) {
  const isV1 = hook !== undefined || generation === 'v1'
  if (hook && generation === 'v2') refuse('match.generation', `must be v1 with the hook ${hook}`)
  if (mutate && isV1 && !canMutate(mutate, 'v1')) {
    refuse('then.mutate', `cannot be ${mutate} for v1 webhooks, which have no envelope`)
  }
  const ofHook = hook && LEGACY_HOOK_TYPES[hook]
  const ofStatus = typeOf(status)
  if (type && ofHook && type !== ofHook) {
    refuse('match.type', `must be ${ofHook} with the hook ${hook}`)
  }
  if (type && ofStatus && type !== ofStatus) {
    refuse('match.type', `must be ${ofStatus} with the status ${status}`)
  }
  if (ofHook && ofStatus && ofHook !== ofStatus) {
    const hooks = LEGACY_HOOKS.filter((each) => LEGACY_HOOK_TYPES[each] === ofStatus)
    refuse('match.hook', `must be ${wordList(hooks, 'or')} with the status ${status}`)
  }
}

/** Type of the events that report a status; undefined for one that is forced. */
const typeOf = (status: string | undefined): EventType | undefined =>
  EVENT_TYPES.find((type) => EVENTS[type].statuses.some((each) => each === status))

/** A fault in words, as the command lists it, and its values. */
const textsOf = (fault: Fault) => [
  ...[fault.id, fault.on, describeMatch(fault), describeEffect(fault.on, fault.then)],
  fault.then,
]

function presentFault(fault: Fault): FaultRecord {
  const { delayMs, ...effect } = fault.then
  const delay = delayMs === undefined ? {} : { delay: formatDuration(delayMs) }
  const match = { ...fault.match } as Record<string, string>
  const words = { for: describeMatch(fault), effect: describeEffect(fault.on, fault.then) }
  return presentAs(FaultRecord, fault, { match, then: { ...effect, ...delay }, ...words })
}
