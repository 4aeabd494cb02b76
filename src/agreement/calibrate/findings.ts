import {
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { findOperation } from '../operations.ts'
import { levelOf, listObservability, probesFor, STEPS, statusSteps } from './probes.ts'
import type { Exchange } from './provider.ts'
import { isOk } from './reading.ts'
import {
  CannotImitate,
  type Context,
  type Level,
  NotMeasured,
  type Reading,
  rankOf,
  type StepResult,
  toNotMeasured,
} from './step.ts'

export type FindingVerdict = 'agrees' | 'set' | 'cannot imitate' | 'not known'

/** What a calibration says about one setting. */
export interface Finding {
  setting: SettingId
  verdict: FindingVerdict
  /** What the sandbox does. */
  expected: SettingValue
  /** What the provider does, where an option says it. */
  actual: SettingValue | null
  /** Why it is not known, or what was seen that no option is. */
  why: string | null
  /** The steps whose responses it rests on. */
  steps: readonly string[]
  /** Whether something went wrong, as opposed to an option that was not given. */
  isFailure: boolean
}

export interface Measured {
  results: ReadonlyMap<string, StepResult>
  exchanges: readonly Exchange[]
  context: Context
}

/** A value with the steps that show it, or why there is none. */
type Seen = { value: SettingValue; steps: readonly string[] } | NotMeasured | CannotImitate

/** What each setting is, by what one run has seen. */
export function findAll(run: Measured, level: Level, expected: Settings): Finding[] {
  const reasons = new Map(listObservability().map((row) => [row.setting, row]))
  return SETTING_IDS.map((setting) => {
    const { format, parse } = settingOf(setting)
    const seen = see(run, setting, level)
    const ours = format(expected[setting])
    const base = { setting, expected: ours, actual: null, why: null, steps: [], isFailure: false }
    if (seen === undefined) {
      const row = reasons.get(setting)
      const why = row?.level ? `it takes --level ${row.level}` : (row?.why ?? 'nothing shows it')
      return { ...base, verdict: 'not known', why }
    }
    if (seen instanceof NotMeasured) {
      const { message: why, isFailure } = seen
      return { ...base, verdict: 'not known', why, isFailure }
    }
    const ids = probesFor(setting).flatMap(({ steps }) => steps)
    if (seen instanceof CannotImitate) {
      return { ...base, verdict: 'cannot imitate', why: seen.message, steps: ids }
    }
    const parsed = parse(seen.value)
    if (parsed === undefined) {
      return { ...base, verdict: 'cannot imitate', why: show(seen.value), steps: seen.steps }
    }
    const actual = format(parsed)
    const verdict = String(actual) === String(ours) ? 'agrees' : 'set'
    return { ...base, verdict, actual, steps: seen.steps }
  })
}

/** Anything but plain words may be somebody's. */
const show = (value: SettingValue): string =>
  /^[\w .,-]{1,200}$/.test(String(value)) ? `it is ${value}` : 'it is something else'

/** Undefined where nothing of this level looks at a setting. */
function see(run: Measured, setting: SettingId, level: Level): Seen | undefined {
  const probes = probesFor(setting).filter(({ steps }) => rankOf(levelOf(steps)) <= rankOf(level))
  const tried = probes.map(({ steps, find }): Seen => {
    const values: Record<string, unknown> = {}
    for (const id of steps) {
      const step = run.results.get(id)
      // A step that failed shows nothing; a probe that can do without says so by `undefined`.
      if (step === undefined) return new NotMeasured('the run ended before')
      if ('problem' in step) return step.problem
      values[id] = step.result
    }
    return attempt(() => ({ value: find(values, run.context), steps }))
  })
  const statuses = seeStatus(run, setting, level)
  const all = [...tried, ...(statuses === undefined ? [] : [statuses])]
  return all.findLast((seen) => !(seen instanceof NotMeasured)) ?? all[0]
}

/** The status that most responses have which are made to meet one error, or are one success. */
function seeStatus(run: Measured, setting: SettingId, level: Level): Seen | undefined {
  const votes: { status: number; step: string }[] = []
  const within = statusSteps(setting).filter((id) => rankOf(levelOf([id])) <= rankOf(level))
  const problems = within.flatMap((id) => {
    const seen = seeRefusal(run, id)
    if (seen instanceof NotMeasured) return [seen]
    votes.push({ status: seen, step: id })
    return []
  })
  const quote = run.results.get('quote')
  // A server of something else has successes, too.
  const isShowing = quote !== undefined && 'result' in quote
  for (const { step, route, path, reading, problem } of isShowing ? run.exchanges : []) {
    const [method = ''] = route.split(' ')
    const { id } = findOperation(method, path.split('?')[0] ?? '') ?? {}
    const isShown = setting === `status.${id}` && reading && problem === null && isOk(reading)
    if (isShown && reading && step !== 'put back') votes.push({ status: reading.status, step })
  }
  const counts = new Map<number, number>()
  for (const { status } of votes) counts.set(status, (counts.get(status) ?? 0) + 1)
  // Of two that are equally frequent, the one that the sandbox has.
  const usual = Number(settingOf(setting).default)
  const weightOf = ([status, count]: [number, number]) => count + (status === usual ? 0.5 : 0)
  const [most] = [...counts].sort((a, b) => weightOf(b) - weightOf(a))
  if (most === undefined) return problems[0]
  const [value] = most
  return { value, steps: votes.flatMap(({ status, step }) => (status === value ? [step] : [])) }
}

/** A call without the flaw must have succeeded; else the flaw is not what was refused. */
function seeRefusal({ results }: Measured, id: string): number | NotMeasured {
  const { code = '', control } = STEPS[id]?.refusal ?? {}
  const own = results.get(id)
  if (own === undefined) return new NotMeasured('the run ended before')
  if ('problem' in own) return own.problem
  const other = control === undefined ? undefined : results.get(control)
  if (other && ('problem' in other || !isSuccess(other.result))) {
    return new NotMeasured('the same call without a mistake did not succeed')
  }
  const { status } = own.result as Reading
  const isOfCredentials = /key|token|login|code$|verified/.test(code)
  if (status === 401 && !isOfCredentials) {
    return new NotMeasured('the response is 401, so other credentials are missing')
  }
  return status < 300 ? 200 : status
}

function isSuccess(result: unknown): boolean {
  const { status, verified } = result as { status?: number; verified?: Reading }
  if (verified !== undefined) return isOk(verified)
  return status === undefined || (status >= 200 && status < 300)
}

function attempt(act: () => Seen): Seen {
  try {
    return act()
  } catch (error) {
    if (error instanceof CannotImitate) return error
    return toNotMeasured(error)
  }
}

/**
 * Withdraws what a sandbox with these settings does not bear out: under them, the same probe of the
 * same calls must find the same value.
 */
export function withdraw(findings: readonly Finding[], model: Measured, level: Level): Finding[] {
  return findings.map((finding) => {
    const { setting, actual } = finding
    if (actual === null) return finding
    const seen = see(model, setting, level)
    if (seen === undefined || seen instanceof NotMeasured) return finding
    const { format, parse } = settingOf(setting)
    const parsed = seen instanceof CannotImitate ? undefined : parse(seen.value)
    if (parsed !== undefined && String(format(parsed)) === String(actual)) return finding
    return { ...finding, verdict: 'cannot imitate', actual: null, why: show(actual) }
  })
}

/** The settings that were found, to start a sandbox with. */
export function toSettingsFile(findings: readonly Finding[]): Record<string, SettingValue> {
  const found = findings.flatMap(({ setting, actual }): [string, SettingValue][] =>
    actual === null ? [] : [[setting, actual]],
  )
  return Object.fromEntries(found)
}
