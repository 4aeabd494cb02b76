import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import {
  isSettingId,
  presetValue,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
  whyOf,
} from '../../world/settings/index.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { SettingText } from './settings.ts'

export const Assumption = () =>
  titled('Assumption', {
    id: z.string(),
    contractRef: z.string(),
    question: z.string(),
    value: SettingText(),
    default: SettingText(),
    strict: SettingText().describe('Its value in the preset `contract`.'),
    options: z.union([z.string(), z.array(z.string()).readonly()]),
    why: z.string(),
    stated: z.boolean(),
  })
export type Assumption = z.output<ReturnType<typeof Assumption>>

export const assumptions = [
  lever('assumptions.list', {
    id: 'listAssumptions',
    summary: 'List what the contract states or leaves open, and what this sandbox makes of it',
    about:
      'Lists what the contract states or leaves open, with the value that this world takes, the values there are and the reason for the default. `patchSettings` changes the value.',
    success: 'Every setting, explained.',
    answer: () => ListOf(Assumption()),
    handle: ({ world: { settings } }) =>
      toList(SETTING_IDS.map((id) => presentAssumption(settings, id))),
  }),
  lever('assumptions.get', {
    id: 'getAssumption',
    summary: 'Read one of them',
    about:
      'Reads one row of `listAssumptions`. The OpenAPI document of the contract links here from the operations that depend on it.',
    success: 'The setting, explained.',
    answer: Assumption,
    errors: { 'not-found': 'There is no such setting.' },
    handle({ world, param }) {
      const id = param('id')
      if (isSettingId(id)) return presentAssumption(world.settings, id)
      throw new DomainError('not-found', `There is no setting ${id}.`, { field: 'id' })
    },
  }),
]

export function presentAssumption(settings: Settings, id: SettingId): Assumption {
  const setting = settingOf(id)
  return {
    id,
    contractRef: setting.ref,
    question: setting.question,
    value: setting.format(settings[id]),
    default: setting.format(setting.default),
    strict: setting.format(presetValue(id, 'contract')),
    options: setting.options,
    why: whyOf(id),
    stated: setting.stated ?? false,
  }
}
