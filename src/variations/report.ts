import { plural } from '../world/plural.ts'
import type { Failure, Outcome, Result, Variation } from './loop.ts'

/** Variations that changed the result in two runs; those with the same cause count as one finding. */
export interface Finding extends Failure {
  /** Id of the variation that shows it best. */
  id: string
  words: string
  /** Other variations with the same cause. */
  also: { id: string; words: string }[]
}

interface Reason {
  id: string
  words: string
  why: string
}

/** What is known once every variation has been tried, or the user has stopped the run. */
export interface Report {
  title: string
  findings: Finding[]
  /** Findings that the user accepts. */
  ignored: Finding[]
  /** What is worth knowing, but is not a finding. */
  notes: string[]
  unclear: Reason[]
  notTried: string[]
  /** Of each kind of variation, how many were tried and how many of them changed nothing. */
  held: { kind: string; held: number; of: number }[]
  runs: number
  ms: number
  leftOut: number
  isStopped: boolean
  problem: string | null
}

export interface ReportOptions {
  /** What was run. */
  title: string
  /** Ids of variations whose failure the user accepts. */
  ignored?: readonly string[] | undefined
  notes?: readonly string[] | undefined
  notTried?: readonly string[] | undefined
}

export function createReport<V extends Variation, Run>(
  { results, problem, runs, ms, leftOut, isStopped }: Outcome<V, Run>,
  { title, ignored = [], notes = [], notTried = [] }: ReportOptions,
): Report {
  const isIgnored = ({ variation }: Result<V>) => ignored.includes(variation.id)
  const reasons = (kind: 'unclear' | 'not tried') =>
    results.flatMap(({ verdict, variation: { id, words } }) =>
      verdict.kind === kind ? [{ id, words, why: verdict.why }] : [],
    )
  return {
    title,
    findings: toFindings(results.filter((each) => !isIgnored(each))),
    ignored: toFindings(results.filter(isIgnored)),
    notes: [...notes, ...results.flatMap(noteOf)],
    unclear: reasons('unclear'),
    notTried: [...notTried, ...countReasons(reasons('not tried'))],
    held: countHeld(results),
    runs,
    ms,
    leftOut,
    isStopped,
    problem,
  }
}

/** 0 where nothing was found, 2 where something was, 1 where that could not be judged. */
export function toExitCode({ findings, unclear, leftOut, isStopped, problem }: Report): number {
  if (problem !== null) return 1
  if (findings.length > 0) return 2
  return unclear.length > 0 || leftOut > 0 || isStopped ? 1 : 0
}

function toFindings(results: readonly Result<Variation>[]): Finding[] {
  const findings = new Map<string, Finding>()
  for (const { variation, verdict } of results) {
    if (verdict.kind !== 'failed') continue
    const { id, words } = variation
    const { failure } = verdict
    const known = findings.get(failure.cause)
    if (known === undefined) findings.set(failure.cause, { ...failure, id, words, also: [] })
    else known.also.push({ id, words })
  }
  return [...findings.values()]
}

const noteOf = ({ verdict }: Result<Variation>): string[] =>
  verdict.kind === 'held' && verdict.note !== undefined ? [verdict.note] : []

/** Reasons for which several variations were not tried, each named once. */
function countReasons(reasons: readonly Reason[]): string[] {
  const whys = [...new Set(reasons.map(({ why }) => why))]
  return whys.map((why) => {
    const [first, ...more] = reasons.filter((each) => each.why === why)
    return `${first?.words}${more.length > 0 ? ` and ${more.length} more` : ''} (${why})`
  })
}

function countHeld(results: readonly Result<Variation>[]): Report['held'] {
  const judged = results.filter(({ verdict: { kind } }) => kind === 'held' || kind === 'failed')
  return [...new Set(judged.map(({ variation }) => variation.kind))].map((kind) => {
    const same = judged.filter(({ variation }) => variation.kind === kind)
    return {
      kind,
      held: same.filter(({ verdict }) => verdict.kind === 'held').length,
      of: same.length,
    }
  })
}

/** Command line that runs one variation again. */
export type Reproduce = (id: string) => string

export function formatReport(report: Report, reproduce: Reproduce): string {
  const { title, findings, ignored, notes, unclear, notTried, held, problem } = report
  const section = (name: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [`${name}:`, ...rows.map((row) => `  ${row}`)]
  const kinds = held.map(({ kind, held: count, of }) => `${kind} ${count} of ${of}`)
  return [
    title,
    '',
    ...findings.flatMap((finding, at) => [...formatFinding(finding, at + 1, reproduce), '']),
    ...section(
      'Ignored',
      ignored.map(({ sentence }) => sentence),
    ),
    ...section('Notes', notes),
    ...section(
      'Unclear',
      unclear.map(({ words, why }) => `${words} (${why})`),
    ),
    ...section('Not tried', notTried),
    ...(kinds.length === 0 ? [] : [`Passed: ${kinds.join(' · ')}`]),
    ...(problem === null ? [] : [`No verdict: ${problem}`]),
    describeRuns(report),
  ].join('\n')
}

function formatFinding(
  { id, sentence, lines, also }: Finding,
  nth: number,
  reproduce: Reproduce,
): string[] {
  return [
    `${nth}. ${sentence}`,
    ...also.map(({ words }) => `   Also when ${words}.`),
    ...lines.map((line) => `   ${line}`),
    `   Run it again: ${reproduce(id)}`,
  ]
}

function describeRuns({ findings, held, unclear, runs, leftOut, isStopped }: Report): string {
  const tried = held.reduce((sum, { of }) => sum + of, unclear.length)
  const rest = leftOut > 0 ? `, ${plural(leftOut, 'variation')} not run` : ''
  return `${isStopped ? 'Stopped: ' : ''}${plural(tried, 'variation')} in ${plural(runs, 'run')}, ${plural(findings.length, 'finding')}${rest}`
}

export function toReportJson(report: Report, reproduce: Reproduce): object {
  const findings = report.findings.map((finding) => ({ ...finding, again: reproduce(finding.id) }))
  return { ...report, findings, exitCode: toExitCode(report) }
}
