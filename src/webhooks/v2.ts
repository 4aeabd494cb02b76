import { EVENTS, SECURITY_ANSWER } from '../world/event-types.ts'
import { newId, uuid } from '../world/random.ts'
import type { Settings } from '../world/settings/index.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { writeBody } from './body.ts'
import { toDate } from './date.ts'
import type { Target, WebhookDialect } from './dialect.ts'

/** Every event, in its envelope, to the integrator's one configured URL. */
export const v2: WebhookDialect = {
  name: 'v2',
  hooksOf: () => ONE,
  targetOf: findTarget,
  render: renderEnvelope,
  createTestEvent,
}

const ONE = [null]

function findTarget(_: World, { webhook, name }: Integrator): Target {
  if (webhook !== null) return webhook
  return {
    url: null,
    missing: `No webhook URL was configured for the integrator ${name}.`,
  }
}

/** The exact body of a v2 webhook (contract, Events: Envelope). */
function renderEnvelope(settings: Settings, { id, at, type, payload }: WorldEvent): string {
  const idName = settings['names.envelopeId']
  const answerName = settings['names.securityAnswerField']
  return writeBody(settings, {
    id: idName === 'eventId' ? undefined : id,
    eventId: idName === 'id' ? undefined : id,
    apiVersion: 'v2',
    occurredAt: toDate(at),
    type,
    payload: answerName === SECURITY_ANSWER ? payload : rename(payload, answerName),
  })
}

/** Renames the field of the security answer without changing the order of the fields. */
function rename(payload: WorldEvent['payload'], answerName: string) {
  const entries = Object.entries(payload)
  return Object.fromEntries(
    entries.map(([name, value]) => [name === SECURITY_ANSWER ? answerName : name, value]),
  )
}

/** Event of the test operation, of a user who does not exist. */
function createTestEvent(world: World, { name }: Integrator, ordinal: number): WorldEvent {
  // The instant keeps ids unique, because the count starts again when a world is loaded.
  const random = world.random('test-event', `${name} ${world.now}`, ordinal)
  const type = world.settings['webhooks.test']
  const id = newId('evt', random)
  const ref = uuid(random)
  const payload = EVENTS[type].sample(ref)
  return {
    id,
    pos: 0,
    cause: null,
    at: world.now,
    type,
    ref,
    status: payload.status,
    created: false,
    integrator: name,
    payload,
  } as WorldEvent
}
