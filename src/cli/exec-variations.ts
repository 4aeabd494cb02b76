import { readRunChange } from '../host/exec-environment.ts'
import { OPERATIONS } from '../host/operations.ts'
import { type Progress, type Result, runVariations } from '../variations/loop.ts'
import { createReport, formatReport, toExitCode, toReportJson } from '../variations/report.ts'
import { Suite, type SuiteRun, type SuiteVariation } from '../variations/suite.ts'
import {
  DamagedSuite,
  formatUnchecked,
  listDamages,
  reportUnchecked,
} from '../variations/unchecked.ts'
import { listNeverMet, listVariants } from '../variations/variants.ts'
import { repeatArgs, toShellLine } from './command.ts'
import { readSettings, type ServingGiven } from './serving-options.ts'
import { type SuiteCommand, SuiteRuns } from './suite-runs.ts'
import { printJson, printText, showProgress } from './terminal.ts'
import { ALL_SETTINGS, VARIATION_OPTIONS, type VariationValues } from './variation-options.ts'

interface VariationsGiven extends ServingGiven {
  values: ServingGiven['values'] & VariationValues & { json: boolean }
  texts: Readonly<Record<string, unknown>>
}

/** Signing secret of integrators that have one from the start. */
const SECRET = `whsec_${'5ec2e7'.repeat(8)}`

/** Runs a command under each variant of the provider; returns the exit code. */
export async function execVariants(given: VariationsGiven, command: SuiteCommand): Promise<number> {
  const { values } = given
  const group = values.variants === ALL_SETTINGS ? undefined : values.variants
  const own = { ...readRunChange().settings, ...readSettings(values) }
  const options = { group, given: Object.keys(own), secret: SECRET }
  const runs = new SuiteRuns(given, command)
  const suite = new Suite({
    run: (change, run) => runs.run(change, run),
    list: (baseline) => listVariants(baseline, options),
  })
  const outcome = await runShown(suite, values.jobs)
  const report = createReport(outcome, {
    title: `Variants of the contract, run with: ${describe(command)}`,
    ignored: values.ignore.flat(),
    notTried: outcome.baseline ? listNeverMet(outcome.baseline, group) : [],
  })
  const again = (id: string) => toCommandLine(given.texts, id, command)
  if (values.json) printJson(toReportJson(report, again))
  else printText(formatReport(report, again))
  return toExitCode(report)
}

/** Runs a command with one damage of the provider after another; returns the exit code. */
export async function execUnchecked(
  given: VariationsGiven,
  command: SuiteCommand,
): Promise<number> {
  const { jobs, json } = given.values
  const runs = new SuiteRuns(given, command)
  const suite = new DamagedSuite({
    run: (change, run) => runs.run(change, run),
    list: (baseline) => listDamages(baseline, OPERATIONS),
  })
  const outcome = await runShown(suite, jobs)
  const report = reportUnchecked(outcome)
  const code = outcome.baseline?.code ?? 1
  const exitCode = code === 0 && (report.problem !== null || report.isStopped) ? 1 : code
  if (json) printJson({ ...report, exitCode })
  else printText(formatUnchecked(report, `${describe(command)} with a misbehaving provider`))
  return exitCode
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs all variations and shows how far it is; a signal ends it with what is known. */
async function runShown(suite: Suite, jobs = 1) {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const name of ENDING) process.on(name, stop)
  process.setMaxListeners(process.getMaxListeners() + jobs)
  try {
    const { signal } = stopping
    return await runVariations<SuiteVariation, SuiteRun>(suite, { signal, jobs, onResult: sayDone })
  } finally {
    showProgress('')
    for (const name of ENDING) process.off(name, stop)
  }
}

function sayDone({ variation, verdict }: Result<SuiteVariation>, { done, of, failed }: Progress) {
  const line = `ramp-sandbox: ${done} of ${of}, ${failed} failed; Ctrl-C shows the results so far`
  if (showProgress(line) || verdict.kind !== 'failed') return
  process.stderr.write(`ramp-sandbox: the command fails with ${variation.id}; ${of - done} left\n`)
}

const describe = ({ command, args }: SuiteCommand) => [command, ...args].join(' ')

/** Options of the runs, which the command line of one variant leaves out. */
const LEFT_OUT = Object.keys(VARIATION_OPTIONS)

/** The command line that runs the command with one variant, and the options that were given. */
function toCommandLine(
  texts: VariationsGiven['texts'],
  id: string,
  { command, args }: SuiteCommand,
): string {
  const isSetting = !/^(deliveries|secret)=/.test(id)
  const one = isSetting ? ['--set', id] : [`--variants=${id}`]
  return toShellLine(['exec', ...repeatArgs(texts, LEFT_OUT), ...one, '--', command, ...args])
}
