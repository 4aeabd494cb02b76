import type { SettingId, Settings } from '../world/settings/index.ts'
import type { Integrator, LegacyHook, WorldEvent } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Versions of the API that have webhooks; the control API calls this `generation`. */
export const WEBHOOK_DIALECTS = ['v2', 'v1'] as const
export type DialectName = (typeof WEBHOOK_DIALECTS)[number]

/** Name of a legacy webhook; null for the one webhook of v2. */
export type Hook = LegacyHook | null

/** Wording and destinations of the webhooks of a version of the API. */
export interface WebhookDialect {
  readonly name: DialectName
  /** The webhooks that an event causes, whether or not they have somewhere to go. */
  hooksOf(integrator: Integrator, event: WorldEvent): readonly Hook[]
  /** Returns where a webhook about an event goes at this moment. */
  targetOf(world: World, integrator: Integrator, about: About): Target
  readonly render: (settings: Settings, event: WorldEvent) => string
  /** The synthetic event of the test operation, for the dialect that has one. */
  createTestEvent?(world: World, integrator: Integrator, ordinal: number): WorldEvent
}

export interface About {
  hook: Hook
  event: WorldEvent
}

export interface Target {
  url: string | null
  /** Why there is no URL, said of the moment of the event. */
  missing?: string
  /** The setting that decided, where the contract says nothing. */
  assumption?: SettingId
}
