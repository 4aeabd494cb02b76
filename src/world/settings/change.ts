import type { World } from '../world.ts'
import { isSettingId, layerSettings, parseSettings, presetValue, toSettings } from './index.ts'
import type { SettingValue } from './setting.ts'

/** Settings as people write them; null goes back to the value of the preset. */
export type SettingsRequest = Readonly<Record<string, SettingValue | null>>

/**
 * Changes all of them or, if one is invalid, none. They hold for what is created or moved from here
 * on: what is scheduled already, such as the expiry of a pending transaction, stays as it is.
 */
export function changeSettings(world: World, request: SettingsRequest): void {
  const { preset = world.settings.preset } = request
  const sent = Object.entries(request).map(([id, value]) => [id, value ?? plainValue(id, preset)])
  const layered = layerSettings(world.changedSettings, parseSettings(Object.fromEntries(sent)))
  const changed = differencesOf(layered)
  const windowMs = world.settings['limits.window']
  world.changedSettings = changed
  world.settings = toSettings(changed)
  if (world.settings['limits.window'] !== windowMs) {
    for (const transactions of world.userTransactions.values()) transactions.reset()
  }
  world.touchScalars()
}

/** An unknown name is left for `parseSettings` to reject. */
const plainValue = (id: string, preset: SettingValue | null): SettingValue =>
  isSettingId(id) ? presetValue(id, preset) : ''

/** Only what differs from the preset. */
function differencesOf(settings: Readonly<Record<string, SettingValue>>) {
  const entries = Object.entries(settings)
  return Object.fromEntries(
    entries.filter(([id, value]) => value !== plainValue(id, settings.preset ?? null)),
  )
}
