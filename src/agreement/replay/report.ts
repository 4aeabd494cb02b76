import { type Difference, type DifferenceRow, formatValue, toRows } from '../differences.ts'
import type { Compared, Verdict } from './replay.ts'

const VERDICTS: readonly Verdict[] = ['same', 'other status', 'other fields', 'cannot be compared']
const CALLS_MAX = 5

/** The verdicts, which are never added up, and each difference once. */
export function formatReplay(
  name: string,
  compared: readonly Compared[],
  /** Ids of the settings that concern an operation. */
  settingsOf: (operation: string) => readonly string[] = () => [],
): string {
  const counts = VERDICTS.map((verdict) => {
    const count = compared.filter((one) => one.verdict === verdict).length
    return `  ${verdict.padEnd(18)} ${count}`
  })
  const rows = toRows(
    compared.flatMap(({ operation, n = 0, differences }) =>
      differences.map((difference) => ({ ...difference, operation, call: n })),
    ),
  )
  const additional = [...new Set(compared.flatMap((one) => one.additional))]
  const operations = [...new Set(rows.flatMap((row) => row.operations))]
  const settings = operations.flatMap((operation) => {
    const ids = settingsOf(operation)
    return ids.length === 0 ? [] : [`  ${operation}: ${ids.join(', ')}`]
  })
  return [
    name,
    ...counts,
    ...rows.flatMap((row) => ['', ...formatRow(row)]),
    ...(settings.length > 0 ? ['', 'Settings that concern these operations', ...settings] : []),
    ...formatObstacles(compared),
    ...(additional.length > 0 ? ['', `Only recorded, and ignored: ${additional.join(', ')}`] : []),
    '',
  ].join('\n')
}

export const formatDifference = ({ path, expected, actual }: Difference): string =>
  `${path}: recorded ${formatValue(expected)}, now ${formatValue(actual)}`

function formatRow({ operations, calls, ...difference }: DifferenceRow): string[] {
  const known = calls.filter((n) => n > 0)
  const shown = known.slice(0, CALLS_MAX).join(', ')
  const places = known.length > CALLS_MAX ? `${shown}, …` : shown
  const count = calls.length === 1 ? '' : `${calls.length} times`
  const where = [count, places && `call ${places}`].filter(Boolean).join(': ')
  return [
    `✗ ${operations.join(', ')}${where && ` (${where})`}`,
    `  ${formatDifference(difference)}`,
  ]
}

function formatObstacles(compared: readonly Compared[]): string[] {
  const reasons = new Map<string, number[]>()
  for (const { why, operation, n = 0 } of compared) {
    if (why === undefined) continue
    const key = `${operation}: ${why}`
    reasons.set(key, [...(reasons.get(key) ?? []), n])
  }
  const lines = [...reasons].map(([why, calls]) => `? ${why} (call ${calls.join(', ')})`)
  return lines.length > 0 ? ['', ...lines] : []
}
