import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, DeliveryRequest } from './delivery.ts'
import type { Generation } from './generation.ts'
import type { EnvelopeId } from './webhook-fault.ts'

/** Which deliveries the generations ask for. */
export interface DeliveryRequests {
  forEvent(event: WorldEvent): DeliveryRequest[]
  /** The event of a delivery, to where its generation would send it now. */
  forResend(delivery: Delivery): DeliveryRequest
  /** A synthetic event. */
  forTest(integrator: Integrator): DeliveryRequest
}

/** A generation, and what renders its bodies. */
type Source = Pick<DeliveryRequest, 'render'> & { generation: Generation }

export function createDeliveryRequests(
  world: World,
  generations: readonly Generation[],
): DeliveryRequests {
  const testCounts = new Map<string, number>()
  const sources = generations.map((generation) => ({
    generation,
    render: (event: WorldEvent, envelopeId: EnvelopeId | undefined) =>
      generation.render(world, event, envelopeId),
  }))
  return {
    forEvent(event) {
      const found: DeliveryRequest[] = []
      for (const source of sources) found.push(...requestsOf(source, event))
      return found
    },
    forResend(delivery) {
      const source = sources.find(({ generation }) => generation.name === delivery.generation)
      const requests = source ? requestsOf(source, delivery.event) : []
      const found = requests.find(({ target }) => target.hook === delivery.hook)
      return found ?? { ...toCopy(delivery), secret: secretOf(delivery.integrator) }
    },
    forTest(integrator) {
      const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
      testCounts.set(integrator.name, ordinal)
      for (const source of sources) {
        const event = source.generation.createTestEvent?.(world, integrator, ordinal)
        const [request] = event ? requestsOf(source, event) : []
        if (request) return request
      }
      throw new Error('No generation has a test event.')
    },
  }

  function requestsOf({ generation, render }: Source, event: WorldEvent): DeliveryRequest[] {
    const integrator = world.integratorsByName.get(event.integrator)
    if (integrator === undefined) return []
    const { name } = generation
    const secret = integrator.signingSecret
    return generation
      .targetsOf(world, integrator, event)
      .map((target) => ({ event, generation: name, target, secret, render }))
  }

  function secretOf(integrator: string): string | null {
    return world.integratorsByName.get(integrator)?.signingSecret ?? null
  }
}

/** The same bytes to the same place. */
export function toCopy({
  event,
  generation,
  hook,
  url,
  body,
  secret,
}: Pick<Delivery, 'event' | 'generation' | 'hook' | 'url' | 'body' | 'secret'>): DeliveryRequest {
  return { event, generation, target: { hook, url, reason: null }, secret, render: () => body }
}
