import { describe, expect, it } from 'vitest'
import { LEVELS } from '../../src/agreement/calibrate/probe.ts'
import { listObservability } from '../../src/agreement/calibrate/probes.ts'
import { UNOBSERVABLE } from '../../src/agreement/calibrate/unobservable.ts'
import { SETTING_IDS, toSettings } from '../../src/world/settings/index.ts'
import { isFullDepth } from '../helpers/depth.ts'
import {
  calibrateSecond,
  differencesOf,
  KEY_ACCESS,
  OUTSTANDING,
  type SecondSandbox,
} from './second-sandbox.ts'
import { valuesOf } from './values.ts'

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
    settings: { 'fields.findUsers': 'full' },
    options: { expected: toSettings({ 'fields.findUsers': 'full' }) },
  },
  'status.requirements-outstanding': { fixture: OUTSTANDING },
  ...Object.fromEntries(
    listObservability()
      .filter(({ needs }) => needs.includes('receiver'))
      .map(({ setting }) => [setting, { receives: true }]),
  ),
}

/** What takes a user of another kind. */
const UNMEASURED = {
  read: ['access.subject'],
  write: ['access.subject'],
  money: ['access.subject', 'status.requirements-outstanding'],
} as const

/** One of so many cases is looked at, unless all are. */
const CASES_STEP = 8

describe.each(LEVELS)('at the level %s', (level) => {
  const all = listObservability()
    .filter((row) => row.level === level)
    .flatMap(({ setting }) => valuesOf(setting).map((value) => [setting, value] as const))
  const cases = all.filter((_, i) => isFullDepth || i % CASES_STEP === 0)

  it('confirms a provider that does as the sandbox', async () => {
    const calibration = await calibrateSecond({ level, receives: level !== 'read' })
    expect(calibration.drift).toEqual([])
    expect(differencesOf(calibration)).toEqual({})
    expect(calibration.leftBehind).toEqual([])
    const unmeasured = calibration.findings.filter(({ verdict }) => verdict === 'not measured')
    expect(unmeasured.map(({ setting }) => setting)).toEqual(UNMEASURED[level])
  })

  it.each(cases)('finds that %s is %s, and nothing else', async (setting, value) => {
    const { settings, ...setUp } = SET_UPS[setting] ?? {}
    const changed = { ...settings, [setting]: value }
    const calibration = await calibrateSecond({ level, ...setUp, settings: changed })
    expect(differencesOf(calibration)).toEqual({ [setting]: value })
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
