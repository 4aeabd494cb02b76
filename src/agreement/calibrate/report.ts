import { createMasker, type Masker } from '../mask.ts'
import { findOperation } from '../operations.ts'
import type { Calibration } from './calibrate.ts'
import type { Finding, FindingVerdict } from './findings.ts'
import type { Exchange } from './provider.ts'

const BODY_LENGTH_MAX = 1_500

/** How a calibration ended, as its exit code says it. */
export type CalibrationOutcome = 'confirmed' | 'differs' | 'failed'

export function outcomeOf(calibration: Calibration): CalibrationOutcome {
  const { findings, drift, leftBehind, isInterrupted } = calibration
  if (isInterrupted || leftBehind.length > 0) return 'failed'
  if (drift.length > 0 || countOf(findings, 'differs') > 0) return 'differs'
  const isPartial = findings.some(({ isFailure }) => isFailure)
  return isPartial || countOf(findings, 'confirmed') === 0 ? 'failed' : 'confirmed'
}

const countOf = (findings: readonly Finding[], verdict: FindingVerdict) =>
  findings.filter((finding) => finding.verdict === verdict).length

export function formatCounts({ findings, drift }: Calibration): string {
  const verdicts = ['confirmed', 'differs', 'not measured', 'not observable'] as const
  const counts = verdicts.map((verdict) => `${countOf(findings, verdict)} ${verdict}`)
  return [...counts, `${drift.length} drift`].join(', ')
}

export function formatFinding({ setting, verdict, expected, actual, why }: Finding): string {
  if (verdict === 'confirmed') return `✓ ${setting} = ${actual}`
  if (verdict === 'differs') return `✗ ${setting} = ${actual}, where the sandbox has ${expected}`
  return `- ${setting} ${verdict}: ${why}`
}

export interface ReportOptions {
  /** Base URL of the provider. */
  url: string
  /** Paths of the answers whose values are shown, such as `errors.message`. */
  keep?: readonly string[] | undefined
}

/** The report for people, in Markdown; without secrets and personal data. */
export function formatReport(calibration: Calibration, { url, keep }: ReportOptions): string {
  const { level, findings, drift, leftBehind, exchanges, isInterrupted } = calibration
  const of = (verdict: FindingVerdict) => findings.filter((finding) => finding.verdict === verdict)
  const numbers = numbersOf(exchanges)
  const measured = (title: string, verdict: FindingVerdict) => {
    const rows = of(verdict).map((finding) => {
      const { setting, actual, expected } = finding
      const values = [setting, actual, expected].map((value) => `\`${value}\``)
      return [...values, answersOf(finding, numbers)]
    })
    return section(title, ['Setting', 'Provider', 'Sandbox', 'Answers'], rows)
  }
  const unmeasured = (title: string, verdict: FindingVerdict) => {
    const rows = of(verdict).map(({ setting, why }) => [`\`${setting}\``, why ?? ''])
    return section(title, ['Setting', 'Why'], rows)
  }
  const left = leftBehind.map((text) => [text])
  const places = drift.map(({ operation, path, what }) => [`\`${operation}\``, `\`${path}\``, what])
  return [
    `# How ${new URL(url).host} agrees with the sandbox`,
    `Level ${level}: ${formatCounts(calibration)}.`,
    ...(isInterrupted ? ['The run was interrupted.'] : []),
    ...section('Could not be put back', ['What'], left),
    ...measured('Differs', 'differs'),
    ...section('Drift: what no setting explains', ['Operation', 'Path', 'What'], places),
    ...unmeasured('Not measured', 'not measured'),
    ...measured('Confirmed', 'confirmed'),
    ...unmeasured('Not observable', 'not observable'),
    '## Answers',
    ...formatExchanges(exchanges, createMasker({ keep })),
    '',
  ].join('\n\n')
}

function section(title: string, heads: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`
  const table = [line(heads), line(heads.map(() => '---')), ...rows.map(line)]
  return [`## ${title}`, table.join('\n')]
}

/** The place of each call in the list of answers, by its step. */
function numbersOf(exchanges: readonly Exchange[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const [i, { step }] of exchanges.entries()) {
    numbers.set(step, [...(numbers.get(step) ?? []), i + 1])
  }
  return numbers
}

function answersOf({ steps }: Finding, numbers: ReadonlyMap<string, number[]>): string {
  const all = steps.map((step) => {
    const some = numbers.get(step) ?? []
    return some.length > 2 ? `${some[0]} to ${some.at(-1)}` : some.join(', ')
  })
  return all.join(', ')
}

function formatExchanges(exchanges: readonly Exchange[], masker: Masker): string[] {
  return exchanges.map((exchange, i) => {
    const { reading, problem } = exchange
    const outcome = problem ?? reading?.status
    const sent = bodyOf(exchange.options.body, masker, toPlace(exchange, 'request'))
    const received = bodyOf(reading?.body, masker, toPlace(exchange, 'answer'))
    const parts = [sent && `sent ${sent}`, received && `received ${received}`].filter(Boolean)
    return [`${i + 1}. \`${formatCall(exchange, masker)}\`: ${outcome}`, ...parts].join('\\\n   ')
  })
}

function formatCall({ route, path }: Exchange, masker: Masker): string {
  const [method = ''] = route.split(' ')
  return path === '(webhook)' ? 'webhook' : `${method} ${masker.target(method, path)}`
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
  return `\`${short.replaceAll('`', '’')}\``
}
