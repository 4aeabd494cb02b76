import {
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
} from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { CONTRACT_OPERATIONS, findOperation } from '../operations.ts'
import { HOOK_FINDINGS, HOOK_STEPS } from './hooks.ts'
import { MONEY_FINDINGS, MONEY_STEPS } from './money.ts'
import type { Exchange } from './provider.ts'
import { READ_FINDINGS, READ_STEPS, TOKEN_FINDINGS, TOKEN_STEPS } from './read.ts'
import { isOk } from './reading.ts'
import {
  type Ability,
  CannotImitate,
  type Context,
  type Gives,
  LEVELS,
  type Level,
  NotMeasured,
  type Reading,
  rankOf,
  type Step,
  toNotMeasured,
} from './step.ts'
import { WRITE_FINDINGS, WRITE_STEPS } from './write.ts'

/** In the order in which they are made. */
export const STEPS: Readonly<Record<string, Step>> = {
  ...READ_STEPS,
  ...WRITE_STEPS,
  ...HOOK_STEPS,
  ...TOKEN_STEPS,
  ...MONEY_STEPS,
}

/** What the responses of each step show, some of them together with those of steps before it. */
const FINDINGS = {
  ...{ ...READ_FINDINGS, ...WRITE_FINDINGS, ...HOOK_FINDINGS, ...TOKEN_FINDINGS },
  ...MONEY_FINDINGS,
} as Readonly<Record<string, Gives<unknown>>>

/** The steps that show a setting. */
const GIVING = new Map<string, string[]>()
for (const [id, { meets }] of Object.entries(STEPS)) {
  const met = meets === undefined ? [] : [`status.${meets}`]
  for (const setting of [...Object.keys(FINDINGS[id] ?? {}), ...met]) {
    GIVING.set(setting, [...(GIVING.get(setting) ?? []), id])
  }
}

export const stepsFor = (setting: SettingId): readonly string[] => GIVING.get(setting) ?? []

const levelOf = (step: string): Level => STEPS[step]?.level ?? 'read'

const BY_REASON: Readonly<Record<string, string>> = {
  'time would have to pass, or money to move': `login.code.ttl transactions.cancellable
    transactions.bankRefused transactions.settlement transactions.fundsAfter
    transactions.settleAfter transactions.buyWindow transactions.sellWindow transactions.expiryLag
    limits.active limits.cancelled limits.window webhooks.timeout status.expired-token
    status.quote-expired status.limit-active status.limit-cancelled tokens.afterStatusChange
    status.revoked-token v1.hooksAfterSunset v1.statusUpdateOnCreate v1.hooks.singleUrl
    status.v1-shut-down`,
  'it could lock somebody out, or replace or create something of yours': `login.code.attempts
    webhooks.withoutSecret requests.perMinute status.limit-maximum status.no-signing-secret
    status.too-many-requests status.body-too-large status.verified-field kyb.quarterOwners
    kyb.certificates status.duplicate-business status.unknown-account status.submitKyb
    status.rotateSigningSecret status.v1MakeSigningSecret`,
  'only a sandbox has it': 'tokens.time webhooks.time cors',
}

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_REASON).flatMap(([why, ids]) =>
    ids.split(/\s+/).map((id): [string, string] => [id, why]),
  ),
)

function whyUnobservable(setting: string): string {
  const isSuccess = CONTRACT_OPERATIONS.some(({ id }) => setting === `status.${id}`)
  const other = isSuccess ? 'no success of it was seen' : 'no call of calibrate meets it'
  return UNOBSERVABLE.get(setting) ?? other
}

/** The lowest level at which each setting can be found and what that needs, or why none would do. */
export function listObservability() {
  return SETTING_IDS.map((setting) => {
    const ways = stepsFor(setting)
    const level = LEVELS.find((one) => ways.some((id) => levelOf(id) === one)) ?? null
    const lowest = ways.findLast((id) => levelOf(id) === level)
    const needs: readonly Ability[] = STEPS[lowest ?? '']?.needs ?? []
    return { setting, level, needs, why: lowest === undefined ? whyUnobservable(setting) : null }
  })
}

export const isWithin = (step: string, level: Level) => rankOf(levelOf(step)) <= rankOf(level)

/** What one run has seen. */
export interface MeasuredRun {
  /** By step. */
  results: ReadonlyMap<string, { value: unknown } | NotMeasured>
  /** What could not be put back, with how to do it by hand. */
  leftBehind: string[]
  exchanges: readonly Exchange[]
  context: Context
}

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
