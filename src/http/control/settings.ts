import * as z from 'zod'
import { changeSettings } from '../../world/settings/change.ts'
import { formatSettings, SETTING_IDS, settingOf } from '../../world/settings/index.ts'
import type { JsonSchema } from '../dialect.ts'
import { operation } from './dialect.ts'

/** Longest body with settings, in bytes: all there are take a tenth of it. */
const SETTINGS_BODY_MAX = 64 * 1024

export const SettingText = () => z.union([z.string(), z.number()])
const SettingValues = () =>
  z.record(z.enum(SETTING_IDS), SettingText()).meta({
    wire: () => ({ title: 'Settings', ...describeSettings(['string', 'number']) }),
  })

const PatchSettings = () =>
  z.record(z.string(), SettingText().nullable()).meta({
    wire: () => describeSettings(['string', 'number', 'null']),
  })

/** Each setting as a field, with what it decides and its default. */
function describeSettings(type: string[]): JsonSchema {
  const fields = SETTING_IDS.map((id) => {
    const { question, why, format, default: standard } = settingOf(id)
    return [id, { type, description: `${question} ${why}`, examples: [format(standard)] }]
  })
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false }
}

export const settings = [
  operation('GET', '/_sandbox/settings', {
    id: 'getSettings',
    summary: 'Read every setting',
    answer: SettingValues,
    handle: ({ world }) => formatSettings(world.settings),
  }),
  operation('PATCH', '/_sandbox/settings', {
    id: 'patchSettings',
    summary: 'Change settings, all or none; null is the default; what is scheduled already stays',
    body: PatchSettings,
    bodyMax: SETTINGS_BODY_MAX,
    answer: SettingValues,
    handle({ world, input }) {
      changeSettings(world, input.body)
      return formatSettings(world.settings)
    },
  }),
]
