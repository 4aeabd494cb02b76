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
  const { findings, missed } = calibration
  const { file, canWrite = false } = options
  const { claimed, unchecked, whyNot } = checkClaims(calibration, options)
  const drift = withoutIgnored(calibration.drift, options)
  const rows = [
    ...findings.map((one) => ({
      ...toRow(one),
      ...compareFinding(one, calibration, file),
      isUnchecked: unchecked.includes(one.setting),
    })),
    ...missed.map((call) => toMissedRow(call, unchecked.includes(call.name))),
    ...drift.map((row) => ({ ...toDriftRow(row), ...compareDrift(row, calibration, options) })),
    ...goneSince({ ...calibration, drift }, options),
  ].sort((a, b) => rankOf(a) - rankOf(b))
  const isFirst = file === undefined
  const isWritten = canWrite && whyNot === null
  // A file that claims nothing cannot be confirmed.
  const isConfirmable = whyNot === null && (isFirst || claimed.length > 0)
  return {
    rows,
    accepted: toAccepted(findings, drift, calibration),
    outcome: outcomeOf(calibration, rows, { isFirst, isConfirmable }),
    /** Claims of the file, and those of them that this run could not check. */
    claimed,
    unchecked,
    isFirst,
    isWritten,
    /** Reason why a file is not written; null if it is, or if none was asked for. */
    whyNotWritten: canWrite ? whyNot : null,
    /** Words for the verdict `set`. */
    set: isWritten ? 'set for you' : 'can be set',
  }
}

interface Claims {
  /** What the file says was measured, and the calls that it compared but this run missed. */
  claimed: string[]
  unchecked: string[]
  /** Reason why this run looked at too little, and must not write a file. */
  whyNot: string | null
}

/** Finds what the file claims, and what of it this run did not look at. */
function checkClaims({ findings, missed, level }: Calibration, options: JudgeOptions): Claims {
  const { file, allowedUnchecked = 0, replaces = false, isLowerLevel = false } = options
  if (file === undefined) return { claimed: [], unchecked: [], whyNot: whyThin(findings) }
  const { settings, accepted } = file
  const again = missed.flatMap(({ step, name }) => (accepted.steps.includes(step) ? [name] : []))
  const unknown = findings.flatMap(({ setting, verdict }): string[] =>
    verdict === 'not known' ? [setting] : [],
  )
  const uncheckedOf = (some: readonly string[]) => [
    ...unknown.filter((setting) => some.includes(setting)),
    ...again,
  ]
  const all = new Set([...Object.keys(settings), ...Object.keys(accepted.settings)])
  const inFile = [...all].filter((setting) => !UNOBSERVABLE.has(setting))
  const above = isLowerLevel ? LEVELS.slice(LEVELS.indexOf(level) + 1) : []
  const left = above.flatMap((one) => accepted.checked[one] ?? [])
  const within = inFile.filter((setting) => !left.includes(setting))
  const unchecked = uncheckedOf(within)
  const lost = uncheckedOf(inFile).length
  const isLoss = unchecked.length > allowedUnchecked || (replaces && lost > 0)
  return {
    claimed: [...within, ...again],
    unchecked,
    whyNot: isLoss ? `${lost} settings of the file would be lost` : null,
  }
}

/** Later runs would not miss what a first run in an outage could not look at. */
function whyThin(findings: readonly Finding[]): string | null {
  const failed = findings.filter(({ isFailure }) => isFailure).length
  const known = findings.filter(({ verdict }) => verdict !== 'not known').length
  return failed > known ? `${failed} settings could not be looked at, and ${known} could` : null
}

/** Leaves out the operations in which a difference is ignored. */
const withoutIgnored = (drift: readonly DifferenceRow[], { ignored = [] }: JudgeOptions) =>
  drift.flatMap((row) => {
    const operations = row.operations.filter(
      (operation) => !isIgnored({ operation, path: row.path }, ignored),
    )
    return operations.length > 0 ? [{ ...row, operations }] : []
  })

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
    const own = differences[keyOf(row)] ?? {}
    differences[keyOf(row)] = own
    for (const { operation, step } of row.seen) {
      if (!row.operations.includes(operation)) continue
      own[operation] = [...new Set([...(own[operation] ?? []), step])]
    }
  }
  return {
    differences,
    settings: Object.fromEntries(others.map(({ setting, why }) => [setting, why ?? ''])),
    shownBy: Object.fromEntries(others.map(({ setting, steps }) => [setting, steps])),
    steps: [...new Set(made)].filter((step) => !isMissed(step)),
    checked: toChecked(findings),
  }
}

/** Whether a difference is news to the file, or one that the file did not look at. */
type News = Pick<ReportRow, 'isNew' | 'isUnknown'>

const NO_NEWS: News = { isNew: false, isUnknown: false }

function compareFinding(
  { setting, verdict, why }: Finding,
  { compared }: Calibration,
  file: SettingsFile | undefined,
): News {
  const isDifferent = verdict === 'set' || verdict === 'cannot imitate'
  if (file === undefined) return { isNew: isDifferent, isUnknown: false }
  const before = file.accepted.settings[setting]
  if (before === undefined) {
    const isClaimed = setting in file.settings
    return { isNew: isDifferent && isClaimed, isUnknown: isDifferent && !isClaimed }
  }
  if (verdict === 'not known') return NO_NEWS
  if (verdict === 'cannot imitate') return { isNew: before !== why, isUnknown: false }
  return { isNew: isAgain(file.accepted.shownBy[setting], compared), isUnknown: false }
}

/** A difference is gone only if every step that showed it was compared again. */
const isAgain = (steps: readonly string[] = [], compared: readonly string[]): boolean =>
  steps.length > 0 && steps.every((step) => compared.includes(step))

function compareDrift(
  { calls, operations, ...row }: DifferenceRow,
  { readings }: Calibration,
  { file, ignoresAdditional = true }: JudgeOptions,
): News {
  if (row.breaks === 'additional' && ignoresAdditional) return NO_NEWS
  if (file === undefined) return { isNew: true, isUnknown: false }
  const { differences, steps } = file.accepted
  const isLookedAt = calls.some((n) => steps.includes(readings[n - 1]?.step ?? ''))
  const before = differences[keyOf(row)] ?? {}
  const isOther = operations.some((operation) => !(operation in before))
  return { isNew: isOther && isLookedAt, isUnknown: isOther && !isLookedAt }
}

/** Finds known differences that are gone. */
function goneSince(
  { drift, compared }: Calibration,
  { file, ignored = [], ignoresAdditional = true }: JudgeOptions,
): ReportRow[] {
  return Object.entries(file?.accepted.differences ?? {}).flatMap(([key, before]) => {
    const [breaks, path] = fromKey(key)
    if (breaks === 'additional' && ignoresAdditional) return []
    const operations = Object.keys(before).filter((operation) => {
      // A difference that has changed has its own row.
      const isThere = drift.some((row) => row.path === path && row.operations.includes(operation))
      const isGone = isAgain(before[operation], compared) && !isThere
      return isGone && !isIgnored({ operation, path }, ignored)
    })
    if (operations.length === 0) return []
    const where = listShort(operations)
    const said = { provider: 'as the sandbox', sandbox: 'another before' }
    return [{ verdict: 'agrees', breaks, where, what: path, ...said, calls: [], isNew: true }]
  })
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
  { isFirst, isConfirmable }: { isFirst: boolean; isConfirmable: boolean },
): CalibrationOutcome {
  const isNothing = findings.every(({ provider }) => provider === null)
  if (isInterrupted || notPutBack.length > 0 || isNothing || !isConfirmable) return 'failed'
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

function toRow(finding: Finding): ReportRow {
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
    isNew: false,
  }
  if (verdict !== 'not known') return row
  const reason = { provider: `because ${why}`, sandbox: '', calls: [] }
  return { ...row, ...reason, isFailure, isNeverMeasured: !isObservable(finding) }
}

function toMissedRow({ name, why }: MissedCall, isUnchecked: boolean): ReportRow {
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
