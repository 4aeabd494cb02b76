import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Delivery, Generation, Plan, Planned, Renderer } from './delivery.ts'

/** Asks the generations what must be posted. */
export interface Planner {
  plan(event: WorldEvent, queue: (plan: Plan) => void): void
  /** The event of a delivery, to where its generation would send it now. */
  planAgain(delivery: Delivery): Plan
  /** The same bytes to the same place. */
  planCopy(delivery: Posted): Plan
  /** A synthetic event. */
  planTest(integrator: Integrator): Plan
}

/** What a copy of a delivery is made of. */
type Posted = Pick<Delivery, 'event' | 'generation' | 'hook' | 'url' | 'body'>

/** A generation in the world whose events it tells. */
interface BoundGeneration extends Renderer {
  plan(integrator: Integrator, event: WorldEvent): readonly Planned[]
  testEvent: Generation['testEvent']
}

export function createPlanner(world: () => World, generations: readonly Generation[]): Planner {
  const testCounts = new Map<string, number>()
  const bound = generations.map(
    ({ name, plan, render, testEvent }): BoundGeneration => ({
      name,
      plan: (integrator, event) => plan(world(), integrator, event),
      render: (event, envelopeId) => render(world(), event, envelopeId),
      testEvent,
    }),
  )

  return {
    plan(event, queue) {
      const integrator = world().integratorsByName.get(event.integrator)
      if (!integrator) return
      for (const generation of bound) {
        for (const planned of generation.plan(integrator, event)) {
          queue({ event, renderer: generation, planned })
        }
      }
    },
    planAgain(delivery) {
      const { event, generation, hook } = delivery
      const renderer = boundTo(generation)
      const integrator = world().integratorsByName.get(event.integrator)
      const plans = integrator && renderer.plan(integrator, event)
      const planned = plans?.find((plan) => plan.hook === hook)
      return planned ? { event, renderer, planned } : planCopy(delivery)
    },
    planCopy,
    planTest(integrator) {
      const ordinal = (testCounts.get(integrator.name) ?? 0) + 1
      testCounts.set(integrator.name, ordinal)
      for (const generation of bound) {
        const event = generation.testEvent?.(world(), integrator, ordinal)
        const [planned] = event ? generation.plan(integrator, event) : []
        if (event && planned) return { event, renderer: generation, planned }
      }
      throw new Error('No generation has a test event.')
    },
  }

  function planCopy({ event, generation, hook, url, body }: Posted): Plan {
    return { event, renderer: boundTo(generation), planned: { hook, url, reason: null }, body }
  }

  function boundTo(generation: Generation['name']): BoundGeneration {
    const found = bound.find(({ name }) => name === generation)
    if (found === undefined) throw new Error(`There is no generation ${generation}.`)
    return found
  }
}
