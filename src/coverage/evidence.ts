import type { Coverage } from '../control-api/wire.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/** Coverage of all sandboxes of a process, and the values of settings under which it was reached. */
export interface Evidence extends Coverage {
  under: readonly {
    values: Readonly<Record<string, SettingValue>>
    /** Operations that were called under these values. */
    called: readonly string[]
  }[]
  /** Control operations that were refused, each with the error code: `buy/limit-active`. */
  failedControlCalls: readonly string[]
}
