import * as z from 'zod'
import {
  formatSettings,
  KNOWN_IDS,
  settingOf,
  type SettingValues as Values,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { JsonSchema } from '../dialect.ts'
import { lever } from './dialect.ts'

/** Settings to change; null is the default. */
export type SettingChanges = { [Id in keyof Values]?: Values[Id] | null | undefined }

/** Longest body with settings, in bytes: all there are take a tenth of it. */
const SETTINGS_BODY_MAX = 64 * 1024

export const SettingText = () => z.union([z.string(), z.number()])
const AllSettings = () =>
  z.record(z.enum(KNOWN_IDS), SettingText()).meta({
    typeName: 'SettingValues',
    wire: () => ({ title: 'Settings', ...describeSettings(['string', 'number']) }),
  }) as unknown as z.ZodType<Values, Values>

const PatchSettings = () =>
  z.record(z.string(), SettingText().nullable()).meta({
    typeName: 'SettingChanges',
    wire: () => describeSettings(['string', 'number', 'null']),
  }) as z.ZodType<SettingChanges, SettingChanges>

/** Each setting as a field, with what it decides and its default. */
function describeSettings(type: string[]): JsonSchema {
  const fields = KNOWN_IDS.map((id) => {
    const { question, why, format, default: standard } = settingOf(id)
    return [id, { type, description: `${question} ${why}`, examples: [format(standard)] }]
  })
  return { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false }
}

export const settings = [
  lever('settings.get', {
    id: 'getSettings',
    summary: 'Read every setting',
    about:
      'Reads every setting with its value in this world. `listAssumptions` says what each one means and which values it can have.',
    success: 'The settings, by id.',
    answer: AllSettings,
    handle: ({ world }) => formatSettings(world.settings) as Values,
  }),
  lever('settings.set', {
    id: 'patchSettings',
    summary: 'Change settings, all or none; null is the default; what is scheduled already stays',
    about:
      'Changes settings, all that are sent or none; null is the value of the preset, and `preset` changes that for all others. Calls from now on follow them, and so does the OpenAPI document of the contract. What is scheduled already stays.',
    success: 'The settings as they are now.',
    tool: true,
    body: PatchSettings,
    bodyMax: SETTINGS_BODY_MAX,
    answer: AllSettings,
    handle({ world, input }) {
      world.changeSettings(input.body as Record<string, SettingValue | null>)
      return formatSettings(world.settings) as Values
    },
  }),
]
