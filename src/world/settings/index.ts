import { DomainError } from '../domain-error.ts'
import { ANSWERS } from './answers.ts'
import { KYB } from './kyb.ts'
import { LIMITS } from './limits.ts'
import { ONBOARDING } from './onboarding.ts'
import { SERVICE } from './service.ts'
import type { Setting, SettingValue } from './setting.ts'
import { TRADING } from './trading.ts'

/** Every number and choice that the contract states or leaves open, by name. */
export const SETTINGS = { ...ONBOARDING, ...TRADING, ...LIMITS, ...KYB, ...SERVICE, ...ANSWERS }

export type SettingId = keyof typeof SETTINGS
export type Settings = {
  readonly [Id in SettingId]: (typeof SETTINGS)[Id] extends Setting<infer Value> ? Value : never
}

export const SETTING_IDS = Object.keys(SETTINGS) as SettingId[]

export const isSettingId = (id: string): id is SettingId => Object.hasOwn(SETTINGS, id)

export const settingOf = (id: SettingId): Setting => SETTINGS[id] as unknown as Setting

/** The defaults with some settings changed. */
export function toSettings(changed: Readonly<Record<string, SettingValue>>): Settings {
  const settings: Record<string, SettingValue> = {}
  for (const id of SETTING_IDS) settings[id] = changed[id] ?? settingOf(id).default
  return settings as Settings
}

/**
 * Settings as people write them, as the world uses them.
 * Refuses an unknown name or value, naming what would work.
 */
export function parseSettings(given: Readonly<Record<string, SettingValue>>) {
  const parsed: Record<string, SettingValue> = {}
  for (const [id, value] of Object.entries(given)) {
    if (!isSettingId(id)) {
      throw new DomainError('invalid', id, `There is no setting ${id}${didYouMean(id)}.`)
    }
    const setting = settingOf(id)
    const meant = setting.parse(value)
    if (meant === undefined) {
      const { options } = setting
      const wanted = typeof options === 'string' ? options : options.join(' | ')
      throw new DomainError('invalid', id, `${id} must be ${wanted}, not ${JSON.stringify(value)}.`)
    }
    parsed[id] = meant
  }
  return parsed
}

function didYouMean(id: string): string {
  const [area = ''] = id.split('.')
  const near = SETTING_IDS.filter((known) => known.startsWith(`${area}.`))
  return near.length > 0 ? `; under ${area} there are ${near.join(', ')}` : ''
}

/** The settings as people write them. */
export function formatSettings(settings: Settings): Record<string, SettingValue> {
  return Object.fromEntries(SETTING_IDS.map((id) => [id, settingOf(id).format(settings[id])]))
}
