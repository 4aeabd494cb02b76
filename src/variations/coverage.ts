import type { Coverage } from '../control-api/wire.ts'
import { suggest } from '../world/nearest.ts'
import { plural } from '../world/plural.ts'

/** Most lines of the list in a terminal. */
const LINES_MAX = 30

/** The list of what has not occurred, for a terminal. */
export function formatCoverage({ calls, neverMet }: Coverage): string {
  const by = plural(calls, 'API call')
  if (neverMet.length === 0) return `${by} covered everything that can occur.`
  const shown = neverMet.slice(0, LINES_MAX)
  const width = Math.max(...shown.map(({ text }) => text.length))
  const left = neverMet.length - shown.length
  return [
    `Not covered by ${by}, most important first:`,
    ...shown.map(({ text, how }) => `  ${text.padEnd(width)}  ${how}`),
    ...(left > 0 ? [`  … and ${left} more; --json lists them`] : []),
  ].join('\n')
}

/** Says what keeps a suite from being green: no call at all, or a required situation that is not covered. */
export function judgeCoverage(
  { calls, met, neverMet }: Coverage,
  required: readonly string[],
): { exitCode: number; problems: readonly string[] } {
  if (calls === 0) {
    return {
      exitCode: 1,
      problems: ['the command made no API calls, so nothing is covered'],
    }
  }
  const problems = required.flatMap((id) => {
    // The name of an error may stand for that of any operation.
    const isMeant = (each: string) => each === id || each.endsWith(`/${id}`)
    if (met.some(isMeant)) return []
    const row = neverMet.find((each) => isMeant(each.id))
    if (row) return [`${id} is not covered (${row.text}): ${row.how}`]
    const known = [...met, ...neverMet.map((each) => each.id)]
    return [`${id} is not a situation that can occur with these settings${suggest(id, known, '')}`]
  })
  return { exitCode: problems.length > 0 ? 2 : 0, problems }
}
