import type { Json } from '../../client/http.ts'
import { BREAKS, type Break, type DifferenceRow, formatValue, isIgnored } from '../differences.ts'
import { createMasker, type Masker } from '../mask.ts'
import type { Calibration } from './calibrate.ts'
import { type Finding, type FindingVerdict, operationOf } from './findings.ts'
import type { Exchange } from './provider.ts'

/** Content of a settings file besides settings: what was different, and where one looked. */
export interface Accepted {
  /** Operations by what differs there. */
  differences: Readonly<Record<string, readonly string[]>>
  /** Behaviour that no option has, by setting. */
  settings: Readonly<Record<string, string>>
  /** The steps whose responses were compared. */
  steps: readonly string[]
}

interface JudgeOptions {
  /** Content of the file of `--settings`; undefined without one. */
  file?: { settings: Readonly<Record<string, unknown>>; accepted: Accepted } | undefined
  /** Paths that may differ. */
  ignored: readonly string[]
  /** Whether a field that only the provider has is no difference. */
  ignoresAdditional: boolean
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
}

/** How a calibration ended, as its exit code says it. */
export type CalibrationOutcome = 'confirmed' | 'differs' | 'failed'

export interface Judged {
  rows: ReportRow[]
  accepted: Accepted
  outcome: CalibrationOutcome
  /** Whether there is nothing to compare with, so that everything is new. */
  isFirst: boolean
}

/** Makes the rows of the report, and says which of them are news since the settings file. */
export function judge(calibration: Calibration, options: JudgeOptions): Judged {
  const { findings, exchanges, isInterrupted, leftBehind } = calibration
  const { file, ignored, ignoresAdditional } = options
  const drift = calibration.drift.flatMap((row) => {
    const operations = row.operations.filter(
      (operation) => !isIgnored({ operation, path: row.path }, ignored),
    )
    return operations.length > 0 ? [{ ...row, operations }] : []
  })
  const isNewDrift = ({ operations, calls, ...row }: DifferenceRow): boolean => {
    if (row.breaks === 'additional' && ignoresAdditional) return false
    if (file === undefined) return true
    const before = file.accepted.differences[keyOf(row)] ?? []
    const isLookedAt = calls.some((n) => file.accepted.steps.includes(exchanges[n - 1]?.step ?? ''))
    return isLookedAt && operations.some((operation) => !before.includes(operation))
  }
  const isNewFinding = ({ setting, verdict, why }: Finding): boolean => {
    if (verdict === 'agrees' || verdict === 'not known') return false
    if (file === undefined) return true
    const before = file.accepted.settings[setting]
    if (verdict === 'set') return before === undefined && setting in file.settings
    return before === undefined ? setting in file.settings : before !== why
  }
  const rows = [
    ...findings.map((row) => ({ ...toRow(row, exchanges), isNew: isNewFinding(row) })),
    ...drift.map((row) => ({ ...toDriftRow(row), isNew: isNewDrift(row) })),
  ].sort((a, b) => rankOf(a) - rankOf(b))
  const before = Object.keys(file?.settings ?? {})
  const again = findings.filter(({ setting }) => before.includes(setting))
  const missed = again.filter(({ isFailure }) => isFailure)
  const isPartial = missed.length > again.filter(({ actual }) => actual !== null).length
  const isNothing = findings.every(({ actual }) => actual === null)
  const isFailed = isInterrupted || leftBehind.length > 0 || isNothing || isPartial
  // A later run need not see again what failed by chance.
  const isUnsure = file === undefined && findings.some(({ isFailure }) => isFailure)
  const isDifferent = rows.some(({ isNew }) => isNew)
  const others = findings.filter(({ verdict }) => verdict === 'cannot imitate')
  return {
    rows,
    accepted: {
      differences: operationsByKey(drift),
      settings: Object.fromEntries(others.map(({ setting, why }) => [setting, why ?? ''])),
      steps: [...new Set(exchanges.flatMap(({ step, reading }) => (reading ? [step] : [])))],
    },
    outcome: isFailed ? 'failed' : isDifferent ? 'differs' : isUnsure ? 'failed' : 'confirmed',
    isFirst: file === undefined,
  }
}

function operationsByKey(drift: readonly DifferenceRow[]): Record<string, string[]> {
  const differences: Record<string, string[]> = {}
  for (const row of drift) {
    const others = differences[keyOf(row)] ?? []
    differences[keyOf(row)] = [...others, ...row.operations]
  }
  return differences
}

/** Equal in every run as long as the provider does not change. */
function keyOf({ breaks, path, expected, actual }: Omit<DifferenceRow, 'operations' | 'calls'>) {
  const what = breaks === 'value' || breaks === 'additional' ? '' : ` ${expected} → ${actual}`
  return `${breaks} ${path}${what}`
}

const VERDICTS: readonly FindingVerdict[] = ['cannot imitate', 'set', 'not known', 'agrees']

const rankOf = ({ verdict, breaks }: ReportRow) =>
  VERDICTS.indexOf(verdict) * BREAKS.length + BREAKS.indexOf(breaks)

const BREAKS_BY_AREA: Readonly<Record<string, Break>> = {
  ...{ status: 'status', errors: 'status', auth: 'status', fields: 'missing', names: 'name' },
}

function toRow(finding: Finding, exchanges: readonly Exchange[]): Omit<ReportRow, 'isNew'> {
  const { setting: what, verdict, expected, actual, why, steps } = finding
  const base = { verdict, where: '', what }
  const none = { breaks: 'value' as const, sandbox: '', calls: [] }
  if (verdict === 'agrees') return { ...base, ...none, provider: '' }
  if (verdict === 'not known') return { ...base, ...none, provider: `because ${why}` }
  const breaks = BREAKS_BY_AREA[what.split('.')[0] ?? ''] ?? 'value'
  // Of a step with many calls the last one decided; where steps disagree, two are shown.
  const calls = steps
    .map((step) => exchanges.findLastIndex((exchange) => exchange.step === step) + 1)
    .slice(0, actual === null && breaks === 'status' ? 2 : 1)
  const provider = actual === null ? (why ?? '') : String(actual)
  return { ...base, breaks, provider, sandbox: String(expected), calls }
}

const OPERATIONS_MAX = 4

function toDriftRow(row: DifferenceRow): Omit<ReportRow, 'isNew'> {
  const { breaks, path: what, operations, calls } = row
  const more = operations.length - OPERATIONS_MAX
  const shown = operations.slice(0, OPERATIONS_MAX).join(', ')
  const where = `${shown}${more > 0 ? ` and ${more} more` : ''}`
  const isField = breaks === 'missing' || breaks === 'additional'
  const formatSide = (value: Json) => {
    if (isField) return value === undefined ? 'nothing' : 'has it'
    return typeof value === 'string' ? value : formatValue(value)
  }
  const [provider, sandbox] = [formatSide(row.actual), formatSide(row.expected)]
  const verdict = 'cannot imitate'
  return { verdict, breaks, where, what, provider, sandbox, calls: calls.slice(0, 1) }
}

/** The first thing that a person reads, on the terminal and in the report. */
export function formatCounts({ rows }: Judged): string {
  const count = (verdict: FindingVerdict) =>
    rows.filter((row) => row.verdict === verdict && row.breaks !== 'additional').length
  return `${count('agrees')} agree, ${count('set')} set for you, ${count('cannot imitate')} the sandbox cannot imitate, ${count('not known')} not known`
}

/** Rows that say the same of something else are one line, and so are all additional fields. */
function merge(rows: readonly ReportRow[]) {
  const lineOf = ({ verdict, breaks, isNew, where, provider, sandbox }: ReportRow) => {
    const isStatus = verdict === 'set' && breaks === 'status'
    const said = breaks === 'additional' ? [] : [where, provider, isStatus || sandbox]
    return JSON.stringify([verdict, breaks, isNew, ...said])
  }
  return groupBy(rows, lineOf).map((group) => {
    const whats = groupBy(group, ({ where }) => where).map((same) => {
      const names = same.map(({ what }) => what).join(', ')
      return same[0].where === '' ? names : `${same[0].where}: ${names}`
    })
    const [{ verdict, isNew, provider }] = group
    return {
      ...{ verdict, isNew, provider, what: whats.join('; ') },
      sandbox: [...new Set(group.map(({ sandbox }) => sandbox))].join(', '),
      calls: group.length === 1 ? group[0].calls : group.flatMap(({ calls }) => calls.slice(0, 1)),
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

type Line = ReturnType<typeof merge>[number]

function formatTable(lines: readonly Line[], isFirst: boolean): string {
  const rows = lines.map(({ verdict, what, provider, sandbox, calls, isNew }) => {
    const name = verdict === 'set' ? 'set for you' : verdict
    return [isNew && !isFirst ? `**${name}**` : name, what, provider, sandbox, calls.join(', ')]
  })
  const heads = ['', 'What', 'Provider', 'Sandbox', 'Responses']
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => {
    return `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`
  })
  return table.join('\n')
}

/** The report for people about the provider at `url`, in Markdown; without personal data. */
export function formatReport(calibration: Calibration, judged: Judged, url: string): string {
  const { level, leftBehind, exchanges, isInterrupted } = calibration
  const masker = createMasker({ shows: isHarmless })
  const lines = merge(judged.rows)
  const shown = [...new Set(lines.flatMap(({ calls }) => calls))].sort((a, b) => a - b)
  const left = leftBehind.map((text) => `- ${text}`)
  return [
    `# How ${new URL(url).host} agrees with the sandbox`,
    `Level ${level}: ${formatCounts(judged)}.`,
    ...(isInterrupted ? ['The run was interrupted.'] : []),
    ...(left.length > 0 ? [['Put back by hand:', ...left].join('\n')] : []),
    formatTable(lines, judged.isFirst),
    '## Responses',
    shown.map((n) => formatExchange(exchanges[n - 1], n, masker)).join('\n'),
    '',
  ].join('\n\n')
}

const BODY_LENGTH_MAX = 400

function formatExchange(exchange: Exchange | undefined, n: number, masker: Masker): string {
  if (exchange === undefined) return ''
  const { route, path, reading, problem, options } = exchange
  const [method = ''] = route.split(' ')
  const isWebhook = path === '(webhook)'
  const operation = isWebhook ? 'webhook' : operationOf(exchange)
  const call = isWebhook ? operation : `${method} ${masker.target(method, path)}`
  const format = (side: 'request' | 'response', body: Json) => {
    if (body === undefined || body === '') return ''
    const masked = typeof body === 'string' ? '' : masker.body({ operation, side }, body)
    const text = typeof body === 'string' ? masker.text(body) : JSON.stringify(masked)
    const short = text.length > BODY_LENGTH_MAX ? `${text.slice(0, BODY_LENGTH_MAX)}…` : text
    return ` \`${short.replace(/[`\n]/g, '’')}\``
  }
  const sent = format('request', options.body)
  return `${n}. \`${call}\`${sent}: ${problem ?? reading?.status}${format('response', reading?.body)}`
}

/** Fields that hold words of the service. */
const WORDS = /^(field|kind|paymentType|status|type)$/

/** Values that are nobody's secret: flags, small numbers, words of the service. */
function isHarmless(value: Json, name: string): boolean {
  if (typeof value === 'number') return Math.abs(value) < 1e5
  const isWord = WORDS.test(name) && /^[a-z][\w .-]{0,40}$/i.test(String(value))
  return typeof value === 'boolean' || isWord
}

/** A text without keys, tokens and addresses, wherever a provider put them. */
export function redact(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN)
  if (found.length === 0) return text
  const escaped = found.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.replace(new RegExp(escaped.join('|'), 'gi'), '(hidden)')
}

const SECRET_LENGTH_MIN = 5

/** Every call of a run, as the sandbox itself got it. */
export function formatPlan(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map(({ route, path, options, step }) => {
    const [method] = route.split(' ')
    const { body, text, key = 'first', token } = options
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const sent = body === undefined ? (text ?? '') : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${sent} (${step}; ${credentials.join(', ')})`
  })
  return [
    ...lines,
    '',
    `${lines.length} calls, if the provider responds as the sandbox does. Where a bound is another`,
    'one, a search for it makes up to ten more of the same call. Ids are those of the sandbox.',
    '',
  ].join('\n')
}
