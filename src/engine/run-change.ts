import type { DeliveryChange, LeftOut } from '../webhooks/run-change.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/**
 * What a run of `exec --variants` or `--unchecked` changes about the provider: in every world of the
 * process, whatever is reset. That is why it is no fault, which a reset removes.
 */
export interface RunChange {
  /** Settings with the lowest precedence, below those of a fixture. */
  readonly settings?: Readonly<Record<string, SettingValue>>
  readonly deliveries?: DeliveryChange
  /** Operation that is always refused, or `later` or `every` for all of them. */
  readonly refused?: string
  /** Field that no response and no webhook has. */
  readonly leftOut?: LeftOut
  /** Signing secret that every integrator has from the start. */
  readonly signingSecret?: string
}

/** Refuses every call but the first of a sandbox. */
export const REFUSE_LATER = 'later'
/** Refuses every call. */
export const REFUSE_EVERY = 'every'

/** Situations that have occurred in the sandboxes of a process. */
export interface Evidence {
  calls: number
  met: readonly string[]
  /** Settings that concern those calls and webhooks. */
  settings: readonly SettingId[]
  /** Number of times that the change of the run took effect. */
  changes: number
}
