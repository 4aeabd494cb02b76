import { BREAKS, type Break, type DifferenceRow, formatValue, isIgnored } from '../differences.ts'
import { createMasker, type Masker } from '../mask.ts'
import { findOperation } from '../operations.ts'
import type { Calibration } from './calibrate.ts'
import type { Finding, FindingVerdict } from './findings.ts'
import type { Exchange } from './provider.ts'

/** What a settings file holds besides settings: what was different, and where one looked. */
export interface Accepted {
  /** Operations by what differs there. */
  differences: Readonly<Record<string, readonly string[]>>
  /** What no option is, by setting. */
  settings: Readonly<Record<string, string>>
  /** The steps whose responses were compared. */
  steps: readonly string[]
}

export interface JudgeOptions {
  /** What the file of `--settings` holds; undefined without one. */
  file?: { settings: Readonly<Record<string, unknown>>; accepted: Accepted } | undefined
  /** Paths that may differ. */
  ignored: readonly string[]
  /** Whether a field that only the provider has is no difference. */
  ignoresAdditional: boolean
}

/** A row of the table. */
export interface ReportRow {
  verdict: FindingVerdict
  breaks: Break
  what: string
  provider: string
  sandbox: string
  /** Numbers of the responses that show it. */
  calls: number[]
  /** Whether it was not so when the settings file was written. */
  isNew: boolean
}

/** How a calibration ended, as its exit code says it. */
export type CalibrationOutcome = 'confirmed' | 'differs' | 'failed'

export interface Judged {
  rows: ReportRow[]
  accepted: Accepted
  outcome: CalibrationOutcome
}

/** Makes the rows of the table, and says which of them are news since the settings file. */
export function judge(calibration: Calibration, options: JudgeOptions): Judged {
  const { findings, exchanges, isInterrupted, leftBehind } = calibration
  const { file, ignored, ignoresAdditional } = options
  const drift = calibration.drift.flatMap((row) => {
    const operations = row.operations.filter(
      (operation) => !isIgnored({ operation, path: row.path }, ignored),
    )
    return operations.length > 0 ? [{ ...row, operations }] : []
  })
  const stepOf = (call: number) => exchanges[call - 1]?.step ?? ''
  const isNewDrift = (row: DifferenceRow): boolean => {
    if (row.breaks === 'additional' && ignoresAdditional) return false
    if (file === undefined) return true
    const { differences, steps } = file.accepted
    const before = differences[keyOf(row)] ?? []
    const isLookedAt = row.calls.some((call) => steps.includes(stepOf(call)))
    return isLookedAt && row.operations.some((operation) => !before.includes(operation))
  }
  const isNewFinding = ({ setting, verdict, why }: Finding): boolean => {
    if (verdict === 'set') return file === undefined || setting in file.settings
    if (verdict !== 'cannot imitate') return false
    if (file === undefined) return true
    const before = file.accepted.settings[setting]
    return before === undefined ? setting in file.settings : before !== why
  }
  const numbers = numbersOf(exchanges)
  const rows = [
    ...findings
      .filter(({ verdict }) => verdict === 'cannot imitate' || verdict === 'set')
      .map((finding): ReportRow => toRow(finding, numbers, isNewFinding(finding))),
    ...toDriftRows(drift.map((row) => ({ ...row, isNew: isNewDrift(row) }))),
  ].sort((a, b) => rankOf(a) - rankOf(b))
  const measured = findings.filter(({ actual }) => actual !== null)
  const before = Object.keys(file?.settings ?? {})
  const again = measured.filter(({ setting }) => before.includes(setting))
  const missed = findings.filter(({ setting, isFailure }) => isFailure && before.includes(setting))
  const isPartial = missed.length > again.length
  const isFailed = isInterrupted || leftBehind.length > 0 || measured.length === 0 || isPartial
  // A later run need not see again what failed by chance.
  const isUnsure = file === undefined && findings.some(({ isFailure }) => isFailure)
  const isDifferent = rows.some(({ isNew }) => isNew)
  return {
    rows,
    accepted: toAccepted(calibration, drift),
    outcome: isFailed ? 'failed' : isDifferent ? 'differs' : isUnsure ? 'failed' : 'confirmed',
  }
}

function toAccepted(
  { findings, exchanges }: Calibration,
  drift: readonly DifferenceRow[],
): Accepted {
  const imitable = findings.filter(({ verdict }) => verdict === 'cannot imitate')
  return {
    differences: Object.fromEntries(drift.map((row) => [keyOf(row), row.operations])),
    settings: Object.fromEntries(imitable.map(({ setting, why }) => [setting, why ?? ''])),
    steps: [...new Set(exchanges.flatMap(({ step, reading }) => (reading ? [step] : [])))],
  }
}

/** Equal in every run as long as the provider does not change. */
function keyOf({ breaks, path, expected, actual }: DifferenceRow): string {
  const what = breaks === 'value' || breaks === 'additional' ? '' : ` ${expected} → ${actual}`
  return `${breaks} ${path}${what}`
}

const VERDICTS: readonly FindingVerdict[] = ['cannot imitate', 'set', 'not known', 'agrees']
const NAMES: Record<FindingVerdict, string> = {
  agrees: 'agrees',
  set: 'set for you',
  'cannot imitate': 'cannot imitate',
  'not known': 'not known',
}

const rankOf = ({ verdict, breaks }: ReportRow) =>
  VERDICTS.indexOf(verdict) * BREAKS.length + BREAKS.indexOf(breaks)

function toRow(finding: Finding, numbers: Numbers, isNew: boolean): ReportRow {
  const { setting, verdict, expected, actual, why, steps } = finding
  const breaks: Break = /^(status|auth)\./.test(setting)
    ? 'status'
    : setting.startsWith('fields.')
      ? 'missing'
      : setting.startsWith('names.')
        ? 'name'
        : 'value'
  const provider = actual === null ? (why ?? '') : String(actual)
  const calls = steps.flatMap((step) => numbers.get(step)?.slice(-1) ?? [])
  return { verdict, breaks, what: setting, provider, sandbox: String(expected), calls, isNew }
}

const OPERATIONS_MAX = 4

/** Fields that are missing, or additional, in the same operations are one row. */
function toDriftRows(drift: readonly (DifferenceRow & { isNew: boolean })[]): ReportRow[] {
  const rows = new Map<string, ReportRow & { paths: string[]; where: string }>()
  for (const { breaks, path, operations, expected, actual, calls, isNew } of drift) {
    const [provider = '', sandbox = ''] = [actual, expected].map(format)
    const isField = breaks === 'missing' || breaks === 'additional'
    const key = JSON.stringify([breaks, isNew, operations, ...(isField ? [] : [path, provider])])
    const row = rows.get(key)
    const shown = operations.slice(0, OPERATIONS_MAX).join(', ')
    const more = operations.length - OPERATIONS_MAX
    const where = more > 0 ? `${shown} and ${more} more` : shown
    if (row) row.paths.push(path)
    else {
      const base = { verdict: 'cannot imitate' as const, breaks, what: '', calls, isNew }
      const [has, had] = breaks === 'missing' ? ['nothing', 'has it'] : ['has it', 'nothing']
      const sides = isField ? { provider: has, sandbox: had } : { provider, sandbox }
      rows.set(key, { ...base, ...sides, paths: [path], where })
    }
  }
  return [...rows.values()].map(({ paths, where, ...row }) => ({
    ...row,
    what: `${where}: ${paths.join(', ')}`,
  }))
}

const format = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : formatValue(value)

/** The first thing that a person reads, on the terminal and in the report. */
export function formatCounts({ findings, drift }: Calibration): string {
  const count = (verdict: FindingVerdict) =>
    findings.filter((finding) => finding.verdict === verdict).length
  const others =
    count('cannot imitate') + drift.filter(({ breaks }) => breaks !== 'additional').length
  return `${count('agrees')} agree, ${count('set')} set for you, ${others} the sandbox cannot imitate, ${count('not known')} not known`
}

const HEADS = ['', 'What', 'Provider', 'Sandbox', 'Responses']
const CALLS_MAX = 3

/** Statuses that are set to the same value are one row, and so are all additional fields. */
function merge(rows: readonly ReportRow[]): ReportRow[] {
  const merged = new Map<string, ReportRow>()
  for (const row of rows) {
    const { verdict, breaks, provider, what, sandbox, isNew } = row
    const isStatus = verdict === 'set' && breaks === 'status'
    const kind = isStatus ? provider : breaks === 'additional' ? '' : `${what} ${provider}`
    const key = JSON.stringify([verdict, breaks, kind, isNew])
    const other = merged.get(key)
    if (other === undefined) merged.set(key, { ...row })
    else {
      other.what += `${isStatus ? ',' : ';'} ${what}`
      if (!other.sandbox.split(', ').includes(sandbox)) other.sandbox += `, ${sandbox}`
      other.calls = [...other.calls, ...row.calls.slice(0, 1)]
    }
  }
  return [...merged.values()]
}

function formatTable({ findings }: Calibration, rows: readonly ReportRow[]): string {
  const lines = rows.map(({ verdict, what, provider, sandbox, calls, isNew }) => {
    const name = isNew && verdict !== 'set' ? `**${NAMES[verdict]}**` : NAMES[verdict]
    return [name, what, provider, sandbox, calls.slice(0, CALLS_MAX).join(', ')]
  })
  const of = (verdict: FindingVerdict) => findings.filter((finding) => finding.verdict === verdict)
  const reasons = new Map<string, string[]>()
  for (const { why, setting } of of('not known')) {
    reasons.set(why ?? '', [...(reasons.get(why ?? '') ?? []), setting])
  }
  const unknown = [...reasons].map(([why, ids]) => [
    'not known',
    ids.join(', '),
    `because ${why}`,
    '',
    '',
  ])
  const agreeing = of('agrees').map(({ setting }) => setting)
  const agrees = agreeing.length > 0 ? [['agrees', agreeing.join(', '), '', '', '']] : []
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`
  return [HEADS, HEADS.map(() => '---'), ...lines, ...unknown, ...agrees].map(line).join('\n')
}

export interface ReportOptions {
  /** Base URL of the provider. */
  url: string
  /** Paths of the responses whose values are shown, such as `errors.message`. */
  keep?: readonly string[] | undefined
}

/** The report for people, in Markdown; without secrets and personal data. */
export function formatReport(
  calibration: Calibration,
  rows: readonly ReportRow[],
  { url, keep }: ReportOptions,
): string {
  const { level, leftBehind, exchanges, isInterrupted } = calibration
  const masker = createMasker({ keep })
  const table = merge(rows)
  const shown = new Set(table.flatMap(({ calls }) => calls.slice(0, 1)))
  const left = leftBehind.map((text) => `- ${text}`)
  return [
    `# How ${new URL(url).host} agrees with the sandbox`,
    `Level ${level}: ${formatCounts(calibration)}.`,
    ...(isInterrupted ? ['The run was interrupted.'] : []),
    ...(left.length > 0 ? [['Put back by hand:', ...left].join('\n')] : []),
    formatTable(calibration, table),
    '## Responses',
    [...shown]
      .sort((a, b) => a - b)
      .map((n) => formatExchange(exchanges[n - 1], n, masker))
      .join('\n'),
    '',
  ].join('\n\n')
}

type Numbers = ReadonlyMap<string, number[]>

/** The place of each call in the list of responses, by its step. */
function numbersOf(exchanges: readonly Exchange[]): Numbers {
  const numbers = new Map<string, number[]>()
  for (const [i, { step }] of exchanges.entries()) {
    numbers.set(step, [...(numbers.get(step) ?? []), i + 1])
  }
  return numbers
}

const BODY_LENGTH_MAX = 400

function formatExchange(exchange: Exchange | undefined, n: number, masker: Masker): string {
  if (exchange === undefined) return ''
  const { route, path, reading, problem, options } = exchange
  const [method = ''] = route.split(' ')
  const call = path === '(webhook)' ? 'webhook' : `${method} ${masker.target(method, path)}`
  const sent = bodyOf(options.body, masker, toPlace(exchange, 'request'))
  const received = bodyOf(reading?.body, masker, toPlace(exchange, 'answer'))
  return `${n}. \`${call}\`${sent && ` ${sent}`}: ${problem ?? reading?.status}${received && ` ${received}`}`
}

function toPlace({ route, path }: Exchange, side: 'request' | 'answer') {
  if (path === '(webhook)') return { operation: 'webhook', side }
  const [method = ''] = route.split(' ')
  return { operation: findOperation(method, path.split('?')[0] ?? '')?.id, side }
}

function bodyOf(body: unknown, masker: Masker, place: ReturnType<typeof toPlace>): string {
  if (body === undefined || body === '') return ''
  const text =
    typeof body === 'string' ? masker.text(body) : JSON.stringify(masker.body(place, body))
  const short = text.length > BODY_LENGTH_MAX ? `${text.slice(0, BODY_LENGTH_MAX)}…` : text
  return `\`${short.replace(/[`\n]/g, '’')}\``
}

/** A text without keys, tokens and addresses, wherever a provider put them. */
export function redact(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN)
  if (found.length === 0) return text
  const escaped = found.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.replace(new RegExp(escaped.join('|'), 'gi'), '(hidden)')
}

const SECRET_LENGTH_MIN = 5
