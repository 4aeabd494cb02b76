import { describe, expect, it } from 'vitest'
import { LEVELS, type Level, rankOf } from '../../src/agreement/calibrate/step.ts'
import { listObservability } from '../../src/agreement/calibrate/steps.ts'
import { SETTING_IDS, toSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import {
  calibrateSecond,
  differencesOf,
  KEY_ACCESS,
  OUTSTANDING,
  type SecondSandbox,
  wrongClaimsOf,
} from './second-sandbox.ts'
import { valuesOf } from './values.ts'

describe('every setting', () => {
  it('can be observed, or says why not', () => {
    const rows = listObservability()
    expect(rows.map(({ setting }) => setting)).toEqual([...SETTING_IDS])
    expect(rows.filter(({ level, why }) => level === null && why === null)).toEqual([])
  })
})

/** What some settings need to be seen. */
const SET_UPS: Readonly<Record<string, SecondSandbox>> = {
  'access.subject': {
    fixture: KEY_ACCESS,
    settings: { 'fields.findUsers': 'full' },
    options: { expected: toSettings({ 'fields.findUsers': 'full' }) },
  },
  'status.requirements-outstanding': { fixture: OUTSTANDING },
  ...Object.fromEntries(
    listObservability()
      .filter(({ needs }) => (needs as readonly string[]).includes('receiver'))
      .map(({ setting }) => [setting, { receives: true }]),
  ),
}

/** One of so many cases is looked at, unless all are. */
const CASES_STEP = 8

describe.each(LEVELS)('at the level %s', (level) => {
  const all = listObservability()
    .filter((row) => row.level === level)
    .flatMap(({ setting }) => valuesOf(setting).map((value) => [setting, value] as const))
  const cases = all.filter((_, i) => isFullDepth || i % CASES_STEP === 0)

  it('agrees with a provider that does as the sandbox', async () => {
    const calibration = await calibrateSecond({ level, receives: level !== 'read' })
    expect(calibration.drift).toEqual([])
    expect(differencesOf(calibration)).toEqual({})
    expect(calibration.leftBehind).toEqual([])
    const others = calibration.findings.filter(({ verdict }) => verdict === 'cannot imitate')
    expect(others).toEqual([])
  })

  it.each(cases)('finds that %s is %s, and nothing else', async (setting, value) => {
    const { settings, ...setUp } = SET_UPS[setting] ?? {}
    const changed = { ...settings, [setting]: value }
    const calibration = await calibrateSecond({ level, ...setUp, settings: changed })
    expect(wrongClaimsOf(calibration, changed)).toEqual({})
    expect(differencesOf(calibration)).toMatchObject({ [setting]: value })
    expect(calibration.drift).toEqual([])
  })
})

it.each(['POLY', 'ARB', 'BASE'])(
  'finds at the level money that quotes.bareLabels is %s, by the payment type',
  async (value) => {
    const settings = { 'quotes.bareLabels': value }
    const calibration = await calibrateSecond({ level: 'money', settings })
    expect(differencesOf(calibration)).toEqual(settings)
    expect(calibration.drift).toEqual([])
  },
)

/** Each setting is changed in four of ten combinations. */
function combination(level: Level): fc.Arbitrary<Record<string, SettingValue>> {
  const rows = listObservability().filter((row) => {
    return row.level !== null && rankOf(row.level) <= rankOf(level) && valuesOf(row.setting)[0]
  })
  const each = rows.map(({ setting }) =>
    fc.tuple(fc.constant(setting), fc.nat(9), fc.constantFrom(...valuesOf(setting))),
  )
  return fc
    .tuple(...each)
    .map((tuples) =>
      Object.fromEntries(
        tuples.flatMap(([setting, chance, value]): [string, SettingValue][] =>
          chance < 4 ? [[setting, value]] : [],
        ),
      ),
    )
}

describe(`random combinations of settings (TEST_SEED=${seed})`, () => {
  it.each(LEVELS)(
    'lead to no wrong claim at the level %s',
    async (level) => {
      const holds = fc.asyncProperty(combination(level), async (settings) => {
        const calibration = await calibrateSecond({ level, settings })
        expect(wrongClaimsOf(calibration, settings)).toEqual({})
      })
      await fc.assert(holds, { numRuns: isFullDepth ? 8 : 2, endOnFailure: true })
    },
    300_000,
  )
})
