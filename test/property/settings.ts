import { SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import fc, { type Arbitrary } from '../helpers/fast-check.ts'

/** Settings that are no choice, or whose other option only gets in the way of every call. */
const NUMBERS: Readonly<Record<string, readonly (string | number)[]>> = {
  'requests.perMinute': [0, 0, 0, 5],
  'users.minimumAge': [18, 19],
  'limits.active': [3, 1],
  'transactions.list.maximum': [100, 1],
  'names.securityAnswerField': ['etransferSecurityAnswer', 'securityAnswer'],
  'v1.sunset': ['extended', '2026-07-01T00:00:00Z'],
}

/** Some settings that differ from their defaults. */
export const settings: Arbitrary<Record<string, string | number>> = fc.record(
  Object.fromEntries(
    SETTING_IDS.flatMap((id) => {
      const { options } = settingOf(id)
      const values = NUMBERS[id] ?? (typeof options === 'string' ? [] : options)
      return values.length > 0 ? [[id, fc.constantFrom(...values)]] : []
    }),
  ),
  { requiredKeys: [] },
) as Arbitrary<Record<string, string | number>>
