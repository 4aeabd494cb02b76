import {
  isSettingId,
  SETTING_IDS,
  type SettingId,
  type Settings,
  settingOf,
} from '../world/settings/index.ts'
import { SUCCESS_STATUSES } from '../world/settings/operations.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { HOOK_STEPS } from './hooks.ts'
import { MONEY_STEPS } from './money.ts'
import { READ_STEPS, TOKEN_STEPS } from './read.ts'
import {
  CannotImitate,
  isLegacyError,
  isOk,
  NotMeasured,
  notMeasured,
  type Reading,
  Shown,
  toNotMeasured,
} from './reading.ts'
import { LEVELS, type Level, PUT_BACK, type Run } from './run.ts'
import type { Step } from './step.ts'
import { UNOBSERVABLE } from './unobservable.ts'
import { WRITE_STEPS } from './write.ts'

const TABLES: Record<Level, Readonly<Record<string, Step>>> = {
  read: READ_STEPS,
  // Webhooks come first, so that the events about new users reach the run.
  write: { ...HOOK_STEPS, ...WRITE_STEPS, ...TOKEN_STEPS },
  money: MONEY_STEPS,
}

/** In the order in which they are made. */
const ROWS = LEVELS.flatMap((level) =>
  Object.entries(TABLES[level]).map(([id, step]) => ({ id, level, ...step })),
)

/** Calls that are sent at a level. */
export const stepsWithin = (level: Level) =>
  ROWS.filter((row) => LEVELS.indexOf(row.level) <= LEVELS.indexOf(level))

const findStep = (step: string) => ROWS.find(({ id }) => id === step)

/** The level at which a step is made. */
export const levelOfStep = (step: string): Level | undefined => findStep(step)?.level

/** The settings that a step's responses may show. */
export const settingsOf = (step: string): string[] => Object.keys(findStep(step)?.tells ?? {})

/** Returns the error that a step's call provokes. */
export function errorMetBy(step: string): string | undefined {
  const status = settingsOf(step).find((setting) => setting.startsWith('status.'))
  return status?.slice('status.'.length)
}

/** The lowest level at which a setting can be found. */
export const lowestLevel = (setting: SettingId): Level | undefined =>
  ROWS.find(({ tells }) => setting in tells)?.level

export type FindingVerdict = 'agrees' | 'set' | 'cannot imitate' | 'not known'

/** Finding of a calibration about one setting. */
export interface Finding {
  setting: SettingId
  verdict: FindingVerdict
  /** Value in the sandbox. */
  sandbox: SettingValue
  /** Value at the provider, if an option matches it. */
  provider: SettingValue | null
  /** Option closest to the provider's behaviour, if none matches it. */
  nearest: SettingValue | null
  /** Why the value is not known, or which behaviour matches no option. */
  why: string | null
  /** Steps whose responses led to the finding. */
  steps: readonly string[]
  /** Numbers of the exchanges that show it. */
  calls: readonly number[]
  /** True if something went wrong, not merely if a command-line option was missing. */
  isFailure: boolean
}

/** Finds the value of each setting from the responses of a run. */
export function findAll(run: Run, settings: Settings): Finding[] {
  const evidence = evidenceOf(run)
  return SETTING_IDS.map((setting) => {
    const { steps, shown, by } = agree(setting, evidence.get(setting) ?? [])
    const sandbox = settingOf(setting).format(settings[setting])
    const finding: Finding = {
      setting,
      verdict: 'not known',
      sandbox,
      provider: null,
      nearest: null,
      why: null,
      steps,
      calls: by.map((reading) => run.readings.indexOf(reading) + 1),
      isFailure: false,
    }
    if (shown instanceof NotMeasured) {
      return { ...finding, why: shown.message, isFailure: shown.isFailure }
    }
    if (shown instanceof CannotImitate) {
      const { message, nearest } = shown
      return { ...finding, verdict: 'cannot imitate', why: message, nearest }
    }
    const isSame = String(shown) === String(sandbox)
    return { ...finding, verdict: isSame ? 'agrees' : 'set', provider: shown }
  })
}

/** Value that one step shows of a setting. */
interface Evidence {
  /** The step, and the steps whose responses it also needs. */
  steps: string[]
  shown: SettingValue | NotMeasured | CannotImitate
  /** The exchanges that show it. */
  by: readonly Reading[]
}

/** Evidence of all steps, by setting. */
function evidenceOf(run: Run): Map<string, Evidence[]> {
  const evidence = new Map<string, Evidence[]>()
  const add = (setting: string, one: Evidence) =>
    evidence.set(setting, [...(evidence.get(setting) ?? []), one])
  for (const { id, tells } of ROWS.filter((row) => run.results.has(row.id))) {
    for (const [setting, tell] of Object.entries(tells)) {
      add(setting, toEvidence(run, { id, setting, tell }))
    }
  }
  // A server of another kind also responds with 200, but not with quotes.
  const isService = !(run.results.get('quote') instanceof NotMeasured)
  for (const reading of isService ? run.readings.filter(isOk) : []) {
    const { step, status, problem } = reading
    if (problem !== null || step === PUT_BACK || isLegacyError(reading)) continue
    const setting = `status.${reading.operation}`
    if (!isSettingId(setting)) continue
    add(setting, { steps: [step], shown: toOption(setting, status), by: [reading] })
  }
  return evidence
}

interface Question {
  id: string
  setting: string
  tell: Step['tells'][string]
}

/** Asks one step about one setting. */
function toEvidence(run: Run, { id, setting, tell }: Question): Evidence {
  const steps = [id]
  const seen = (step: string) => {
    steps.push(step)
    return assertPresent(run, run.readingOf(step))
  }
  // If a step made several calls and does not say which one counts, the last one does.
  const own = run.readings.filter(({ step }) => step === id).slice(-1)
  try {
    const result = run.readingOf(id)
    for (const reading of own) assertPresent(run, reading)
    const shown = tell(result, seen, run)
    // A step may show what an earlier call was made for.
    const last = own[0] ?? run.readings.find((reading) => reading === result)
    const { value, by } = shown instanceof Shown ? shown : { value: shown, by: last }
    return { steps, shown: toOption(setting, value), by: by ? [by] : [] }
  } catch (error) {
    const by = error instanceof CannotImitate && error.by.length > 0 ? error.by : own
    return { steps, shown: error instanceof CannotImitate ? error : toNotMeasured(error), by }
  }
}

/** Throws if all responses of the operation are those of a path that does not exist. */
function assertPresent(run: Run, reading: Reading): Reading {
  if (!run.isMissing(reading)) return reading
  return notMeasured(`the provider responds to ${reading.route} as to an unknown path`)
}

/** Formats a value that is an option of the setting. */
function toOption(setting: string, value: SettingValue): SettingValue | CannotImitate {
  const { parse, format } = settingOf(setting as SettingId)
  const parsed = parse(value)
  return parsed === undefined ? new CannotImitate(formatSeen(value)) : format(parsed)
}

/** Anything but plain words could be personal data. */
const formatSeen = (value: SettingValue): string =>
  /^[\w .,-]{1,200}$/.test(String(value)) ? `it is ${value}` : 'it is something else'

/** Combines the evidence about a setting, which has to agree. */
function agree(setting: SettingId, evidence: readonly Evidence[]): Evidence {
  const all = evidence.filter(({ shown }) => !(shown instanceof NotMeasured))
  const [first] = all
  if (first === undefined) return whyNone(setting, evidence)
  const other = all.find(({ shown }) => shown instanceof CannotImitate)
  if (other !== undefined) return other
  const values = all.map(({ shown }) => shown as SettingValue)
  const different = [...new Set(values)]
  if (different.length === 1) return first
  // One call of each value comes first, because the report shows the first two.
  const ofEach = different.flatMap((value) => all[values.indexOf(value)] ?? [])
  const seen = `it is ${[...different].sort().join(' or ')}, by call`
  return {
    steps: [...new Set([...ofEach, ...all].flatMap(({ steps }) => steps.slice(0, 1)))],
    shown: new CannotImitate(seen, { nearest: mostFrequent(values, setting) }),
    by: ofEach.slice(0, 2).flatMap(({ by }) => by),
  }
}

/** Picks the most frequent value; the sandbox's default wins a tie. */
function mostFrequent(values: readonly SettingValue[], setting: SettingId): SettingValue | null {
  const usual = settingOf(setting).default
  const weightOf = (value: SettingValue) =>
    values.filter((one) => one === value).length + (value === usual ? 0.5 : 0)
  const [most = null] = [...values].sort((a, b) => weightOf(b) - weightOf(a))
  return most
}

/** Explains why nothing shows a setting. */
function whyNone(setting: SettingId, evidence: readonly Evidence[]): Evidence {
  const failed = evidence.find(({ shown }) => shown instanceof NotMeasured && shown.isFailure)
  // The last step got furthest.
  const last = failed ?? evidence.at(-1)
  return last ?? { steps: [], shown: new NotMeasured(whyUnknown(setting)), by: [] }
}

const NEVER_CALLED = 'no call of a run triggers it'

/** Checks if any run can observe a setting. */
export const isObservable = ({ setting, why }: Finding): boolean =>
  !UNOBSERVABLE.has(setting) && why !== NEVER_CALLED

function whyUnknown(setting: SettingId): string {
  const lowest = lowestLevel(setting)
  if (lowest !== undefined) return `it takes --level ${lowest}`
  const isSuccess = Object.hasOwn(SUCCESS_STATUSES, setting)
  const other = isSuccess ? 'it never succeeded' : NEVER_CALLED
  return UNOBSERVABLE.get(setting) ?? other
}

/**
 * Withdraws findings that a sandbox with these settings does not confirm: the same steps must show
 * the same values there.
 */
export function withdraw(findings: readonly Finding[], model: Run, settings: Settings): Finding[] {
  const borneOut = findAll(model, settings)
  return findings.map((finding, i) => {
    const [{ provider }, own] = [finding, borneOut[i]]
    if (provider === null || own === undefined || own.verdict === 'not known') return finding
    if (String(own.provider) === String(provider)) return finding
    return { ...finding, verdict: 'cannot imitate', provider: null, why: formatSeen(provider) }
  })
}

/** Builds settings for a sandbox from the values found, or else the closest options. */
export function toSettingsFile(findings: readonly Finding[]): Record<string, SettingValue> {
  const found = findings.flatMap(({ setting, provider, nearest }): [string, SettingValue][] => {
    const value = provider ?? nearest
    return value === null ? [] : [[setting, value]]
  })
  return Object.fromEntries(found)
}
