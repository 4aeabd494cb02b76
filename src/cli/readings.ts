import { idOf, listReadings, type Reading, type Readings, settingIn } from '../coverage/readings.ts'
import {
  formatReadings,
  type ReadingsReport,
  toReadingsJson,
  type Unneeded,
} from '../coverage/readings-report.ts'
import {
  type Attempt,
  findUnnoticed,
  isAnyRejected,
  isFailure,
  isProblem,
  judgeReading,
  type ReadingResult,
  sortResults,
} from '../coverage/readings-verdict.ts'
import type { AcceptedGaps } from '../coverage/report.ts'
import { type InheritedSettings, readInheritedSettings } from '../host/exec-environment.ts'
import { formatDuration } from '../world/duration.ts'
import type { SettingId } from '../world/settings/index.ts'
import type { Values } from './command.ts'
import { COVERAGE_OPTIONS, isCovered, reportCoverageOf } from './coverage-options.ts'
import { invalid } from './option-values.ts'
import { concernedBy, isInGroups, READINGS_OPTIONS, succeededIn } from './readings-suite.ts'
import { readSettings, type ServingGiven } from './serving-options.ts'
import { type SuiteCommand, SuiteRuns } from './suite-runs.ts'
import { printJson, showProgress } from './terminal.ts'

const OWN_OPTIONS = { ...READINGS_OPTIONS, ...COVERAGE_OPTIONS }
type OwnValues = Values<typeof OWN_OPTIONS> & { json: boolean }

interface ReadingsGiven extends ServingGiven {
  values: ServingGiven['values'] & OwnValues
  texts: Readonly<Record<string, unknown>>
}

/** Runs a suite under every reading that concerns it; returns the exit code. */
export async function execReadings(given: ReadingsGiven, command: SuiteCommand): Promise<number> {
  assertPossible(given)
  const runs = new SuiteRuns(given, command)
  const stop = () => runs.stop()
  for (const name of ENDING) process.on(name, stop)
  process.setMaxListeners(process.getMaxListeners() + (given.values.jobs ?? 1))
  try {
    return await new ReadingsCommand(given, runs, command).act()
  } finally {
    for (const name of ENDING) process.off(name, stop)
  }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function assertPossible({ values }: ReadingsGiven) {
  const unknown = Object.keys(values['coverage-accept'] ?? {}).find(
    (id) => id.includes('=') && settingIn(id) === undefined,
  )
  if (unknown !== undefined) {
    const message = `--coverage-accept names ${unknown}, which is no reading of a setting.`
    throw invalid('--coverage-accept', message)
  }
}

/** Setting under which nearly every call of a suite is refused. */
const REFUSING: InheritedSettings = { 'requests.perMinute': 1 }

/** Runs a suite under each reading and turns the results into a report and an exit code. */
class ReadingsCommand {
  readonly #given: ReadingsGiven
  readonly #runs: SuiteRuns
  readonly #command: SuiteCommand
  readonly #results: ReadingResult[] = []
  #listed: Readings = { readings: [], neverMet: [] }
  #notices: boolean | null = null
  #unnoticed: readonly string[] = []

  constructor(given: ReadingsGiven, runs: SuiteRuns, command: SuiteCommand) {
    this.#given = given
    this.#runs = runs
    this.#command = command
  }

  async act(): Promise<number> {
    const { values } = this.#given
    const first = await this.#runs.first()
    const judged = isCovered(values) ? reportCoverageOf(first.evidence, values) : 0
    const fatal = await this.#examine(first)
    const { isStopped } = this.#runs
    const results = sortResults(this.#results)
    const { readings, neverMet } = this.#listed
    const leftOut = readings.length - results.length
    const problem = fatal ?? this.#sayUntried() ?? null
    const unneeded = this.#findUnneeded()
    const [notices, unnoticed] = [this.#notices, this.#unnoticed]
    this.#print({ results, leftOut, neverMet, notices, unnoticed, isStopped, unneeded, problem })
    if (problem !== null) process.stderr.write(`ramp-sandbox: ${problem}\n`)
    if (fatal !== undefined) return first.code || 1
    if (results.some(isProblem)) return 3
    return problem === null ? judged : 1
  }

  /** Tries the readings; returns why nothing follows from the results, or undefined. */
  async #examine(first: Attempt): Promise<string | undefined> {
    if (this.#runs.isStopped) return 'it was stopped in its undisturbed run'
    const problem = problemOf(first)
    if (problem !== undefined) return problem
    this.#listed = this.#list(first)
    const { readings } = this.#listed
    if (readings.length === 0) return 'no reading of these groups concerns it'
    const unnoticed = await this.#findUnnoticed(first)
    if (unnoticed.isBlind) return sayBlind(unnoticed.operations)
    await this.#tryAll(readings.slice(0, this.#given.values['readings-max']), first)
    const isSteady = await this.#isSteady()
    const atOnce = this.#jobs > 1 ? `, with --jobs ${this.#jobs}` : ''
    return isSteady
      ? undefined
      : `it failed undisturbed as well${atOnce}, so its failures say nothing`
  }

  #sayUntried(): string | undefined {
    if (this.#runs.isStopped) return 'it was stopped before every reading was tried'
    if (!this.#results.some(hasResult)) return 'no reading could be tried'
    const isUnknown = this.#notices === null && !this.#results.some(isFailure)
    return isUnknown ? TOO_FEW_CALLS : undefined
  }

  /** Finds accepted readings that are no failure any more. */
  #findUnneeded(): Unneeded[] {
    const { readings } = this.#listed
    // Without a list, nothing is known of any.
    if (readings.length === 0) return []
    const passed = this.#results.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id)
    const listed = readings.map(idOf)
    return Object.keys(this.#accepted).flatMap((id) => {
      if (passed.includes(id)) return [{ id, why: 'your suite passes under it' }]
      const isOther = !this.#isAsked(settingIn(id)) || listed.includes(id)
      return isOther ? [] : [{ id, why: 'it does not concern your suite' }]
    })
  }

  #isAsked(setting: SettingId | undefined): boolean {
    return setting !== undefined && isInGroups(setting, this.#given.values.readings ?? [])
  }

  get #jobs(): number {
    return this.#given.values.jobs ?? 1
  }

  get #accepted(): AcceptedGaps {
    return this.#given.values['coverage-accept'] ?? {}
  }

  #list(first: Attempt): Readings {
    const met = metIn(first)
    const { values } = this.#given
    const { readings, neverMet } = listReadings({
      met,
      concerned: concernedBy(first.evidence, met),
      usual: this.#runs.usual,
      given: Object.keys({ ...readInheritedSettings(), ...readSettings(values) }),
    })
    return {
      readings: readings.filter(({ setting }) => this.#isAsked(setting)),
      neverMet: neverMet.filter((setting) => this.#isAsked(setting)),
    }
  }

  /**
   * Finds operations that can fail without the suite noticing. A suite that passes either way
   * proves nothing.
   */
  async #findUnnoticed(first: Attempt) {
    const succeeded = succeededIn(metIn(first))
    const { values } = this.#given
    // An option, because a limit that the command line gives would win over a reading.
    const strict = { ...values, set: [...values.set, REFUSING] }
    const refused = await this.#runs.under({}, { ...this.#given, values: strict })
    const met = metIn(refused)
    const isRetried = callsOf(refused) > callsOf(first)
    const isUnnoticed = refused.code === 0 && isAnyRejected(met)
    const operations = isUnnoticed ? findUnnoticed(succeeded, met, { isRetried }) : []
    // A run that was stopped together with the command, or in which no call was refused, shows nothing.
    const isShown = !this.#runs.isStopped && (refused.code !== 0 || isUnnoticed)
    if (isShown) this.#notices = refused.code !== 0
    this.#unnoticed = operations
    return {
      operations,
      isBlind: operations.length > 0 && operations.length * 2 >= succeeded.length,
    }
  }

  async #tryAll(readings: readonly Reading[], first: Attempt): Promise<void> {
    const waiting = [...readings]
    const { length: count } = readings
    const jobs = Math.min(this.#jobs, count)
    const startedAt = performance.now()
    const start = `${count} readings, about ${formatLeft((first.ms * count) / jobs)}`
    say(`${start}; Ctrl-C shows what is known`)
    const work = async () => {
      for (let next = waiting.shift(); next && !this.#runs.isStopped; next = waiting.shift()) {
        const result = await this.#try(next, first)
        if (result) this.#sayDone(result, { count, startedAt })
      }
    }
    await Promise.all(Array.from({ length: jobs }, work))
    showProgress('')
  }

  /** Shows what is left as one line on a terminal. Elsewhere it prints each failure. */
  #sayDone(result: ReadingResult, { count, startedAt }: { count: number; startedAt: number }) {
    const done = this.#results.length
    const failed = this.#results.filter(isFailure).length
    const leftMs = ((performance.now() - startedAt) / done) * (count - done)
    const text = `${done} of ${count} readings, ${failed} failed, about ${formatLeft(leftMs)} left`
    if (process.stderr.isTTY) say(text)
    else if (isFailure(result)) say(`it fails under ${result.id}; ${count - done} left`)
  }

  async #try(
    reading: Reading,
    { evidence: undisturbed }: Attempt,
  ): Promise<ReadingResult | undefined> {
    const { setting, value } = reading
    const attempts = [await this.#runs.under({ [setting]: value })]
    const [attempt] = attempts
    if (attempt?.code !== 0 && attempt?.problem === null && !this.#runs.isStopped) {
      attempts.push(await this.#runs.under({ [setting]: value }))
    }
    // A run that was stopped together with the command has no result.
    if (this.#runs.isStopped) return undefined
    const id = idOf(reading)
    const failed = attempts.find(({ code }) => code !== 0)
    const result = {
      reading,
      id,
      ...judgeReading(reading, attempts, undisturbed),
      output: failed?.output ?? [],
      accepted: this.#accepted[id]?.why ?? null,
      ms: attempts.reduce((sum, { ms }) => sum + ms, 0),
    }
    this.#results.push(result)
    return result
  }

  /**
   * Returns true if the suite passes again undisturbed, as often at once as it did under the readings,
   * so that failures are due to these.
   */
  async #isSteady(): Promise<boolean> {
    if (this.#runs.isStopped || !this.#results.some(isFailure)) return true
    const jobs = Math.min(this.#jobs, this.#results.length)
    const runs = await Promise.all(Array.from({ length: jobs }, () => this.#runs.under({})))
    return runs.every(({ code }) => code === 0) || this.#runs.isStopped
  }

  #print(report: ReadingsReport): void {
    const again = (id: string) => toCommandLine(this.#given.texts, id, this.#command)
    if (this.#given.values.json) printJson(toReadingsJson(report, again))
    else if (report.results.length > 0) process.stdout.write(`${formatReadings(report, again)}\n`)
  }
}

const hasResult = (result: ReadingResult) => result.verdict === 'passed' || isFailure(result)

const metIn = ({ evidence }: Attempt): ReadonlySet<string> =>
  new Set(
    evidence.flatMap(({ situations }) => situations.filter(({ met }) => met).map(({ id }) => id)),
  )

const callsOf = ({ evidence }: Attempt): number =>
  evidence.reduce((sum, { calls }) => sum + calls, 0)

function problemOf({ code, evidence }: Attempt): string | undefined {
  if (code !== 0) return `it does not pass undisturbed (exit ${code}), so no reading was tried`
  if (evidence.some(({ calls }) => calls > 0)) return undefined
  return 'it made no call of the contract, so no reading can be tried'
}

const TOO_FEW_CALLS =
  'it makes too few calls for one to be refused (429), or gives requests.perMinute itself, so passing says nothing'

const sayBlind = (operations: readonly string[]) =>
  `it passes as well where nearly every call is refused (429), so passing says nothing; it did not notice ${operations.join(', ')}`

function say(text: string): void {
  const line = `ramp-sandbox: ${text}`
  if (!showProgress(line)) process.stderr.write(`${line}\n`)
}

const formatLeft = (ms: number) => formatDuration(Math.ceil(ms / 1000) * 1000)

/** Options that the command line of a reading leaves out: those of the runs, and a secret. */
const LEFT_OUT = ['json', 'control-token', ...Object.keys(OWN_OPTIONS)]

/** The command line that runs the suite under one reading, with the options that were given. */
function toCommandLine(
  texts: Readonly<Record<string, unknown>>,
  id: string,
  { command, args }: SuiteCommand,
): string {
  const kept = Object.entries(texts).filter(([name]) => !LEFT_OUT.includes(name))
  const options = kept.flatMap(([name, text]) =>
    [text].flat().map((each) => (each === true ? `--${name}` : `--${name}=${quote(String(each))}`)),
  )
  const words = ['ramp-sandbox exec', ...options, `--set ${quote(id)}`, '--']
  return [...words, ...[command, ...args].map(quote)].join(' ')
}

/** A word as a shell reads it. */
const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
