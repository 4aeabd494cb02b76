import { describe, expect, it } from 'vitest'
import { lowestLevel, stepsWithin } from '../../src/agreement/calibrate/findings.ts'
import { LEVELS } from '../../src/agreement/calibrate/run.ts'
import { SETTING_IDS, type SettingId } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import {
  calibrateSecond,
  differencesOf,
  OUTSTANDING,
  type SecondSandbox,
  wrongClaimsOf,
} from './second-sandbox.ts'
import { valuesOf } from './values.ts'

/** What some settings need to be seen. */
const SET_UPS: Readonly<Record<string, SecondSandbox>> = {
  'status.requirements-outstanding': { fixture: OUTSTANDING },
  'users.create.event': { receives: true },
  'webhooks.test': { receives: true },
  'names.envelopeId': { receives: true },
  'names.headerPrefix': { receives: true },
  'names.securityAnswerField': { receives: true },
}

/** Limits show at a lower level only where they need no token. */
const levelOf = (setting: SettingId) =>
  /^limits\.(maximum|selfServe)|^auth\.getLimits/.test(setting) ? 'write' : lowestLevel(setting)

/** One of so many cases is looked at; all of them by hand, with CASES_STEP=1. */
const CASES_STEP = Number(process.env.CASES_STEP ?? (isFullDepth ? 3 : 12))

describe.each(LEVELS)('at the level %s', (level) => {
  it('agrees with a provider that does as the sandbox', async () => {
    const calibration = await calibrateSecond({ level, receives: level !== 'read' })
    const { drift, leftBehind, findings } = calibration
    const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
    expect([drift, leftBehind, others, differencesOf(calibration)]).toEqual([[], [], [], {}])
  })

  const cases = SETTING_IDS.filter((setting) => levelOf(setting) === level)
    .flatMap((setting) => valuesOf(setting).map((value) => [setting, value] as const))
    .filter((_, i) => i % CASES_STEP === 0)

  it.each(cases)('finds that %s is %s, and nothing else', async (setting, value) => {
    const { settings, ...setUp } = SET_UPS[setting] ?? {}
    const changed = { ...settings, [setting]: value }
    const calibration = await calibrateSecond({ level, ...setUp, settings: changed })
    expect(wrongClaimsOf(calibration, changed)).toEqual({})
    expect(differencesOf(calibration)).toMatchObject({ [setting]: value })
    expect(calibration.drift).toEqual([])
  })

  /** Each setting is changed in every other combination. */
  const combinations = fc.record(
    Object.fromEntries(
      SETTING_IDS.flatMap((setting) => {
        const isShown = stepsWithin(level).some(({ tells }) => setting in tells)
        const values = isShown ? valuesOf(setting) : []
        if (values.length === 0) return []
        return [[setting, fc.option(fc.constantFrom(...values), { freq: 1, nil: undefined })]]
      }),
    ),
  )

  it(`makes no wrong claim of random combinations of settings (TEST_SEED=${seed})`, async () => {
    const holds = fc.asyncProperty(combinations, async (given) => {
      const changed = Object.entries(given).filter(([, value]) => value !== undefined)
      const settings = Object.fromEntries(changed) as Record<string, SettingValue>
      expect(wrongClaimsOf(await calibrateSecond({ level, settings }), settings)).toEqual({})
    })
    await fc.assert(holds, { numRuns: isFullDepth ? 8 : 2, endOnFailure: true })
  }, 300_000)
})
