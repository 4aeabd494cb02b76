import { describe, expect, it } from 'vitest'
import { toSettingsFile } from '../../src/agreement/calibrate/calibrate.ts'
import { LEVELS, type Level } from '../../src/agreement/calibrate/probe.ts'
import { listObservability, rankOf } from '../../src/agreement/calibrate/probes.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import { calibrateSecond, FIXTURE, NOW } from './second-sandbox.ts'
import { listenTo, STORIES } from './stories.ts'
import { valuesOf } from './values.ts'

type Changed = Record<string, SettingValue>

/** Settings that show to a user who needs a token, and without a receiver. */
const settingsAt = (level: Level) =>
  listObservability()
    .filter((row) => row.level !== null && rankOf(row.level) <= rankOf(level))
    .filter(({ setting, needs }) => setting !== 'access.subject' && !needs.includes('receiver'))
    .map(({ setting }) => setting)

/** Each setting is changed in four of ten combinations. */
function combination(level: Level): fc.Arbitrary<Changed> {
  const each = settingsAt(level).map((setting) =>
    fc.tuple(fc.constant(setting), fc.nat(9), fc.constantFrom(...valuesOf(setting))),
  )
  return fc
    .tuple(...each)
    .map((rows) =>
      Object.fromEntries(
        rows.flatMap(([setting, chance, value]): [string, SettingValue][] =>
          chance < 4 ? [[setting, value]] : [],
        ),
      ),
    )
}

/** Every answer of a sandbox to calls of a level. */
async function answersOf(level: Level, settings: Changed): Promise<string[]> {
  await using sandbox = await createSandbox({
    fixture: FIXTURE,
    settings,
    clock: NOW,
    listen: false,
  })
  const listener = listenTo(sandbox)
  for (const story of STORIES[level]) await story(listener, sandbox)
  return listener.answers
}

describe(`random combinations of settings (TEST_SEED=${seed})`, () => {
  it.each(LEVELS)(
    'at the level %s are found so that every answer is the same',
    async (level) => {
      const holds = fc.asyncProperty(combination(level), async (settings) => {
        const calibration = await calibrateSecond({ level, settings })
        expect(calibration.drift).toEqual([])
        const found = toSettingsFile(calibration.findings)
        expect(await answersOf(level, found)).toEqual(await answersOf(level, settings))
      })
      await fc.assert(holds, { numRuns: isFullDepth ? 8 : 1, endOnFailure: true })
    },
    300_000,
  )
})
