import { appendFileSync } from 'node:fs'
import {
  type AcceptedGaps,
  type CoverageReport,
  formatMarkdown,
  formatReport,
  judgeCoverage,
  mergeCoverage,
  reportCoverage,
} from '../coverage/report.ts'
import type { Coverage } from '../levers/wire.ts'
import { readTextFile } from '../text-file.ts'
import type { OptionSpecs, Values } from './command.ts'
import { JUNIT, type JunitCase, writeJunit } from './junit.ts'
import { createKind, invalid, isMap, orInvalid, type Reader, writeOutput } from './option-values.ts'

const PERCENT = createKind('PERCENT', 'a whole number from 0 to 100', (text) =>
  /^(100|\d\d?)$/.test(text) ? Number(text) : undefined,
)

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

/** Required coverage, as an option of `exec`, `coverage` and `coverage merge`. */
export const DEMAND_OPTIONS = {
  'coverage-min': { ...PERCENT, help: 'exit with 3 if a smaller share of the situations was met' },
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

/** Files for the pages of a CI service. */
export const SUMMARY_OPTIONS = {
  markdown: { value: 'FILE', help: 'a file to add a summary to, such as $GITHUB_STEP_SUMMARY' },
  junit: JUNIT,
} as const satisfies OptionSpecs

/** Ways to print a report. */
export const REPORT_OPTIONS = {
  all: { help: 'list everything that was never seen' },
  ...SUMMARY_OPTIONS,
} as const satisfies OptionSpecs

type Demanded = Values<typeof DEMAND_OPTIONS>
type Covered = Values<typeof COVERAGE_OPTIONS & typeof SUMMARY_OPTIONS>

export const isCovered = (values: Covered): boolean =>
  values.coverage !== undefined ||
  values['coverage-min'] !== undefined ||
  values['coverage-require'].length > 0

/** Merges coverage, writes the requested files, and lists on stderr what is missing. */
export function reportCoverageOf(coverages: readonly Coverage[], values: Covered): number {
  const report = toReport(coverages, values)
  if (values.coverage) writeCoverage('--coverage', values.coverage, mergeCoverage(coverages))
  // --json of exec is about the command that it runs.
  return printReport(report, { ...values, json: false, stream: process.stderr })
}

/** The coverage in a file of `exec --coverage`. */
export function readCoverageFile(file: string): Coverage {
  const read = () => JSON.parse(readTextFile(file))
  const coverage: unknown = orInvalid('FILE', `${file} cannot be read`, read)
  if (isCoverage(coverage)) return coverage
  throw invalid('FILE', `${file} must hold what exec --coverage writes.`)
}

const isCoverage = (coverage: unknown): coverage is Coverage =>
  isMap(coverage) &&
  Number.isInteger(coverage.calls) &&
  Number(coverage.calls) >= 0 &&
  Array.isArray(coverage.situations) &&
  coverage.situations.every(isRow)

const isRow = (row: unknown) =>
  isMap(row) &&
  typeof row.id === 'string' &&
  typeof row.met === 'boolean' &&
  (row.call === null || typeof row.call === 'string')

export const toReport = (coverages: readonly Coverage[], values: Demanded): CoverageReport =>
  reportCoverage(mergeCoverage(coverages), values['coverage-accept'])

/** What keeps a suite from being green, and the exit code. */
function judge(report: CoverageReport, values: Demanded): ReturnType<typeof judgeCoverage> {
  const min = values['coverage-min']
  const required = values['coverage-require'].flat()
  const { exitCode, problems } = judgeCoverage(report, { min, required })
  const known = report.rows.map(({ id }) => id)
  const gaps = Object.keys(values['coverage-accept'] ?? {}).filter((id) => !id.includes('='))
  const unknown = gaps.find((id) => !known.includes(id))
  // Where no call was made, nothing says what can occur.
  if (unknown === undefined || report.calls === 0) return { exitCode, problems }
  const problem = `--coverage-accept names ${unknown}, which cannot occur.`
  return { exitCode: 2, problems: [...problems, problem] }
}

interface PrintOptions extends Demanded, Partial<Values<typeof REPORT_OPTIONS>> {
  json?: boolean
  stream: NodeJS.WriteStream
}

/** Prints a report and writes the requested files, with what the suite lacks; returns the exit code. */
export function printReport(report: CoverageReport, options: PrintOptions): number {
  const { all: isAll = false, json = false, junit, markdown, stream } = options
  const { exitCode, problems } = judge(report, options)
  stream.write(`${json ? JSON.stringify(report, null, 2) : formatReport(report, { isAll })}\n`)
  for (const problem of problems) process.stderr.write(`ramp-sandbox: ${problem}\n`)
  const lacks = problems.map((message): JunitCase => {
    return { name: 'the suite', result: 'failure', message }
  })
  writeJunit(junit, 'coverage', 'coverage', [...lacks, ...report.rows.map(toJunitCase)])
  writeSummary(markdown, [...problems.map(toLine), formatMarkdown(report)].join('\n'))
  return exitCode
}

const toLine = (problem: string) => `Suite: ${problem}\n`

/** Adds to the file of `--markdown`, if it was given. */
export function writeSummary(file: string | undefined, text: string): void {
  if (file === undefined) return
  orInvalid('--markdown', '--markdown cannot be written', () => appendFileSync(file, `${text}\n`))
}

const toJunitCase = ({
  id,
  met,
  text,
  how,
  accepted,
}: CoverageReport['rows'][number]): JunitCase =>
  met
    ? { name: id, result: 'passed' }
    : { name: id, result: 'skipped', message: accepted ?? `${text}: ${how}` }

export const writeCoverage = (option: string, file: string, coverage: Coverage): void =>
  writeOutput(option, file, `${JSON.stringify(coverage)}\n`)
