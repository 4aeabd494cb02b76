import type { Assumption } from '../../levers/settings.ts'
import { DomainError } from '../../world/domain-error.ts'
import { setRates } from '../../world/quotes.ts'
import {
  formatSettings,
  isSettingId,
  presetValue,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
  type SettingValues as Values,
  whyOf,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { implement } from './dialect.ts'
import { toList } from './page.ts'

export const settings = [
  implement('settings.get', ({ world }) => formatSettings(world.settings) as Values),
  implement('settings.set', ({ world, input }) => {
    world.changeSettings(input.body as Record<string, SettingValue | null>)
    return formatSettings(world.settings) as Values
  }),
  implement('assumptions.list', ({ world }) =>
    toList(SETTING_IDS.map((id) => presentAssumption(world.settings, id))),
  ),
  implement('assumptions.get', ({ world, param }) => {
    const id = param('id')
    if (isSettingId(id)) return presentAssumption(world.settings, id)
    throw new DomainError('not-found', `There is no setting ${id}.`, { field: 'id' })
  }),
  implement('rates.get', ({ world }) => world.rates),
  implement('rates.set', ({ world, input }) => setRates(world, input.body)),
]

export function presentAssumption(values: Settings, id: SettingId): Assumption {
  const { ref, question, options, stated = false, format, default: standard } = settingOf(id)
  return {
    id,
    contractRef: ref,
    question,
    options,
    why: whyOf(id),
    stated,
    value: format(values[id]),
    default: format(standard),
    strict: format(presetValue(id, 'contract')),
  }
}
