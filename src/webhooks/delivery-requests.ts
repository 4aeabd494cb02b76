import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, DeliveryRequest, Queued } from './delivery.ts'
import type { Generation } from './generation.ts'
import type { EnvelopeId } from './webhook-fault.ts'

/** A generation, and what renders its bodies. */
type Source = Pick<DeliveryRequest, 'render'> & { generation: Generation }

/** Which deliveries the generations ask for. */
export function createDeliveryRequests(world: World, generations: readonly Generation[]) {
  const testCounts = new Map<string, number>()
  const sources = generations.map((generation) => ({
    generation,
    render: (event: WorldEvent, envelopeId: EnvelopeId | undefined) =>
      generation.render(world, event, envelopeId),
  }))
  return {
    forEvent: (event: WorldEvent) => sources.flatMap((source) => requestsOf(source, event)),
    /** The event of a delivery, to where its generation would send it now. */
    forResend(delivery: Delivery): DeliveryRequest {
      const source = sources.find(({ generation }) => generation.name === delivery.generation)
      const requests = source ? requestsOf(source, delivery.event) : []
      const found = requests.find(({ target }) => target.hook === delivery.hook)
      const { signingSecret = null } = world.integratorsByName.get(delivery.integrator) ?? {}
      return found ?? { ...toCopy(delivery), secret: signingSecret }
    },
    /** A synthetic event. */
    forTest(integrator: Integrator): DeliveryRequest {
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
    const { signingSecret: secret } = integrator
    const targets = generation.targetsOf(world, integrator, event)
    return targets.map((target) => ({ event, generation: generation.name, target, secret, render }))
  }
}

/** The same bytes to the same place. */
export function toCopy(delivery: Omit<Queued, 'fault'>): DeliveryRequest {
  const { event, generation, hook, url, body, secret } = delivery
  return { event, generation, target: { hook, url, reason: null }, secret, render: () => body }
}
