import { SETTING_IDS, type SettingId, type Settings, settingOf } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { HOOK_STEPS } from './hooks.ts'
import { MONEY_STEPS } from './money.ts'
import { CONTRACT_OPERATIONS, findOperation } from './operations.ts'
import { READ_STEPS, TOKEN_STEPS } from './read.ts'
import { CannotImitate, isOk, NotMeasured, type Reading, toNotMeasured } from './reading.ts'
import { LEVELS, type Level, PUT_BACK, type Run } from './run.ts'
import type { Step } from './step.ts'
import { WRITE_STEPS } from './write.ts'

const TABLES: Record<Level, Readonly<Record<string, Step>>> = {
  read: READ_STEPS,
  write: { ...WRITE_STEPS, ...HOOK_STEPS, ...TOKEN_STEPS },
  money: MONEY_STEPS,
}

/** In the order in which they are made. */
const ROWS = LEVELS.flatMap((level) =>
  Object.entries(TABLES[level]).map(([id, step]) => ({ id, level, ...step })),
)

/** Calls that are sent at a level. */
export const stepsWithin = (level: Level) =>
  ROWS.filter((row) => LEVELS.indexOf(row.level) <= LEVELS.indexOf(level))

/** The level at which a step is made. */
export const levelOfStep = (step: string): Level | undefined =>
  ROWS.find(({ id }) => id === step)?.level

/** The lowest level at which a setting can be found. */
export const lowestLevel = (setting: SettingId): Level | undefined =>
  ROWS.find(({ tells }) => setting in tells)?.level

const BY_REASON = {
  'time would have to pass, or money to move': [
    'login.code.ttl',
    'transactions.cancellable',
    'transactions.bankRefused',
    'transactions.settlement',
    'transactions.fundsAfter',
    'transactions.settleAfter',
    'transactions.buyWindow',
    'transactions.sellWindow',
    'transactions.expiryLag',
    'limits.active',
    'limits.cancelled',
    'limits.window',
    'webhooks.timeout',
    'status.expired-token',
    'status.quote-expired',
    'status.limit-active',
    'status.limit-cancelled',
    'tokens.afterStatusChange',
    'status.revoked-token',
    'v1.hooksAfterSunset',
    'v1.statusUpdateOnCreate',
    'v1.hooks.singleUrl',
    'status.v1-shut-down',
  ],
  'it could lock somebody out, or replace or create something of yours': [
    'login.code.attempts',
    'webhooks.withoutSecret',
    'requests.perMinute',
    'status.limit-maximum',
    'status.no-signing-secret',
    'status.too-many-requests',
    'status.body-too-large',
    'status.verified-field',
    'kyb.quarterOwners',
    'kyb.certificates',
    'status.duplicate-business',
    'status.unknown-account',
    'status.submitKyb',
    'status.rotateSigningSecret',
    'status.v1MakeSigningSecret',
    'status.webhook-without-url',
  ],
  'only a sandbox has it': ['tokens.time', 'webhooks.time', 'cors'],
} satisfies Readonly<Record<string, readonly SettingId[]>>

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_REASON).flatMap(([why, ids]) => ids.map((id): [string, string] => [id, why])),
)

/** A run that was made, with the result of each step: a `NotMeasured` where it has none. */
export interface Observed {
  run: Run
  results: ReadonlyMap<string, unknown>
}

export type FindingVerdict = 'agrees' | 'set' | 'cannot imitate' | 'not known'

/** Finding of a calibration about one setting. */
export interface Finding {
  setting: SettingId
  verdict: FindingVerdict
  /** Value in the sandbox. */
  sandbox: SettingValue
  /** Value of the provider, where an option says it. */
  provider: SettingValue | null
  /** The option that comes next to what the provider does, where none says it. */
  nearest: SettingValue | null
  /** Why it is not known, or what was seen that no option is. */
  why: string | null
  /** The steps whose responses it rests on. */
  steps: readonly string[]
  /** Whether something went wrong, as opposed to an option that was not given. */
  isFailure: boolean
}

/** Finds the value of each setting, by what one run has seen. */
export function findAll(observed: Observed, settings: Settings): Finding[] {
  const evidence = evidenceOf(observed)
  return SETTING_IDS.map((setting) => {
    const { steps, shown } = agree(setting, evidence.get(setting) ?? [])
    const ours = settingOf(setting).format(settings[setting])
    const base = {
      setting,
      sandbox: ours,
      provider: null,
      nearest: null,
      why: null,
      steps,
      isFailure: false,
    }
    if (shown instanceof NotMeasured) {
      return { ...base, verdict: 'not known', why: shown.message, isFailure: shown.isFailure }
    }
    if (shown instanceof CannotImitate) {
      return { ...base, verdict: 'cannot imitate', why: shown.message, nearest: shown.nearest }
    }
    return { ...base, verdict: String(shown) === String(ours) ? 'agrees' : 'set', provider: shown }
  })
}

/** Value that one step shows of a setting, and the steps that it needs to tell. */
interface Evidence {
  steps: string[]
  shown: SettingValue | NotMeasured | CannotImitate
}

/** All that the steps of a run show, by setting. */
function evidenceOf({ results, run }: Observed): Map<string, Evidence[]> {
  const evidence = new Map<string, Evidence[]>()
  const add = (setting: string, one: Evidence) =>
    evidence.set(setting, [...(evidence.get(setting) ?? []), one])
  const resultOf = (step: string) => {
    const result = results.get(step)
    if (result instanceof NotMeasured) throw result
    return result as Reading
  }
  for (const { id, tells } of ROWS.filter((row) => results.has(row.id))) {
    for (const [setting, tell] of Object.entries(tells)) {
      const steps = [id]
      const seen = (step: string) => {
        steps.push(step)
        return resultOf(step)
      }
      const shown = toShown(setting, () => tell(resultOf(id), seen, run))
      add(setting, { steps, shown })
    }
  }
  // A server of something else has successes, too, but no quotes.
  const successes = results.get('quote') instanceof NotMeasured ? [] : run.readings.filter(isOk)
  for (const reading of successes) {
    const { step, status, problem } = reading
    const isShown = problem === null && step !== PUT_BACK
    if (isShown) add(`status.${operationOf(reading)}`, { steps: [step], shown: status })
  }
  return evidence
}

/** A value as people write it, if it is an option. */
function toShown(setting: string, tell: () => SettingValue): Evidence['shown'] {
  const { format, parse } = settingOf(setting as SettingId)
  try {
    const value = tell()
    const parsed = parse(value)
    return parsed === undefined ? new CannotImitate(formatSeen(value)) : format(parsed)
  } catch (error) {
    return error instanceof CannotImitate ? error : toNotMeasured(error)
  }
}

/** Anything but plain words may be somebody's. */
const formatSeen = (value: SettingValue): string =>
  /^[\w .,-]{1,200}$/.test(String(value)) ? `it is ${value}` : 'it is something else'

/** All steps that show a setting must show the same. */
function agree(setting: SettingId, evidence: readonly Evidence[]): Evidence {
  const [first, ...others] = evidence.filter(({ shown }) => !(shown instanceof NotMeasured))
  if (first === undefined) {
    const failed = evidence.find(({ shown }) => shown instanceof NotMeasured && shown.isFailure)
    // The last one came furthest.
    const last = failed ?? evidence.at(-1)
    return last ?? { steps: [], shown: new NotMeasured(whyUnknown(setting)) }
  }
  const all = [first, ...others]
  const other = all.find(({ shown }) => shown instanceof CannotImitate)
  if (other !== undefined) return other
  const values = all.map(({ shown }) => shown as SettingValue)
  const different = [...new Set(values)]
  if (different.length === 1) return first
  // Of two that are equally frequent, the one that the sandbox has.
  const usual = settingOf(setting).default
  const weightOf = (value: SettingValue) =>
    values.filter((one) => one === value).length + (value === usual ? 0.5 : 0)
  const [nearest] = [...different].sort((a, b) => weightOf(b) - weightOf(a))
  // One of each value first, as these are shown.
  const ofEach = different.flatMap((value) => all[values.indexOf(value)] ?? [])
  const steps = [...ofEach, ...all].flatMap((one) => one.steps.slice(0, 1))
  const seen = `it is ${different.sort().join(' or ')}, by call`
  return { steps: [...new Set(steps)], shown: new CannotImitate(seen, nearest) }
}

function whyUnknown(setting: SettingId): string {
  const lowest = lowestLevel(setting)
  if (lowest !== undefined) return `it takes --level ${lowest}`
  const isSuccess = CONTRACT_OPERATIONS.some(({ id }) => setting === `status.${id}`)
  const other = isSuccess ? 'no success of it was seen' : 'no call of calibrate meets it'
  return UNOBSERVABLE.get(setting) ?? other
}

/** The id of the operation that was called. */
export function operationOf({ route, path }: Reading): string | undefined {
  return findOperation(route.split(' ')[0] ?? '', path.split('?')[0] ?? '')?.id
}

/**
 * Withdraws what a sandbox with these settings does not bear out: under them, the same steps must
 * show the same value.
 */
export function withdraw(
  findings: readonly Finding[],
  model: Observed,
  settings: Settings,
): Finding[] {
  const borneOut = findAll(model, settings)
  return findings.map((finding, i) => {
    const [{ provider }, own] = [finding, borneOut[i]]
    if (provider === null || own === undefined || own.verdict === 'not known') return finding
    if (String(own.provider) === String(provider)) return finding
    return { ...finding, verdict: 'cannot imitate', provider: null, why: formatSeen(provider) }
  })
}

/** The settings that were found, or what comes next to them, to start a sandbox with. */
export function toSettingsFile(findings: readonly Finding[]): Record<string, SettingValue> {
  const found = findings.flatMap(({ setting, provider, nearest }): [string, SettingValue][] => {
    const value = provider ?? nearest
    return value === null ? [] : [[setting, value]]
  })
  return Object.fromEntries(found)
}
