import { type CoverageReport, missingOf } from './report.ts'

export interface Demands {
  /** Percent of the situations that have to be met. */
  min: number | undefined
  /** Ids of situations that have to be met. */
  required: readonly string[]
}

/** What keeps a suite from being green: no call at all, or a demand that is not met. */
export interface Verdict {
  exitCode: 0 | 1 | 3
  problems: readonly string[]
}

const LISTED_MAX = 10

export function judgeCoverage(report: CoverageReport, { min, required }: Demands): Verdict {
  if (report.calls === 0) {
    const problem = 'the suite made no call of the contract, so its coverage says nothing'
    return { exitCode: 1, problems: [problem] }
  }
  const problems: string[] = []
  const missing = missingOf(report)
  if (min !== undefined && report.percent < min) {
    const names = missing.slice(0, LISTED_MAX).map(({ id }) => id)
    const rest = missing.length > LISTED_MAX ? ` and ${missing.length - LISTED_MAX} more` : ''
    problems.push(
      `${report.percent} % of the situations were met, not ${min} %; never: ${names.join(', ')}${rest}`,
    )
  }
  for (const id of required) {
    const row = report.rows.find((each) => each.id === id)
    if (row === undefined) problems.push(`${id} cannot occur under the settings of this run`)
    else if (!row.met) problems.push(`${id} was not met: ${row.text}; ${row.how}`)
  }
  return { exitCode: problems.length > 0 ? 3 : 0, problems }
}
