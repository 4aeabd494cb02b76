import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, DeliveryRequest } from './delivery.ts'
import type { DeliveryTarget, Generation } from './generation.ts'

/** Which deliveries the generations ask for. */
export interface DeliveryRequests {
  forEvent(event: WorldEvent): DeliveryRequest[]
  /** The event of a delivery, to where its generation would send it now. */
  forResend(delivery: Delivery): DeliveryRequest
  /** A synthetic event. */
  forTest(integrator: Integrator): DeliveryRequest
}

export function createDeliveryRequests(
  world: World,
  generations: readonly Generation[],
): DeliveryRequests {
  const testCounts = new Map<string, number>()
  return {
    forEvent: (event) => generations.flatMap((generation) => requestsOf(generation, event)),
    forResend(delivery) {
      const generation = generations.find(({ name }) => name === delivery.generation)
      const requests = generation ? requestsOf(generation, delivery.event) : []
      const found = requests.find(({ target }) => target.hook === delivery.hook)
      return found ?? { ...toCopy(delivery), secret: secretOf(delivery.integrator) }
    },
    forTest(integrator) {
      const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
      testCounts.set(integrator.name, ordinal)
      for (const generation of generations) {
        const event = generation.createTestEvent?.(world, integrator, ordinal)
        const [request] = event ? requestsOf(generation, event) : []
        if (request) return request
      }
      throw new Error('No generation has a test event.')
    },
  }

  function requestsOf(generation: Generation, event: WorldEvent): DeliveryRequest[] {
    const integrator = world.integratorsByName.get(event.integrator)
    const targets = integrator ? generation.targetsOf(world, integrator, event) : []
    return targets.map((target: DeliveryTarget) => ({
      event,
      generation: generation.name,
      target,
      secret: secretOf(event.integrator),
      render: (envelopeId) => generation.render(world, event, envelopeId),
    }))
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
