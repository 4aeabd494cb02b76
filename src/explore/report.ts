import type { Exploration } from './explore.ts'
import type { ReceiverFinding } from './findings.ts'

const COLUMN_MAX = 70
const ROWS_MAX = 30

/** Report of what was found, the same text for the same receiver on any machine. */
export function formatExploration(
  title: string,
  exploration: Exploration,
  files: readonly string[],
): string {
  const { deliveries, held, findings, unclear, notTried, runs, leftOut } = exploration
  const names = deliveries.map((label) => `\`${label}\``).join(', ')
  const kept = held.map(({ name, held: count, of }) => `${name} ${count} of ${of}`).join(' · ')
  const all = leftOut > 0 ? `${runs} of ${runs + leftOut} runs` : `${runs} runs`
  return [
    `${title}: ${deliveries.length} webhooks (${names})`,
    '',
    ...findings.flatMap((finding, at) => [...formatFinding(finding, at), '']),
    ...unclear.map((each) => `Not known: whether it holds when ${each}`),
    ...(kept === '' ? [] : [`Held: ${kept}`]),
    ...(notTried.length > 0 ? [`Not tried: ${notTried.join(', ')}`] : []),
    `${all}, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`,
    '',
  ].join('\n')

  function formatFinding(finding: ReceiverFinding, at: number): string[] {
    const { sentence, also, expected, actual, isForged, responses } = finding
    const left: Shown = [isForged ? 'before the copy' : 'undisturbed', expected]
    const right: Shown = [isForged ? 'after it' : 'in this run', actual]
    const given = responses.map((status, i) => `\`${deliveries[i] ?? i + 1}\` ${status || 'none'}`)
    const file = files[at]
    return [
      `${at + 1}. ${sentence}`,
      ...also.map((each) => `   Also: ${each}.`),
      ...besides(left, right).map((line) => `     ${line}`),
      ...(given.length > 0 ? [`   Responses of the receiver: ${given.join(', ')}`] : []),
      ...(file === undefined ? [] : [`   Play it again: ramp-sandbox play ${file}`]),
    ]
  }
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

/** Report for programs. */
export function toJson(title: string, exploration: Exploration, files: readonly string[]): object {
  const { ms: _, reference: __, findings, ...rest } = exploration
  const found = findings.map(({ isForged: ___, ...finding }, at) => {
    return { ...finding, file: files[at] ?? null }
  })
  return { story: title, ...rest, findings: found }
}
