import type { SettingId } from '../world/settings/index.ts'
import type { Integrator, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Versions of the API that have webhooks; the control API calls this `generation`. */
export const WEBHOOK_DIALECTS = ['v2', 'v1'] as const
export type DialectName = (typeof WEBHOOK_DIALECTS)[number]

/** How a version of the API words webhooks, and where it sends them. */
export interface WebhookDialect {
  readonly name: DialectName
  targetsOf(world: World, integrator: Integrator, event: WorldEvent): readonly DeliveryTarget[]
  readonly render: (world: World, event: WorldEvent) => string
  /** The synthetic event of the test operation, for the dialect that has one. */
  createTestEvent?(world: World, integrator: Integrator, ordinal: number): WorldEvent
}

export interface DeliveryTarget {
  hook: string | null
  url: string | null
  reason: string | null
  /** The setting that decided, where the contract says nothing. */
  assumption?: SettingId
}
