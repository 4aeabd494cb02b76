import { describe, expect, it } from 'vitest'
import { LEVELS } from '../../src/agreement/calibrate/probe.ts'
import { listObservability } from '../../src/agreement/calibrate/probes.ts'
import { UNOBSERVABLE } from '../../src/agreement/calibrate/unobservable.ts'
import { isSettingId, SETTING_IDS, settingOf, toSettings } from '../../src/world/settings/index.ts'
import { calibrateSecond, differencesOf, KEY_ACCESS, type SecondSandbox } from './second-sandbox.ts'

/** Values other than the default of settings that are no choice of a few words. */
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  // At the level read the others look alike: their gas costs the same.
  'quotes.bareLabels': ['POLY'],
  'quotes.ttl': ['5m', '2h'],
  'quotes.fee': [0, 0.0125],
  'quotes.spread': [0, 0.012345],
  'quotes.gas.ethereum': [0, 1.25],
  'quotes.gas.solana': [0, 0.5],
  'quotes.gas.other': [0, 0.07],
  'limits.selfServeMinimum': [10, 250],
  'limits.maximum': [5000, 20_000],
  'transactions.list.limit': [5, 100],
  'transactions.list.maximum': [50, 1000],
  'login.token.ttl': ['15m', '1d'],
  'users.minimumAge': [0, 16, 21],
  'requirements.olderAge': [18, 65],
  'kyc.linkTtl': ['10m', '1h'],
  'names.headerPrefix': ['X-Ramp'],
  'v1.sunset': ['contract', '2026-12-01T00:00:00Z'],
}

const valuesOf = (id: string): readonly (string | number)[] => {
  const { options, default: standard } = settingOf(isSettingId(id) ? id : 'preset')
  const values = VALUES[id] ?? (typeof options === 'string' ? [] : options)
  return values.filter((value) => value !== standard)
}

describe('every setting', () => {
  it('can be observed, or says why not', () => {
    const rows = listObservability()
    expect(rows.map(({ setting }) => setting)).toEqual([...SETTING_IDS])
    expect(rows.filter(({ level, why }) => level === null && why === null)).toEqual([])
    expect(rows.filter(({ level, setting }) => level && setting in UNOBSERVABLE)).toEqual([])
  })
})

/** What some settings need to be seen. */
const SET_UPS: Readonly<Record<string, SecondSandbox>> = {
  'access.subject': {
    fixture: KEY_ACCESS,
    settings: { 'users.record': 'full' },
    options: { expected: toSettings({ 'users.record': 'full' }) },
  },
  ...Object.fromEntries(
    listObservability()
      .filter(({ needs }) => needs.includes('receiver'))
      .map(({ setting }) => [setting, { receives: true }]),
  ),
}

describe.each(LEVELS)('at the level %s', (level) => {
  const cases = listObservability()
    .filter((row) => row.level === level)
    .flatMap(({ setting }) => valuesOf(setting).map((value) => [setting, value] as const))

  it('confirms a provider that does as the sandbox', async () => {
    const calibration = await calibrateSecond({ level, receives: level !== 'read' })
    expect(calibration.drift).toEqual([])
    expect(differencesOf(calibration)).toEqual({})
    expect(calibration.leftBehind).toEqual([])
    const unmeasured = calibration.findings.filter(({ verdict }) => verdict === 'not measured')
    expect(unmeasured.map(({ setting }) => setting)).toEqual(['access.subject'])
  })

  it.each(cases)('finds that %s is %s, and nothing else', async (setting, value) => {
    const { settings, ...setUp } = SET_UPS[setting] ?? {}
    const changed = { ...settings, [setting]: value }
    const calibration = await calibrateSecond({ level, ...setUp, settings: changed })
    expect(differencesOf(calibration)).toEqual({ [setting]: value })
    expect(calibration.drift).toEqual([])
  })
})
