import type { Coverage } from '../control-api/wire.ts'
import { AREAS, type Area, describeSituation, type Situation } from './situations.ts'

export interface CoverageRow extends Situation {
  met: boolean
  /** Why it may stay unmet; null where nobody accepted that. */
  accepted: string | null
}

/** Coverage in words, the worst first. */
export interface CoverageReport {
  calls: number
  met: number
  /** Situations that count: those that were met, and those that nobody accepted as gaps. */
  total: number
  rows: readonly CoverageRow[]
}

/** Gaps that a project accepts, by the id of the situation, with the reason. */
export type AcceptedGaps = Readonly<Record<string, { why: string }>>

export function reportCoverage(coverage: Coverage, gaps: AcceptedGaps = {}): CoverageReport {
  const rows = coverage.situations
    .map(({ id, met, call }): CoverageRow => {
      return { ...describeSituation(id, call), met, accepted: gaps[id]?.why ?? null }
    })
    .sort((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area))
  const counted = rows.filter(isCounted)
  const met = counted.filter((row) => row.met).length
  return { calls: coverage.calls, met, total: counted.length, rows }
}

const isCounted = ({ met, accepted }: CoverageRow) => met || accepted === null

/** Situations that were never met and that nobody accepted as gaps. */
const missingOf = ({ rows }: CoverageReport): CoverageRow[] =>
  rows.filter((row) => isCounted(row) && !row.met)

/** Says which accepted gaps were met after all. */
function sayUnneeded({ rows }: CoverageReport): string[] {
  const unneeded = rows.filter(({ met, accepted }) => met && accepted !== null)
  if (unneeded.length === 0) return []
  const ids = unneeded.map(({ id }) => id).join(', ')
  return [`--coverage-accept need not name what was met: ${ids}.`]
}

/** Joins the coverage of several processes. A process without a call does not count. */
export function mergeCoverage(all: readonly Coverage[]): Coverage {
  const calling = all.filter(({ calls }) => calls > 0)
  const rows = new Map<string, Coverage['situations'][number]>()
  for (const { situations } of calling.length > 0 ? calling : all.slice(0, 1)) {
    for (const row of situations) {
      rows.set(row.id, { ...row, met: row.met || (rows.get(row.id)?.met ?? false) })
    }
  }
  const calls = all.reduce((sum, one) => sum + one.calls, 0)
  return { calls, situations: [...rows.values()] }
}

interface AreaSum {
  area: Area
  met: number
  total: number
}

function sumsOf({ rows }: CoverageReport): AreaSum[] {
  return AREAS.flatMap((area) => {
    const own = rows.filter((row) => row.area === area && isCounted(row))
    const met = own.filter((row) => row.met).length
    return own.length === 0 ? [] : [{ area, met, total: own.length }]
  })
}

/** Most lines of a report, unless all are asked for. */
const LINES_MAX = 40
const BAR_LENGTH = 20

/** The report for a terminal: a bar for each area, then what was never seen. */
export function formatReport(report: CoverageReport, { isAll = false } = {}): string {
  const { calls, met, total } = report
  const width = Math.max(...AREAS.map((area) => area.length))
  const sums = sumsOf(report).map(
    (sum) => `${sum.area.padEnd(width)}  ${toBar(sum)}  ${sum.met} of ${sum.total}`,
  )
  const head = [
    `${met} of ${total} situations met, by ${countCalls(calls)}`,
    ...sayUnneeded(report),
  ]
  const missing = missingOf(report)
  if (missing.length === 0) return [...head, '', ...sums].join('\n')
  const room = LINES_MAX - sums.length - head.length - 4
  const shown = isAll || missing.length <= room ? missing : missing.slice(0, room)
  const textWidth = Math.max(...shown.map(({ text }) => text.length))
  const lines = shown.map(({ text, how }) => `${text.padEnd(textWidth)}  ${how}`)
  const left = missing.length - shown.length
  const rest = left > 0 ? [`… and ${left} more; --all lists them`] : []
  return [...head, '', ...sums, '', 'Never seen, the worst first:', ...lines, ...rest].join('\n')
}

const countCalls = (calls: number) => `${calls} call${calls === 1 ? '' : 's'} of the contract`

function toBar({ met, total }: AreaSum): string {
  const full = Math.floor((BAR_LENGTH * met) / total)
  return '█'.repeat(full) + '░'.repeat(BAR_LENGTH - full)
}

/** What keeps a suite from being green: no call at all, or a demand that is not met. */
export interface Verdict {
  exitCode: 0 | 1 | 2 | 3
  problems: readonly string[]
}

/** `required` has the ids of situations that have to be met. */
export function judgeCoverage(report: CoverageReport, required: readonly string[]): Verdict {
  if (report.calls === 0) {
    const problem = 'the suite made no call of the contract, so its coverage says nothing'
    return { exitCode: 1, problems: [problem] }
  }
  const problems = required.flatMap((id) => {
    const row = report.rows.find((each) => each.id === id)
    if (row === undefined) return [`${id} cannot occur under the settings of this run`]
    return row.met ? [] : [`${id} was not met: ${row.text}; ${row.how}`]
  })
  return { exitCode: problems.length > 0 ? 3 : 0, problems }
}
