import type { World } from '../world.ts'
import { isSettingId, parseSettings, type SettingId, settingOf, toSettings } from './index.ts'
import type { SettingValue } from './setting.ts'

/** Settings as people write them; null goes back to the default. */
export type SettingsRequest = Readonly<Record<string, SettingValue | null>>

/**
 * Changes all of them or, if one is invalid, none. They hold for what is created or moved from here
 * on: what is scheduled already, such as the expiry of a pending transaction, stays as it is.
 */
export function changeSettings(world: World, request: SettingsRequest): void {
  const changed = { ...world.changedSettings }
  const entries = Object.entries(request)
  const sent = Object.fromEntries(entries.map(([id, value]) => [id, value ?? defaultOf(id)]))
  for (const [id, value] of Object.entries(parseSettings(sent))) {
    if (value === settingOf(id as SettingId).default) delete changed[id]
    else changed[id] = value
  }
  const windowMs = world.settings['limits.window']
  world.changedSettings = changed
  world.settings = toSettings(changed)
  if (world.settings['limits.window'] !== windowMs) {
    for (const transactions of world.userTransactions.values()) transactions.reset()
  }
  world.revision++
}

/** An unknown name is left for `parseSettings` to reject. */
const defaultOf = (id: string): SettingValue => (isSettingId(id) ? settingOf(id).default : '')
