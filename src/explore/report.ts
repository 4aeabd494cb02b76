import type { Exploration } from './explore.ts'
import type { ReceiverFinding } from './findings.ts'

const COLUMN_MAX = 70
const ROWS_MAX = 30

/** What was found, the same text for the same receiver on any machine. */
export function formatExploration(
  title: string,
  exploration: Exploration,
  files: readonly string[],
): string {
  const { deliveries, held, findings, runs, leftOut } = exploration
  const names = deliveries.map((label) => `\`${label}\``).join(', ')
  const kept = held.map(({ name, held: count, of }) => `${name} ${count} of ${of}`).join(' · ')
  const rest = leftOut > 0 ? `, ${leftOut} left out` : ''
  return [
    `${title}: ${deliveries.length} webhooks (${names})`,
    '',
    ...findings.flatMap((finding, at) => [...formatFinding(finding, at, files[at]), '']),
    `Held: ${kept}`,
    `${runs} runs${rest}, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`,
    '',
  ].join('\n')
}

function formatFinding(finding: ReceiverFinding, at: number, file: string | undefined): string[] {
  const { sentence, also, expected, actual, isForged } = finding
  return [
    `${at + 1}. ${sentence}`,
    ...also.map((each) => `   Also: ${each}.`),
    ...besides(isForged ? ['before the copy', expected] : ['undisturbed', expected], [
      isForged ? 'after it' : 'in this run',
      actual,
    ]).map((line) => `     ${line}`),
    ...(file === undefined ? [] : [`   Play it again: ramp-sandbox play ${file}`]),
  ]
}

type Shown = [title: string, state: unknown]

/** Two states beside each other; a bar marks the lines that differ. */
function besides([left, one]: Shown, [right, other]: Shown): string[] {
  const [lines, others] = [toLines(one), toLines(other)]
  const count = Math.max(lines.length, others.length)
  const width = Math.min(COLUMN_MAX, Math.max(left.length, ...lines.map(({ length }) => length)))
  const column = (text: string) =>
    text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)
  const rows = Array.from({ length: Math.min(count, ROWS_MAX) }, (_, i) => {
    const [a = '', b = ''] = [lines[i], others[i]]
    return `${column(a)} ${a === b ? ' ' : '|'} ${b}`.trimEnd()
  })
  return [`${column(left)}   ${right}`, ...rows, ...(count > ROWS_MAX ? ['…'] : [])]
}

const toLines = (state: unknown) =>
  (typeof state === 'string' ? state : (JSON.stringify(state, null, 2) ?? 'nothing')).split('\n')

/** The same for programs. */
export function toJson(title: string, exploration: Exploration, files: readonly string[]): object {
  const { deliveries, expected, held, findings, runs, leftOut } = exploration
  const found = findings.map(({ sentence, also, disturbances, ...finding }, at) => ({
    sentence,
    also,
    disturbances,
    expected: finding.expected,
    actual: finding.actual,
    isHealed: finding.isHealed,
    file: files[at] ?? null,
  }))
  return { story: title, deliveries, expected, held, findings: found, runs, leftOut }
}
