import {
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
  whyOf,
} from '../../world/settings/index.ts'
import type { JsonSchema } from '../dialect.ts'

/** A gap of the contract that an operation depends on, with its value in this world. */
export function describeAssumption(settings: Settings, id: SettingId): JsonSchema {
  const { ref, question, format } = settingOf(id)
  const href = `/_sandbox/assumptions/${id}`
  return { id, question, value: format(settings[id]), contractRef: ref, href }
}

/** Every gap of the contract, for readers of the whole document. */
export const describeAssumptions = (settings: Settings): JsonSchema =>
  Object.fromEntries(
    SETTING_IDS.map((id) => {
      const { options, stated = false } = settingOf(id)
      const { id: _, ...described } = describeAssumption(settings, id)
      return [id, { ...described, options, why: whyOf(id), stated }]
    }),
  )
