import type { Json } from '../client/http.ts'
import type { Calibration } from './calibrate.ts'
import { BREAKS, type Break, type DifferenceRow, formatValue, isIgnored } from './differences.ts'
import { type Finding, type FindingVerdict, levelOfStep, UNOBSERVABLE } from './findings.ts'
import { Mask } from './mask.ts'
import type { Reading } from './reading.ts'
import { LEVELS, type Level, WEBHOOK } from './run.ts'

/** Content of a settings file besides settings: what was different, and where one looked. */
export interface Accepted {
  /** Operations by what differs there. */
  differences: Readonly<Record<string, readonly string[]>>
  /** Behaviour that no option has, by setting. */
  settings: Readonly<Record<string, string>>
  /** The steps whose responses were compared. */
  steps: readonly string[]
  /** The settings that were measured, by the level of the call that showed them. */
  checked: Readonly<Partial<Record<Level, readonly string[]>>>
}

/** Content of the file of `--settings`. */
interface SettingsFile {
  settings: Readonly<Record<string, unknown>>
  accepted: Accepted
}

interface JudgeOptions {
  /** Undefined for a first run, in which everything is new. */
  file?: SettingsFile | undefined
  /** Whether the settings that were found are written to a file. */
  isWritten?: boolean
  /** Paths that may differ. */
  ignored: readonly string[]
  /** Whether a field that only the provider has is no difference. */
  ignoresAdditional: boolean
  /** How many settings of the file a run may leave unchecked. */
  allowedUnchecked?: number
  /** Whether a lower level than that of the file was asked for, so that less is looked at. */
  isLowerLevel?: boolean
}

/** Knowledge of a setting, or of something else in which the provider differs. */
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
  /** Whether it differs and did not when the settings file was written. */
  isNew: boolean
  /** Whether the settings file claims to know it, and this run could not look at it. */
  isUnchecked?: boolean
  /** Whether something went wrong, as opposed to an option that was not given. */
  isFailure?: boolean
}

/** How a calibration ended, as its exit code says it. */
export type CalibrationOutcome = 'confirmed' | 'differs' | 'failed'

export type Judged = ReturnType<typeof judge>

/** Makes the rows of the report, and says which of them are news since the settings file. */
export function judge(calibration: Calibration, options: JudgeOptions) {
  const { findings, readings } = calibration
  const { file, ignored, ignoresAdditional, isWritten = false } = options
  const claimed = file === undefined ? [] : claimedIn(file, calibration.level, options)
  const unchecked = findings.filter(
    ({ setting, verdict }) => verdict === 'not known' && claimed.includes(setting),
  )
  const drift = calibration.drift.flatMap((row) => {
    const operations = row.operations.filter(
      (operation) => !isIgnored({ operation, path: row.path }, ignored),
    )
    return operations.length > 0 ? [{ ...row, operations }] : []
  })
  const isNewDrift = (row: DifferenceRow): boolean => {
    if (row.breaks === 'additional' && ignoresAdditional) return false
    if (file === undefined) return true
    const { differences, steps } = file.accepted
    const isLookedAt = row.calls.some((n) => steps.includes(readings[n - 1]?.step ?? ''))
    const before = differences[keyOf(row)] ?? []
    return isLookedAt && row.operations.some((operation) => !before.includes(operation))
  }
  const rows = [
    ...findings.map((one) => ({
      ...toRow(one, readings, isNewFinding(one, file)),
      isUnchecked: unchecked.includes(one),
    })),
    ...drift.map((row) => toDriftRow(row, isNewDrift(row))),
  ].sort((a, b) => rankOf(a) - rankOf(b))
  return {
    rows,
    accepted: toAccepted(findings, drift, readings),
    outcome: outcomeOf(calibration, rows, {
      isFirst: file === undefined,
      isUnchecked: unchecked.length > (options.allowedUnchecked ?? 0),
    }),
    /** Settings that the file claims to know, and those of them that this run could not look at. */
    claimed,
    unchecked,
    isFirst: file === undefined,
    /** The verdict on what a setting says, in words. */
    set: isWritten ? 'set for you' : 'can be set',
  }
}

/** Differences of now, for a later run to know. */
function toAccepted(
  findings: readonly Finding[],
  drift: readonly DifferenceRow[],
  readings: readonly Reading[],
): Accepted {
  const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
  const differences: Record<string, string[]> = {}
  for (const row of drift) {
    differences[keyOf(row)] = [...(differences[keyOf(row)] ?? []), ...row.operations]
  }
  return {
    differences,
    settings: Object.fromEntries(others.map(({ setting, why }) => [setting, why ?? ''])),
    steps: [...new Set(readings.flatMap(({ step, status }) => (status > 0 ? [step] : [])))],
    checked: toChecked(findings),
  }
}

function isNewFinding({ setting, verdict, why }: Finding, file?: SettingsFile): boolean {
  if (verdict === 'agrees' || verdict === 'not known') return false
  if (file === undefined) return true
  const before = file.accepted.settings[setting]
  if (before === undefined) return setting in file.settings
  return verdict === 'cannot imitate' && before !== why
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
  { findings, isInterrupted, leftBehind }: Calibration,
  rows: readonly ReportRow[],
  { isFirst, isUnchecked }: { isFirst: boolean; isUnchecked: boolean },
): CalibrationOutcome {
  const isNothing = findings.every(({ provider }) => provider === null)
  if (isInterrupted || leftBehind.length > 0 || isNothing || isUnchecked) return 'failed'
  if (rows.some(({ isNew }) => isNew)) return 'differs'
  // Nothing is claimed of what failed in a first run, and a later one would not miss it.
  const isUnsure = isFirst && findings.some(({ isFailure }) => isFailure)
  return isUnsure ? 'failed' : 'confirmed'
}

/** Equal in every run as long as the provider does not change. */
function keyOf({ breaks, path, sandbox, provider }: DifferenceRow) {
  const what = breaks === 'value' || breaks === 'additional' ? '' : ` ${sandbox} → ${provider}`
  return `${breaks} ${path}${what}`
}

const VERDICTS: readonly FindingVerdict[] = ['cannot imitate', 'set', 'not known', 'agrees']

const rankOf = ({ verdict, breaks }: ReportRow) =>
  VERDICTS.indexOf(verdict) * BREAKS.length + BREAKS.indexOf(breaks)

const BREAKS_BY_AREA: Readonly<Record<string, Break>> = {
  ...{ status: 'status', errors: 'status', auth: 'status', fields: 'missing', names: 'name' },
}

function toRow(finding: Finding, readings: readonly Reading[], isNew: boolean): ReportRow {
  const { setting: what, verdict, sandbox, why, steps, isFailure } = finding
  const base = { verdict, where: '', what, isNew }
  const none = { breaks: 'value' as const, sandbox: '', calls: [] }
  if (verdict === 'agrees') return { ...base, ...none, provider: '' }
  if (verdict === 'not known') {
    const whole = what === 'errors.v1' ? `${what} (every status of v1)` : what
    return { ...base, ...none, what: whole, provider: `because ${why}`, isFailure }
  }
  const breaks = BREAKS_BY_AREA[what.split('.')[0] ?? ''] ?? 'value'
  // Of a step with many calls the last one decided; where steps disagree, two are shown.
  const calls = steps
    .map((step) => readings.findLastIndex((reading) => reading.step === step) + 1)
    .slice(0, finding.provider === null && breaks === 'status' ? 2 : 1)
  const provider = finding.provider === null ? (why ?? '') : String(finding.provider)
  return { ...base, breaks, provider, sandbox: String(sandbox), calls }
}

const OPERATIONS_MAX = 4

function toDriftRow(row: DifferenceRow, isNew: boolean): ReportRow {
  const { breaks, path: what, operations, calls } = row
  const more = operations.length - OPERATIONS_MAX
  const shown = operations.slice(0, OPERATIONS_MAX).join(', ')
  const where = `${shown}${more > 0 ? ` and ${more} more` : ''}`
  const isField = breaks === 'missing' || breaks === 'additional'
  const formatSide = (value: Json) => {
    if (isField) return value === undefined ? 'nothing' : 'has it'
    return typeof value === 'string' ? value : formatValue(value)
  }
  const [provider, sandbox] = [formatSide(row.provider), formatSide(row.sandbox)]
  const seen = { provider, sandbox, calls: calls.slice(0, 1) }
  return { verdict: 'cannot imitate', breaks, where, what, ...seen, isNew }
}

/** The first thing that a person reads, on the terminal and in the report. */
export function formatCounts(judged: Judged): string {
  const { rows, set, isFirst } = judged
  if (!isFirst) return formatChecked(judged)
  const count = (verdict: FindingVerdict) =>
    rows.filter((row) => row.verdict === verdict && row.breaks !== 'additional').length
  const how = set === 'can be set' && count('set') > 0 ? ' (--out FILE writes them)' : ''
  return `${count('agrees')} agree, ${count('set')} ${set}${how}, ${count('cannot imitate')} the sandbox cannot imitate, ${count('not known')} not known`
}

/** What became of the claims of a settings file. */
function formatChecked({ rows, claimed, unchecked }: Judged): string {
  const differing = rows.filter(({ isNew }) => isNew).length
  const names = unchecked.map(({ setting }) => setting).join(', ')
  return [
    `${claimed.length - unchecked.length} of ${claimed.length} checked`,
    `${differing} ${differing === 1 ? 'differs' : 'differ'}`,
    `${unchecked.length} could not be checked${names && `: ${names}`}`,
  ].join(', ')
}

/** Rows that say the same of something else are one line, and so are all additional fields. */
function toLines({ rows, isFirst, set }: Judged) {
  const keyOf = (row: ReportRow) => {
    const { verdict, breaks, isNew, isUnchecked, where, what, provider, sandbox } = row
    const isStatus = verdict === 'set' && breaks === 'status'
    const place = where !== '' && breaks === 'value' ? what : where
    const said = breaks === 'additional' ? [] : [place, provider, isStatus || sandbox]
    return JSON.stringify([verdict, breaks, isNew, isUnchecked, ...said])
  }
  return groupBy(rows, keyOf).map((group) => {
    const whats = groupBy(group, ({ where }) => where).map((same) => {
      const names = same.map(({ what }) => what).join(', ')
      return same[0].where === '' ? names : `${names} of ${same[0].where}`
    })
    const [{ verdict, isNew, isUnchecked, provider, calls }] = group
    const name = verdict === 'set' ? set : verdict
    const sandbox = [...new Set(group.map((row) => row.sandbox))].join(', ')
    return {
      name: isUnchecked ? '**not checked**' : isNew && !isFirst ? `**${name}**` : name,
      said: [whats.join('; '), provider, sandbox].map((text) => text.replace(/[|\n]/g, ' ')),
      calls,
    }
  })
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const groups = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups.values()]
}

type Line = ReturnType<typeof toLines>[number]

/** Longest texts of three columns, so that a row is two lines of a terminal; a reason stays whole. */
const [WIDTHS, REASON_WIDTHS] = [
  [80, 44, 20],
  [60, 100, 0],
]

const cutCells = ({ said, calls }: Line) =>
  said.map((text, i) => cut(text, (calls.length > 0 ? WIDTHS : REASON_WIDTHS)[i] ?? 0))

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/( of)?[\s,;:]+\S*$/, '')} …`
}

function formatTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [line.name, ...cutCells(line), line.calls.join(', ')])
  const heads = ['', 'What', 'Provider', 'Sandbox', 'Responses']
  const table = [heads, heads.map(() => '---'), ...rows]
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Values that the first column does not hold; the responses have the rest. */
function formatCut(lines: readonly Line[]): string[] {
  const rows = lines.flatMap((line) => {
    const [what, provider] = line.said
    return cutCells(line)[0] === what ? [] : [`- ${line.name}, ${provider || 'in all'}: ${what}`]
  })
  return rows.length > 0 ? ['## In full', rows.join('\n')] : []
}

/** The report for people about the provider at `url`, in Markdown; without personal data. */
export function formatReport(calibration: Calibration, judged: Judged, url: string): string {
  const { level, leftBehind, readings, isInterrupted } = calibration
  const mask = new Mask()
  const lines = toLines(judged)
  const shown = [...new Set(lines.flatMap(({ calls }) => calls))].sort((a, b) => a - b)
  const left = leftBehind.map((text) => `- ${text}`)
  return [
    `# How ${new URL(url).host} agrees with the sandbox`,
    `Level ${level}: ${formatCounts(judged)}.`,
    ...(isInterrupted ? ['The run was interrupted.'] : []),
    ...(left.length > 0 ? [['Put back by hand:', ...left].join('\n')] : []),
    formatTable(lines),
    ...formatCut(lines),
    '## Responses',
    shown.map((n) => formatReading(readings[n - 1], n, mask)).join('\n'),
    '',
  ].join('\n\n')
}

const BODY_LENGTH_MAX = 400

function formatReading(reading: Reading | undefined, n: number, mask: Mask): string {
  if (reading === undefined) return ''
  const { route, path, status, body, problem, sent } = reading
  const [method = '', template = ''] = route.split(' ')
  const call = route === WEBHOOK ? 'webhook' : `${method} ${mask.target(template, path)}`
  const format = (value: Json) => {
    if (value === undefined || value === '') return ''
    const text = JSON.stringify(mask.body(value))
    const short = text.length > BODY_LENGTH_MAX ? `${text.slice(0, BODY_LENGTH_MAX)}…` : text
    return ` \`${short.replace(/[`\n]/g, '’')}\``
  }
  return `${n}. \`${call}\`${format(sent.body)}: ${problem ?? status}${format(body)}`
}

const SECRET_LENGTH_MIN = 5

/** A text without keys, tokens and addresses, wherever a provider put them. */
export function redact(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN)
  if (found.length === 0) return text
  const escaped = found.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.replace(new RegExp(escaped.join('|'), 'gi'), '(hidden)')
}

/** Every call of a run, as the sandbox itself got it. */
export function formatPlan(readings: readonly Reading[]): string {
  const lines = readings.map(({ route, path, sent, step }) => {
    const [method] = route.split(' ')
    const { body, text = '', key = 'first', token } = sent
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const content = body === undefined ? text : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${content} (${step}; ${credentials.join(', ')})`
  })
  return [
    ...lines,
    '',
    `${lines.length} calls, if the provider responds as the sandbox does. Where a bound is another`,
    'one, a search for it makes up to ten more of the same call. Ids are those of the sandbox.',
    '',
  ].join('\n')
}
