import { describe, expect, it } from 'vitest'
import { lowestLevel, stepsWithin } from '../../src/calibrate/findings.ts'
import { LEVELS } from '../../src/calibrate/run.ts'
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

/** What some settings need to be seen; the others are looked at several at a time. */
const SET_UPS: Readonly<Record<string, SecondSandbox>> = {
  // Where v1 has ended, nothing else of it is seen.
  'v1.sunset': {},
  // Without a coin there is no price in it.
  'quotes.labels': {},
  'status.requirements-outstanding': { fixture: OUTSTANDING },
  // It shows by statuses that are not 400 in v2.
  'errors.v1': {},
  // An empty list has no shape.
  'requirements.shape': { fixture: OUTSTANDING },
  // Another payment type does not name the chain.
  'quotes.bareLabels': {},
  'users.create.event': { receives: true },
  'webhooks.test': { receives: true },
  'names.envelopeId': { receives: true },
  'names.headerPrefix': { receives: true },
  'names.securityAnswerField': { receives: true },
}

/** Limits show at a lower level only where they need no token. */
const levelOf = (setting: SettingId) =>
  /^limits\.(maximum|selfServe)|^auth\.getLimits/.test(setting) ? 'write' : lowestLevel(setting)

const TOGETHER = 10
/** One of so many runs is made without the full depth. */
const RUNS_STEP = isFullDepth ? 1 : 9

type Case = readonly [SettingId, string | number]

/** Every value of the settings once. */
function runsOf(settings: readonly SettingId[]): Case[][] {
  const most = Math.max(...settings.map((setting) => valuesOf(setting).length))
  return Array.from({ length: most }, (_, nth) => {
    const cases = settings.flatMap((setting): Case[] =>
      valuesOf(setting)
        .slice(nth, nth + 1)
        .map((value) => [setting, value]),
    )
    const alone = cases.filter(([setting]) => setting in SET_UPS)
    const others = cases.filter(([setting]) => !(setting in SET_UPS))
    const count = Math.ceil(others.length / TOGETHER)
    const together = Array.from({ length: count }, (_, i) =>
      others.slice(i * TOGETHER, (i + 1) * TOGETHER),
    )
    return [...alone.map((one) => [one]), ...together]
  }).flat()
}

describe.each(LEVELS)('at the level %s', (level) => {
  const settings = SETTING_IDS.filter((setting) => levelOf(setting) === level)
  const runs = runsOf(settings)
    .filter((_, i) => i % RUNS_STEP === 0)
    .map((cases) => [cases.map((one) => one.join(' is ')).join(', '), cases] as const)

  it.each(runs)('finds that %s, and nothing else', async (_, cases) => {
    const given = Object.fromEntries(cases)
    const { settings, ...setUp } = SET_UPS[cases[0]?.[0] ?? ''] ?? {}
    const changed = { ...settings, ...given }
    const calibration = await calibrateSecond({ level, ...setUp, settings: changed })
    expect(wrongClaimsOf(calibration, changed)).toEqual({})
    expect(differencesOf(calibration)).toMatchObject(given)
    expect(calibration.drift).toEqual([])
  })
})

// Each level has the steps of those below.
describe('at all levels', () => {
  it('agrees with a provider that does as the sandbox', async () => {
    const calibration = await calibrateSecond({ level: 'money', receives: true })
    const { drift, notPutBack, findings } = calibration
    const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
    expect([drift, notPutBack, others, differencesOf(calibration)]).toEqual([[], [], [], {}])
  })

  /** Each setting is changed in every other combination. */
  const combinations = fc.record(
    Object.fromEntries(
      SETTING_IDS.flatMap((setting) => {
        const isShown = stepsWithin('money').some(({ tells }) => setting in tells)
        const values = isShown ? valuesOf(setting) : []
        if (values.length === 0) return []
        return [[setting, fc.option(fc.constantFrom(...values), { freq: 1, nil: undefined })]]
      }),
    ),
  )

  it(`makes no wrong claim of random combinations of settings (TEST_SEED=${seed})`, async () => {
    const holds = fc.asyncProperty(
      combinations,
      fc.constantFrom(...(isFullDepth ? LEVELS : (['money'] as const))),
      async (given, level) => {
        const changed = Object.entries(given).filter(([, value]) => value !== undefined)
        const settings = Object.fromEntries(changed) as Record<string, SettingValue>
        expect(wrongClaimsOf(await calibrateSecond({ level, settings }), settings)).toEqual({})
      },
    )
    await fc.assert(holds, { numRuns: isFullDepth ? 6 : 1, endOnFailure: true })
  }, 300_000)
})
