import { type SettingId, type Settings, settingOf } from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { findOperation } from '../operations.ts'
import type { Exchange } from './provider.ts'
import { isOk } from './reading.ts'
import type { MeasuredRun } from './run.ts'
import { CannotImitate, type Level, NotMeasured, type Reading, toNotMeasured } from './step.ts'
import { FINDINGS, isWithin, listObservability, STEPS, stepsFor } from './steps.ts'

export type FindingVerdict = 'agrees' | 'set' | 'cannot imitate' | 'not known'

/** What a calibration says about one setting. */
export interface Finding {
  setting: SettingId
  verdict: FindingVerdict
  /** What the sandbox does. */
  expected: SettingValue
  /** What the provider does, where an option says it. */
  actual: SettingValue | null
  /** The option that comes next to what the provider does, where none says it. */
  nearest: SettingValue | null
  /** Why it is not known, or what was seen that no option is. */
  why: string | null
  /** The steps whose responses it rests on. */
  steps: readonly string[]
  /** Whether something went wrong, as opposed to an option that was not given. */
  isFailure: boolean
}

type Seen = { steps: readonly string[] } & (
  | { value: SettingValue }
  | { problem: NotMeasured | CannotImitate }
)

/** What each setting is, by what one run has seen. */
export function findAll(run: MeasuredRun, level: Level, expected: Settings): Finding[] {
  return listObservability().map(({ setting, level: lowest, why: whyNot }) => {
    const { format } = settingOf(setting)
    const seen = see(run, setting, level)
    const ours = format(expected[setting])
    const empty = { actual: null, nearest: null, why: null, isFailure: false }
    const base = { setting, expected: ours, steps: seen?.steps ?? [], ...empty }
    if (seen === undefined) {
      const why = lowest === null ? whyNot : `it takes --level ${lowest}`
      return { ...base, verdict: 'not known', why }
    }
    if ('problem' in seen) {
      const { problem } = seen
      const { message: why } = problem
      if (problem instanceof NotMeasured) {
        return { ...base, verdict: 'not known', why, isFailure: problem.isFailure }
      }
      return { ...base, verdict: 'cannot imitate', why, nearest: problem.nearest }
    }
    const actual = toOption(setting, seen.value)
    if (actual === undefined) {
      return { ...base, verdict: 'cannot imitate', why: show(seen.value) }
    }
    return { ...base, verdict: String(actual) === String(ours) ? 'agrees' : 'set', actual }
  })
}

/** A value as people write it; undefined for one that is no option. */
function toOption(setting: SettingId, value: SettingValue): SettingValue | undefined {
  const { format, parse } = settingOf(setting)
  const parsed = parse(value)
  return parsed === undefined ? undefined : format(parsed)
}

/** Anything but plain words may be somebody's. */
const show = (value: SettingValue): string =>
  /^[\w .,-]{1,200}$/.test(String(value)) ? `it is ${value}` : 'it is something else'

/** Of several steps that show a setting, the last that says something; undefined without any. */
function see(run: MeasuredRun, setting: SettingId, level: Level): Seen | undefined {
  const found = stepsFor(setting)
    .filter((id) => isWithin(id, level) && setting in (FINDINGS[id] ?? {}))
    .map((id): Seen => {
      const steps = [id]
      const resultOf = (other: string) => {
        const result = run.results.get(other) ?? new NotMeasured('the run ended before')
        if (result instanceof NotMeasured) throw result
        return result.value
      }
      const seen = (other: string) => {
        steps.push(other)
        return resultOf(other) as Reading
      }
      try {
        const value = FINDINGS[id]?.[setting]?.(resultOf(id), seen, run.context)
        return { steps, value: value ?? '' }
      } catch (error) {
        return { steps, problem: error instanceof CannotImitate ? error : toNotMeasured(error) }
      }
    })
  const status = seeStatus(run, setting, level)
  const all = status === undefined ? found : [...found, status]
  const isSaying = (seen: Seen) => 'value' in seen || seen.problem instanceof CannotImitate
  return all.findLast(isSaying) ?? all[0]
}

interface Vote {
  status: number
  step: string
}

/** The status of all responses which are made to meet one error, or are one success. */
function seeStatus(run: MeasuredRun, setting: SettingId, level: Level): Seen | undefined {
  const problems: NotMeasured[] = []
  const votes = stepsFor(setting).flatMap((step): Vote[] => {
    if (STEPS[step]?.meets !== setting.slice('status.'.length) || !isWithin(step, level)) return []
    const status = seeRefusal(run, step)
    if (typeof status === 'number') return [{ step, status }]
    problems.push(status)
    return []
  })
  votes.push(...successesOf(run, setting))
  const counts = new Map<number, number>()
  for (const { status } of votes) counts.set(status, (counts.get(status) ?? 0) + 1)
  // Of two that are equally frequent, the one that the sandbox has.
  const usual = settingOf(setting).default
  const weightOf = ([status, count]: [number, number]) => count + (status === usual ? 0.5 : 0)
  const sorted = [...counts].sort((a, b) => weightOf(b) - weightOf(a))
  const [most, ...others] = sorted.map(([status]) => status)
  const steps = [...new Set(votes.map(({ step }) => step))]
  if (most === undefined) return problems[0] && { steps, problem: problems[0] }
  if (others.length === 0) return { steps, value: most }
  const all = [most, ...others].sort().join(' or ')
  return { steps, problem: new CannotImitate(`it is ${all}, by call`, most) }
}

/** A server of something else has successes, too, but no quotes. */
function successesOf({ results, exchanges }: MeasuredRun, setting: SettingId): Vote[] {
  if (results.get('quote') instanceof NotMeasured) return []
  return exchanges.flatMap((exchange) => {
    const { step, reading, problem } = exchange
    const isShown = reading && problem === null && step !== 'put back' && isOk(reading)
    return isShown && setting === `status.${operationOf(exchange)}`
      ? [{ status: reading.status, step }]
      : []
  })
}

/** The id of the operation that was called. */
export function operationOf({ route, path }: Exchange): string | undefined {
  return findOperation(route.split(' ')[0] ?? '', path.split('?')[0] ?? '')?.id
}

/** A call without the mistake must have succeeded; else the mistake is not what was refused. */
function seeRefusal({ results }: MeasuredRun, id: string): number | NotMeasured {
  const { meets = '', unlike = '' } = STEPS[id] ?? {}
  const own = results.get(id) ?? new NotMeasured('the run ended before')
  if (own instanceof NotMeasured) return own
  const other = results.get(unlike)
  if (!other || other instanceof NotMeasured || !isOk(other.value as Reading)) {
    return new NotMeasured('the same call without a mistake did not succeed')
  }
  const { status } = own.value as Reading
  if (status === 401 && !/key|token|login|code$|verified/.test(meets)) {
    return new NotMeasured('the response is 401, so other credentials are missing')
  }
  return status < 300 ? 200 : status
}

/**
 * Withdraws what a sandbox with these settings does not bear out: under them, the same steps must
 * show the same value.
 */
export function withdraw(
  findings: readonly Finding[],
  model: MeasuredRun,
  level: Level,
): Finding[] {
  return findings.map((finding) => {
    const { setting, actual } = finding
    const seen = actual === null ? undefined : see(model, setting, level)
    if (!seen || actual === null) return finding
    if ('problem' in seen && seen.problem instanceof NotMeasured) return finding
    const ours = 'value' in seen ? toOption(setting, seen.value) : undefined
    if (String(ours) === String(actual)) return finding
    return { ...finding, verdict: 'cannot imitate', actual: null, why: show(actual) }
  })
}

/** The settings that were found, or what comes next to them, to start a sandbox with. */
export function toSettingsFile(findings: readonly Finding[]): Record<string, SettingValue> {
  const found = findings.flatMap(({ setting, actual, nearest }): [string, SettingValue][] => {
    const value = actual ?? nearest
    return value === null ? [] : [[setting, value]]
  })
  return Object.fromEntries(found)
}
