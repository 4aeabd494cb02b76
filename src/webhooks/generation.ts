import type { SettingId } from '../world/settings/index.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'

export const GENERATION_NAMES = ['v2', 'v1'] as const
export type GenerationName = (typeof GENERATION_NAMES)[number]

/** A family of webhooks with bodies and URLs of its own. */
export interface Generation {
  readonly name: GenerationName
  targetsOf(world: World, integrator: Integrator, event: WorldEvent): readonly DeliveryTarget[]
  /** The exact body. */
  render(world: World, event: WorldEvent): string
  /** The synthetic event of the test operation, for the generation that has one. */
  createTestEvent?(world: World, integrator: Integrator, ordinal: number): WorldEvent
}

export interface DeliveryTarget {
  /** Which of several kinds of webhook the generation sends for one event. */
  hook: string | null
  url: string | null
  reason: string | null
  /** The setting that decided, where the contract says nothing. */
  assumption?: SettingId
}
