import type { SettingId } from '../world/settings/index.ts'
import {
  isFailure,
  isProblem,
  type ReadingResult,
  type ReadingVerdict,
} from './readings-verdict.ts'

/** What is known of a suite once it has run under other readings of the contract. */
export interface ReadingsReport {
  /** The worst first. */
  results: readonly ReadingResult[]
  /** Readings that were left out by a limit, or because the runs were stopped. */
  leftOut: number
  /** Open statuses of errors that the suite never meets, so that no run could tell. */
  neverMet: readonly SettingId[]
  /** True if the suite fails, as it should, when nearly every call is rejected; null if none was. */
  notices: boolean | null
  /** Operations that were rejected then, and of which the suite did not notice it. */
  unnoticed: readonly string[]
  isStopped: boolean
  /** Accepted readings that are no failure, each with the reason. */
  unneeded: readonly Unneeded[]
  /** Why not every reading was tried, or why the results say nothing; null where they do. */
  problem: string | null
}

export interface Unneeded {
  id: string
  why: string
}

/** Command line that runs the suite under a reading again. */
type Reproduce = (id: string) => string

const TITLES: readonly (readonly [ReadingVerdict, string])[] = [
  ['failed', 'It fails under:'],
  ['unsteady', 'It failed once, and passed when it was run again:'],
  ['unreached', 'Not reached, so nothing is known under:'],
  ['untried', 'Not tried:'],
]

/** The report for a terminal. */
export function formatReadings(report: ReadingsReport, reproduce: Reproduce): string {
  const open = report.results.filter(({ accepted }) => accepted === null)
  const sections = TITLES.flatMap(([verdict, title]) => {
    const rows = open.filter((result) => result.verdict === verdict)
    return rows.length === 0
      ? []
      : ['', title, ...rows.flatMap((row) => formatResult(row, reproduce))]
  })
  const accepted = report.results.filter(isAccepted)
  const kept = accepted.map(({ id, how, accepted: why }) => `  ${id}: ${how}; ${why}`)
  const more = kept.length === 0 ? [] : ['', 'Accepted:', ...kept]
  const notes = notesOf(report)
  return [
    summaryOf(report),
    ...sections,
    ...more,
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')
}

const isAccepted = ({ accepted, verdict }: ReadingResult) =>
  accepted !== null && verdict !== 'passed'

/** The figures in one sentence, after a word on whether anything follows from them. */
function summaryOf({ results, leftOut, isStopped, problem }: ReadingsReport): string {
  const passed = results.filter(({ verdict }) => verdict === 'passed').length
  const figures = `Your suite passes under ${passed} of ${countReadings(results.length)}`
  const concerned = results.length + leftOut
  const verb = concerned === 1 ? 'concerns' : 'concern'
  const which = leftOut > 0 ? ` tried, of ${concerned} that ${verb} it.` : ` that ${verb} it.`
  if (isStopped) return `Stopped. ${figures}${which}`
  return problem === null ? figures + which : `No verdict. ${figures}${which}`
}

const countReadings = (count: number) => `${count} reading${count === 1 ? '' : 's'}`

function formatResult(result: ReadingResult, reproduce: Reproduce): string[] {
  const { id, reading, how, output } = result
  const { question, why, ref, usual } = reading
  const lines = [`  ${id} (${usual} otherwise): ${how}`, `    ${question} ${why} (${ref})`]
  if (!isFailure(result)) return lines
  return [...lines, ...output.map((line) => `    | ${line}`), `    ${reproduce(id)}`]
}

function notesOf(report: ReadingsReport): string[] {
  const { leftOut, neverMet, unnoticed, isStopped, unneeded } = report
  const refused = `${unnoticed.join(', ')} was refused (429)`
  return [
    ...(leftOut > 0
      ? [
          `${countReadings(leftOut)} ${leftOut === 1 ? 'was' : 'were'} not run${isStopped ? '' : ' (--readings-max)'}.`,
        ]
      : []),
    ...(neverMet.length > 0
      ? [`Not tried, as your suite never meets these errors: ${neverMet.map(nameOf).join(', ')}.`]
      : []),
    ...unneeded.map(({ id, why }) => `--coverage-accept need not name ${id}: ${why}.`),
    ...(unnoticed.length > 0
      ? [`A pass says little about this suite: it did not notice that ${refused}.`]
      : []),
  ]
}

const nameOf = (id: SettingId) => id.replace(/^status\./, '')

/** The report for programs. */
export function toReadingsJson(report: ReadingsReport, reproduce: Reproduce): object {
  const results = report.results.map((result) => {
    const { id, verdict, how, accepted, output, ms, reading } = result
    const { question, why, ref, usual, operations } = reading
    const again = isProblem(result) ? reproduce(id) : null
    const facts = { question, why, contractRef: ref, usual, operations }
    return { id, verdict, how, accepted, ...facts, output, ms, again }
  })
  const { leftOut, neverMet, notices, unnoticed, isStopped, unneeded, problem } = report
  const passed = results.filter(({ verdict }) => verdict === 'passed').length
  const figures = { passed, total: results.length, leftOut, isStopped, notices, unnoticed, problem }
  return { ...figures, neverMet, unneeded, results }
}
