import type { Coverage } from '../control-api/wire.ts'
import {
  type AcceptedGaps,
  type CoverageReport,
  formatReport,
  judgeCoverage,
  mergeCoverage,
  reportCoverage,
} from '../coverage/report.ts'
import { readTextFile } from '../text-file.ts'
import type { OptionSpecs, Values } from './command.ts'
import { invalid, isMap, orInvalid, type Reader, writeOutput } from './option-values.ts'

const readIds: Reader<string[]> = (option, text) => {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[\w./-]+$/.test(id))) return ids
  throw invalid(option, `${option} must be ids such as expired-sell,response-lost, not ${text}.`)
}

const readGaps: Reader<AcceptedGaps> = (option, file) => {
  const gaps: unknown = orInvalid(option, `${option} ${file} cannot be read`, () =>
    JSON.parse(readTextFile(file)),
  )
  const hasWhy = (gap: unknown) =>
    isMap(gap) && typeof gap.why === 'string' && gap.why.trim() !== ''
  if (isMap(gaps) && Object.values(gaps).every(hasWhy)) return gaps as AcceptedGaps
  const example = '{ "expired-sell": { "why": "We only buy." } }'
  throw invalid(option, `${option} ${file} must hold gaps with a reason each, such as ${example}.`)
}

/** Required coverage, as an option of `exec` and `coverage`. */
export const DEMAND_OPTIONS = {
  'coverage-require': {
    value: 'ID,…',
    read: readIds,
    many: true,
    help: 'exit with 3 if one of these situations was not met',
  },
  'coverage-accept': {
    value: 'FILE',
    read: readGaps,
    help: 'gaps and readings that you accept: {"ID": {"why": "…"}}; they do not count',
  },
} as const satisfies OptionSpecs

/** Coverage of a command, as `exec` takes it. */
export const COVERAGE_OPTIONS = {
  coverage: { value: 'FILE', help: 'write the situations that were met to this file' },
  ...DEMAND_OPTIONS,
} as const satisfies OptionSpecs

type Demanded = Values<typeof DEMAND_OPTIONS>
type Covered = Values<typeof COVERAGE_OPTIONS>

export const isCovered = (values: Covered): boolean =>
  values.coverage !== undefined || values['coverage-require'].length > 0

/** Merges coverage, writes the requested file, and lists on stderr what is missing. */
export function reportCoverageOf(coverages: readonly Coverage[], values: Covered): number {
  const coverage = mergeCoverage(coverages)
  if (values.coverage) writeCoverage('--coverage', values.coverage, coverage)
  return printReport(coverage, values, { stream: process.stderr })
}

/** What keeps a suite from being green, and the exit code. */
function judge(report: CoverageReport, values: Demanded): ReturnType<typeof judgeCoverage> {
  const { exitCode, problems } = judgeCoverage(report, values['coverage-require'].flat())
  const known = report.rows.map(({ id }) => id)
  const gaps = Object.keys(values['coverage-accept'] ?? {}).filter((id) => !id.includes('='))
  const unknown = gaps.find((id) => !known.includes(id))
  // Where no call was made, nothing says what can occur.
  if (unknown === undefined || report.calls === 0) return { exitCode, problems }
  const problem = `--coverage-accept names ${unknown}, which cannot occur.`
  return { exitCode: 2, problems: [...problems, problem] }
}

interface PrintOptions {
  /** Lists everything that was never seen. */
  isAll?: boolean
  json?: boolean
  stream: NodeJS.WriteStream
}

/** Prints a report, and on stderr what the suite lacks; returns the exit code. */
export function printReport(
  coverage: Coverage,
  demanded: Demanded,
  { isAll = false, json = false, stream }: PrintOptions,
): number {
  const report = reportCoverage(coverage, demanded['coverage-accept'])
  const { exitCode, problems } = judge(report, demanded)
  stream.write(`${json ? JSON.stringify(report, null, 2) : formatReport(report, { isAll })}\n`)
  for (const problem of problems) process.stderr.write(`ramp-sandbox: ${problem}\n`)
  return exitCode
}

export const writeCoverage = (option: string, file: string, coverage: Coverage): void =>
  writeOutput(option, file, `${JSON.stringify(coverage)}\n`)
