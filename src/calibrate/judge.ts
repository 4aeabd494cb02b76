import type { Json } from '../client/http.ts'
import type { Calibration, MissedCall } from './calibrate.ts'
import {
  BREAKS,
  type Break,
  type Difference,
  type DifferenceRow,
  formatValue,
  isIgnored,
} from './differences.ts'
import { type Finding, type FindingVerdict, isObservable, levelOfStep } from './findings.ts'
import { LEVELS, type Level } from './run.ts'
import { UNOBSERVABLE } from './unobservable.ts'

/** Part of a settings file that says which differences are known and what was checked. */
export interface Accepted {
  /** The steps that showed a difference, by what differs and by operation. */
  differences: Readonly<Record<string, StepsByOperation>>
  /** Behaviour that matches no option, by setting. */
  settings: Readonly<Record<string, string>>
  /** The steps that showed it, by setting. */
  shownBy: Readonly<Record<string, readonly string[]>>
  /** The steps whose responses were compared. */
  steps: readonly string[]
  /** The settings that were measured, by the level of the call that showed them. */
  checked: Readonly<Partial<Record<Level, readonly string[]>>>
}

type StepsByOperation = Readonly<Record<string, readonly string[]>>

/** Content of the file of `--settings`. */
interface SettingsFile {
  settings: Readonly<Record<string, unknown>>
  accepted: Accepted
}

interface JudgeOptions {
  /** Undefined for a first run, in which everything is new. */
  file?: SettingsFile | undefined
  /** True if the settings found may be written to a file. */
  canWrite?: boolean
  /** True if they would be written over the file that they are compared with. */
  replaces?: boolean
  /** Paths that may differ. */
  ignored?: readonly string[]
  /** False if fields that only the provider has are differences. */
  ignoresAdditional?: boolean
  /** How many settings of the file a run may leave unchecked. */
  allowedUnchecked?: number
  /** True if the run has a lower level than the file's, so it checks less. */
  isLowerLevel?: boolean
}

/** Row of the report: a setting, or another difference of the provider. */
export interface ReportRow {
  verdict: FindingVerdict
  breaks: Break
  /** The operations that differ; empty for a setting. */
  where: string
  what: string
  provider: string
  sandbox: string
  /** Numbers of the responses that show it. */
  calls: number[]
  /** True if this has changed since the settings file was written. */
  isNew: boolean
  /** True for a difference of which the settings file says nothing. */
  isUnknown?: boolean
  /** True if the settings file has a value for it that this run could not check. */
  isUnchecked?: boolean
  /** True if something went wrong, not merely if a command-line option was missing. */
  isFailure?: boolean
  /** True if no run can observe it. */
  isNeverMeasured?: boolean
}

/** The outcome of a calibration, which decides its exit code. */
export type CalibrationOutcome = 'confirmed' | 'differs' | 'failed'

export type Judged = ReturnType<typeof judge>

/** Builds the rows of the report, and marks what is new since the settings file. */
export function judge(calibration: Calibration, options: JudgeOptions) {
  const { findings } = calibration
  const { file, ignored = [], canWrite = false } = options
  const checked = checkClaims(calibration, options)
  const { claimed, unchecked, missed, isUnchecked, whyNot } = checked
  const isFirst = file === undefined
  const whyNotWritten = canWrite ? whyNot : null
  const isWritten = canWrite && whyNot === null
  const drift = calibration.drift.flatMap((row) => {
    const operations = row.operations.filter(
      (operation) => !isIgnored({ operation, path: row.path }, ignored),
    )
    return operations.length > 0 ? [{ ...row, operations }] : []
  })
  const gone = file === undefined ? [] : goneSince(file, { ...calibration, drift }, options)
  const rows = [
    ...findings.map((one) => ({
      ...toRow(one, isNewFinding(one, calibration, file)),
      isUnknown: file !== undefined && isUnknownFinding(one, file),
      isUnchecked: unchecked.includes(one),
    })),
    ...missed.map(toMissedRow),
    ...drift.map((row) => ({ ...toDriftRow(row), ...compareWithFile(row, calibration, options) })),
    ...gone,
  ].sort((a, b) => rankOf(a) - rankOf(b))
  return {
    rows,
    accepted: toAccepted(findings, drift, calibration),
    outcome: outcomeOf(calibration, rows, {
      isFirst,
      // A file that claims nothing cannot be confirmed.
      isUnchecked: isFirst
        ? whyNot !== null
        : isUnchecked || whyNotWritten !== null || claimed.length === 0,
    }),
    /** Claims of the file, and those of them that this run could not check. */
    claimed,
    unchecked,
    isFirst,
    isWritten,
    /** Reason why a file is not written; null if it is, or if none was asked for. */
    whyNotWritten,
    /** Words for the verdict `set`. */
    set: isWritten ? 'set for you' : 'can be set',
  }
}

/** Finds what the file claims, and what of it this run did not look at. */
function checkClaims(calibration: Calibration, options: JudgeOptions) {
  const { findings, level } = calibration
  const { file, allowedUnchecked = 0, replaces = false } = options
  const missed = calibration.missed.map((call) => ({
    ...call,
    setting: call.name,
    isUnchecked: file?.accepted.steps.includes(call.step) ?? false,
  }))
  const again = missed.filter((call) => call.isUnchecked)
  const inFile = file === undefined ? [] : claimedIn(file, level, options)
  const unchecked: { setting: string }[] = [...unknownOf(findings, inFile), ...again]
  const isUnchecked = unchecked.length > allowedUnchecked
  const all = file === undefined ? [] : claimedIn(file, level, {})
  const lost = [...unknownOf(findings, all), ...again].length
  const isLoss = isUnchecked || (replaces && lost > 0)
  const whyLost = isLoss ? `${lost} settings of the file would be lost` : null
  return {
    missed,
    claimed: [...inFile, ...again.map(({ setting }) => setting)],
    unchecked,
    isUnchecked,
    /** Reason why this run must not write a file, if any. */
    whyNot: file === undefined ? whyThin(findings) : whyLost,
  }
}

const unknownOf = (findings: readonly Finding[], settings: readonly string[]): Finding[] =>
  findings.filter(({ setting, verdict }) => verdict === 'not known' && settings.includes(setting))

/** Tells if a difference is news to the file, or one that it did not look at. */
function compareWithFile(
  { calls, operations, ...row }: DifferenceRow,
  { readings }: Calibration,
  { file, ignoresAdditional = true }: JudgeOptions,
) {
  if (row.breaks === 'additional' && ignoresAdditional) return { isNew: false, isUnknown: false }
  if (file === undefined) return { isNew: true, isUnknown: false }
  const { differences, steps } = file.accepted
  const isLookedAt = calls.some((n) => steps.includes(readings[n - 1]?.step ?? ''))
  const before = differences[keyOf(row)] ?? {}
  const isOther = operations.some((operation) => !(operation in before))
  return { isNew: isOther && isLookedAt, isUnknown: isOther && !isLookedAt }
}

/** Recognises a difference of which a file says nothing, as it did not look at it. */
const isUnknownFinding = (
  { setting, verdict }: Finding,
  { settings, accepted }: SettingsFile,
): boolean =>
  (verdict === 'set' || verdict === 'cannot imitate') &&
  !(setting in settings || setting in accepted.settings)

/** Later runs would not miss what a first run in an outage could not look at. */
function whyThin(findings: readonly Finding[]): string | null {
  const failed = findings.filter(({ isFailure }) => isFailure).length
  const known = findings.filter(({ verdict }) => verdict !== 'not known').length
  return failed > known ? `${failed} settings could not be looked at, and ${known} could` : null
}

/** Records the present differences for later runs. */
function toAccepted(
  findings: readonly Finding[],
  drift: readonly DifferenceRow[],
  { readings, missed }: Calibration,
): Accepted {
  const made = readings.flatMap(({ step, status }) => (status > 0 ? [step] : []))
  const isMissed = (one: string) => missed.some(({ step }) => step === one)
  const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
  const differences: Record<string, Record<string, string[]>> = {}
  for (const row of drift) {
    const stepsOf = (operation: string) => [
      ...new Set(row.seen.flatMap((one) => (one.operation === operation ? [one.step] : []))),
    ]
    const before = differences[keyOf(row)]
    const own = row.operations.map((operation) => [operation, stepsOf(operation)] as const)
    differences[keyOf(row)] = { ...before, ...Object.fromEntries(own) }
  }
  return {
    differences,
    settings: Object.fromEntries(others.map(({ setting, why }) => [setting, why ?? ''])),
    shownBy: Object.fromEntries(others.map(({ setting, steps }) => [setting, steps])),
    steps: [...new Set(made)].filter((step) => !isMissed(step)),
    checked: toChecked(findings),
  }
}

function isNewFinding(finding: Finding, { compared }: Calibration, file?: SettingsFile): boolean {
  const { setting, verdict, why } = finding
  if (verdict === 'not known') return false
  if (file === undefined) return verdict !== 'agrees'
  const before = file.accepted.settings[setting]
  if (before === undefined) return verdict !== 'agrees' && setting in file.settings
  if (verdict === 'cannot imitate') return before !== why
  // The difference is gone only if every step that showed it was compared again.
  const steps = file.accepted.shownBy[setting] ?? []
  return steps.length > 0 && steps.every((step) => compared.includes(step))
}

/** Finds known differences that are gone, if every step that showed them was compared again. */
function goneSince(
  { accepted }: SettingsFile,
  { drift, compared }: Calibration,
  { ignored = [], ignoresAdditional = true }: JudgeOptions,
): ReportRow[] {
  return Object.entries(accepted.differences).flatMap(([key, before]) => {
    const [breaks, path] = fromKey(key)
    if (breaks === 'additional' && ignoresAdditional) return []
    const operations = Object.keys(before).filter((operation) => {
      const steps = before[operation] ?? []
      const isSeen = steps.length > 0 && steps.every((step) => compared.includes(step))
      // A difference that has changed has its own row.
      const isThere = drift.some((row) => row.path === path && row.operations.includes(operation))
      return isSeen && !isThere && !isIgnored({ operation, path }, ignored)
    })
    if (operations.length === 0) return []
    const where = listShort(operations)
    const said = { provider: 'as the sandbox', sandbox: 'another before' }
    return [{ verdict: 'agrees', breaks, where, what: path, ...said, calls: [], isNew: true }]
  })
}

/** Settings that a file says were measured, as far as a run of this level can look at them again. */
function claimedIn(
  { settings, accepted }: SettingsFile,
  level: Level,
  { isLowerLevel = false }: JudgeOptions,
): string[] {
  const all = new Set([...Object.keys(settings), ...Object.keys(accepted.settings)])
  const observable = [...all].filter((setting) => !UNOBSERVABLE.has(setting))
  if (!isLowerLevel) return observable
  const above = LEVELS.slice(LEVELS.indexOf(level) + 1)
  const left = above.flatMap((one) => accepted.checked[one] ?? [])
  return observable.filter((setting) => !left.includes(setting))
}

/** The settings that were measured, by the level of the step that showed them. */
function toChecked(findings: readonly Finding[]): Accepted['checked'] {
  const checked: Partial<Record<Level, string[]>> = {}
  for (const { setting, verdict, steps } of findings) {
    const level = levelOfStep(steps[0] ?? '')
    if (verdict === 'not known' || level === undefined) continue
    checked[level] = [...(checked[level] ?? []), setting]
  }
  return checked
}

function outcomeOf(
  { findings, missed, isInterrupted, notPutBack }: Calibration,
  rows: readonly ReportRow[],
  { isFirst, isUnchecked }: { isFirst: boolean; isUnchecked: boolean },
): CalibrationOutcome {
  const isNothing = findings.every(({ provider }) => provider === null)
  if (isInterrupted || notPutBack.length > 0 || isNothing || isUnchecked) return 'failed'
  if (rows.some(({ isNew }) => isNew)) return 'differs'
  // The file does not claim what failed in a first run, so no later run would miss it.
  const isUnsure = isFirst && (missed.length > 0 || findings.some(({ isFailure }) => isFailure))
  return isUnsure ? 'failed' : 'confirmed'
}

const SEPARATOR = ': '

/** Key of a difference, the same in every run until the provider changes. */
function keyOf({ breaks, path, sandbox, provider }: Difference): string {
  const isPlain = breaks === 'value' || breaks === 'additional'
  const what = isPlain ? '' : `${SEPARATOR}${sandbox} → ${provider}`
  return `${breaks} ${path}${what}`
}

function fromKey(key: string): [Break, string] {
  const [place = ''] = key.split(SEPARATOR)
  const breaks = BREAKS.find((one) => place.startsWith(`${one} `)) ?? 'value'
  return [breaks, place.slice(breaks.length + 1)]
}

const VERDICTS: readonly FindingVerdict[] = ['cannot imitate', 'set', 'not known', 'agrees']

const rankOf = ({ verdict, breaks }: ReportRow) =>
  VERDICTS.indexOf(verdict) * BREAKS.length + BREAKS.indexOf(breaks)

const BREAKS_BY_AREA: Readonly<Record<string, Break>> = {
  status: 'status',
  errors: 'status',
  auth: 'status',
  fields: 'missing',
  names: 'name',
}

function toRow(finding: Finding, isNew: boolean): ReportRow {
  const { setting, verdict, sandbox, provider, why, calls, isFailure } = finding
  const isStatus = setting === 'errors.v1' && verdict === 'not known'
  const row: ReportRow = {
    verdict,
    breaks: BREAKS_BY_AREA[setting.split('.')[0] ?? ''] ?? 'value',
    where: '',
    what: isStatus ? `${setting} (every status of v1)` : setting,
    provider: provider === null ? (why ?? '') : String(provider),
    sandbox: String(sandbox),
    calls: [...calls],
    isNew,
  }
  if (verdict !== 'not known') return row
  const reason = { provider: `because ${why}`, sandbox: '', calls: [] }
  return { ...row, ...reason, isFailure, isNeverMeasured: !isObservable(finding) }
}

function toMissedRow({ name, why, isUnchecked }: MissedCall & { isUnchecked: boolean }): ReportRow {
  return {
    verdict: 'not known',
    breaks: 'status',
    where: '',
    what: name,
    provider: `because ${why}`,
    sandbox: '',
    calls: [],
    isNew: false,
    isUnchecked,
    isFailure: true,
  }
}

function toDriftRow(row: DifferenceRow): Omit<ReportRow, 'isNew'> {
  const { breaks, path: what, operations, calls } = row
  const isField = breaks === 'missing' || breaks === 'additional'
  const formatSide = (value: Json) => {
    if (isField) return value === undefined ? 'nothing' : 'has it'
    return typeof value === 'string' ? value : formatValue(value)
  }
  return {
    verdict: 'cannot imitate',
    breaks,
    where: listShort(operations),
    what,
    provider: formatSide(row.provider),
    sandbox: formatSide(row.sandbox),
    calls: calls.slice(0, 1),
  }
}

const LISTED_MAX = 3

/** The first few of many, and the number of the others. */
export function listShort(items: readonly string[], max = LISTED_MAX): string {
  const more = items.length - max
  return more > 0 ? `${items.slice(0, max).join(', ')} and ${more} more` : items.join(', ')
}
