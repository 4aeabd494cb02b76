import * as z from 'zod'
import { changeSettings } from '../../world/settings/change.ts'
import { formatSettings, SETTING_IDS } from '../../world/settings/index.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'

/** The value of a setting, as people write it. */
export const SettingText = () => z.union([z.string(), z.number()])
/** Settings by id. */
export const SettingValues = () => z.record(z.enum(SETTING_IDS), SettingText())
export type SettingValues = z.output<ReturnType<typeof SettingValues>>

export const settings = [
  operation({
    id: 'getSettings',
    method: 'GET',
    path: '/_sandbox/settings',
    summary: 'Read every setting',
    auth: requireControl,
    answer: SettingValues,
    handle: ({ world }) => formatSettings(world.settings),
  }),
  operation({
    id: 'patchSettings',
    method: 'PATCH',
    path: '/_sandbox/settings',
    summary: 'Change settings, all or none; null is the default; what is scheduled already stays',
    auth: requireControl,
    body: () => z.record(z.string(), SettingText().nullable()),
    answer: SettingValues,
    handle({ world, input }) {
      changeSettings(world, input.body)
      return formatSettings(world.settings)
    },
  }),
]
