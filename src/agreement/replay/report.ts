import type { Json } from '../../client/http.ts'
import { keyOf, type Remedies } from './remedies.ts'
import type { Compared, Verdict } from './replay.ts'

const SHOWN_MAX = 120

export function formatReplay(
  name: string,
  compared: readonly Compared[],
  remedies: Remedies | undefined,
): string {
  const rows = compared.flatMap((one) => formatOne(one, remedies))
  const settings = Object.entries(remedies?.settings ?? {})
  const together =
    settings.length === 0
      ? []
      : ['', 'Try it with', ...settings.map(([id, value]) => `  --set ${id}=${value}`)]
  return [name, ...formatCounts(compared), ...rows, ...together, ''].join('\n')
}

const VERDICTS: readonly Verdict[] = ['same', 'differs', 'cannot be compared']

/** One line each: the three are never added up. */
const formatCounts = (compared: readonly Compared[]) =>
  VERDICTS.map((verdict) => {
    const count = compared.filter((one) => one.verdict === verdict).length
    return `  ${verdict.padEnd(18)} ${count}`
  })

function formatOne(one: Compared, remedies: Remedies | undefined): string[] {
  const { n, operation, verdict, why } = one
  if (verdict === 'same') return []
  const what = n === undefined ? `${operation}, which was not recorded` : `${operation} (${n})`
  if (verdict === 'cannot be compared') return ['', `? ${what}: ${why}`]
  return ['', `✗ ${what}`, ...formatDifferences(one, remedies).map((line) => `  ${line}`)]
}

/** Each difference with the settings that remove it. */
export function formatDifferences(one: Compared, remedies?: Remedies): string[] {
  return one.differences.flatMap((difference) => {
    const { path, expected, actual } = difference
    const settings = remedies?.byDifference.get(keyOf(one, difference)) ?? []
    return [
      `${path}: expected ${formatValue(expected)}, got ${formatValue(actual)}`,
      ...settings.map(({ id, value }) => `  ${id}=${value} removes it`),
    ]
  })
}

function formatValue(value: Json): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
