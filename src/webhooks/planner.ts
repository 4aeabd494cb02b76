import type { WorldEvent } from '../world/facts.ts'
import type { Integrator } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, Generation, Planned } from './delivery.ts'

/** What must be posted for an event, and by which generation. */
export interface Plan {
  event: WorldEvent
  generation: Generation['name']
  planned: Planned
}

/** Asks the generations what must be posted. */
export interface Planner {
  plan(event: WorldEvent, queue: (plan: Plan) => void): void
  /** The event of a delivery, to where its generation would send it now. */
  planAgain(delivery: Delivery): Plan
  /** A synthetic event. */
  planTest(integrator: Integrator): Plan
}

export function createPlanner(world: () => World, generations: readonly Generation[]): Planner {
  const testCounts = new Map<string, number>()
  return {
    plan(event, queue) {
      const integrator = world().integratorsByName.get(event.integrator)
      if (!integrator) return
      for (const { name, plan } of generations) {
        for (const planned of plan(world(), integrator, event)) {
          queue({ event, generation: name, planned })
        }
      }
    },
    planAgain(delivery) {
      const { event, generation: name, hook } = delivery
      const generation = generations.find((known) => known.name === name)
      const integrator = world().integratorsByName.get(event.integrator)
      const plans = integrator && generation?.plan(world(), integrator, event)
      const planned = plans?.find((plan) => plan.hook === hook)
      return planned ? { event, generation: name, planned } : planCopy(delivery)
    },
    planTest(integrator) {
      const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
      testCounts.set(integrator.name, ordinal)
      for (const { name, plan, testEvent } of generations) {
        const event = testEvent?.(world(), integrator, ordinal)
        const [planned] = event ? plan(world(), integrator, event) : []
        if (event && planned) return { event, generation: name, planned }
      }
      throw new Error('No generation has a test event.')
    },
  }
}

/** The same bytes to the same place. */
export function planCopy(
  delivery: Pick<Delivery, 'event' | 'generation' | 'hook' | 'url' | 'body'>,
) {
  const { event, generation, hook, url } = delivery
  return { event, generation, planned: { hook, url, reason: null, render: () => delivery.body } }
}
