import {
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { Context } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import type { Level, Probe } from './probe.ts'
import { levelOf, listObservability, PROBES, probesFor, rankOf } from './probes.ts'
import { type StepResult, toNotMeasured } from './run.ts'

export type FindingVerdict = 'confirmed' | 'differs' | 'not measured' | 'not observable'

/** What a calibration says about one setting. */
export interface Finding {
  setting: SettingId
  verdict: FindingVerdict
  /** What the sandbox does. */
  expected: SettingValue
  /** What the provider does, where that was measured. */
  actual: SettingValue | null
  /** Why it was not measured or cannot be observed. */
  why: string | null
  /** The steps whose answers it rests on. */
  steps: readonly string[]
  /** Whether something went wrong, as opposed to an option that was not given. */
  isFailure: boolean
}

interface FindOptions {
  level: Level
  expected: Settings
  context: Context
}

const WORDS = /^[a-z][a-z .-]{0,40}$/

type StepResults = ReadonlyMap<string, StepResult>

/** The settings all of whose probes have their answers since a step was made. */
export function settledBy(step: string, results: StepResults, level: Level): SettingId[] {
  const concerned = PROBES.filter(({ steps }) => steps.includes(step)).map(({ setting }) => setting)
  return [...new Set(concerned)].filter((setting) =>
    probesFor(setting)
      .filter((probe) => rankOf(levelOf(probe)) <= rankOf(level))
      .every(({ steps }) => steps.every((id) => results.has(id))),
  )
}

export function findAll(results: StepResults, options: FindOptions): Finding[] {
  return SETTING_IDS.map((setting) => findSetting(setting, results, options))
}

export function findSetting(
  setting: SettingId,
  results: StepResults,
  { level, expected, context }: FindOptions,
): Finding {
  const { format, parse } = settingOf(setting)
  const ours = format(expected[setting])
  const base = { setting, expected: ours, actual: null, why: null, steps: [], isFailure: false }
  const within = probesFor(setting).filter((probe) => rankOf(levelOf(probe)) <= rankOf(level))
  if (within.length === 0) return { ...base, verdict: 'not observable', why: whyNot(setting) }
  const tried = within.map((probe) => ({ probe, found: find(probe, results, context) }))
  const best = tried.findLast(({ found }) => !(found instanceof NotMeasured)) ?? tried[0]
  const { found, probe } = best ?? { found: new NotMeasured('no probe looked at it') }
  const steps = probe?.steps ?? []
  if (found instanceof NotMeasured) {
    const { message, isFailure } = found
    return { ...base, verdict: 'not measured', why: message, steps, isFailure }
  }
  const parsed = parse(found)
  if (parsed === undefined) {
    // Anything but a plain word may be somebody's.
    const shown = WORDS.test(String(found)) ? `“${found}”` : 'a value'
    const why = `the answer says ${shown}, which no option of the sandbox is`
    return { ...base, verdict: 'not measured', why, steps }
  }
  const verdict = parsed === expected[setting] ? 'confirmed' : 'differs'
  return { ...base, verdict, actual: format(parsed), steps }
}

function find(probe: Probe, results: StepResults, context: Context): SettingValue | NotMeasured {
  const values: Record<string, unknown> = {}
  for (const id of probe.steps) {
    const step = results.get(id)
    if (step === undefined) return new NotMeasured('the run ended before')
    if ('problem' in step) return step.problem
    values[id] = step.result
  }
  try {
    return probe.find(values, context)
  } catch (error) {
    return toNotMeasured(error)
  }
}

function whyNot(setting: SettingId): string {
  const { level, why } = listObservability().find((row) => row.setting === setting) ?? {}
  return level ? `it takes --level ${level}` : (why ?? 'nothing shows it')
}
