import { dirname, join } from 'node:path'
import {
  type CalibrateOptions,
  type Calibration,
  dryRun,
  type ModelStart,
  calibrate as measure,
} from '../agreement/calibrate/calibrate.ts'
import { toSettingsFile } from '../agreement/calibrate/findings.ts'
import { openJournal } from '../agreement/calibrate/journal.ts'
import { formatObservability, formatPlan } from '../agreement/calibrate/plan.ts'
import {
  type Accepted,
  type CalibrationOutcome,
  formatCounts,
  formatReport,
  type Judged,
  judge,
  redact,
} from '../agreement/calibrate/report.ts'
import { NotMeasured } from '../agreement/calibrate/step.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import {
  CALIBRATE_OPTIONS,
  type CalibrateValues,
  showLine,
  toOptions,
} from './calibrate-options.ts'
import { type Command, createCommand, printProblems } from './command.ts'
import { openEventReceiver } from './event-receiver.ts'
import { formatJunit, type JunitCase } from './junit.ts'
import { invalid, readSettingsFile, toChoice, toPort, writeOutput } from './option-values.ts'
import { toPrintable, toPrintableLines, toSafeJson } from './terminal.ts'

const EXIT_CODES: Record<CalibrationOutcome, number> = { confirmed: 0, differs: 2, failed: 1 }
const JOURNAL = 'calibrate-journal.json'

const parsed = createCommand({
  usage: 'calibrate --against URL --api-key env:NAME [options]',
  about:
    'Finds out with which settings the sandbox responds as a real provider does, and what no setting\n' +
    'explains. Ends with 0 when nothing differs, or nothing new since --settings; with 2 when\n' +
    'something does; and with 1 when it could not be done.',
  options: CALIBRATE_OPTIONS,
  exits: {
    0: 'Nothing differs, or nothing new since the file of --settings.',
    1: 'It could not be done, or the command line is wrong.',
    2: 'Something differs.',
  },
  async act({ values }) {
    if (values.list) {
      process.stdout.write(formatObservability())
      return
    }
    const stop = new AbortController()
    const options = toOptions(values, stop.signal)
    const receiver = await openReceiver(values)
    options.provider.receiver = receiver
    await act(options, values, stop).finally(() => receiver?.close())
  },
})

async function openReceiver({ 'webhook-url': url, webhooks }: CalibrateValues) {
  if (webhooks === undefined) return undefined
  const port = toPort(webhooks, '--webhooks')
  try {
    return await openEventReceiver({ url, port })
  } catch (error) {
    throw invalid('--webhooks', `--webhooks ${port} cannot be used: ${messageOf(error)}.`)
  }
}

async function act(options: CalibrateOptions, values: CalibrateValues, stop: AbortController) {
  if (values['dry-run']) {
    process.stdout.write(formatPlan((await dryRun(options, toDryStart(options))).exchanges))
    return
  }
  if (options.level !== 'read' && !values.yes) {
    const hint = '--dry-run prints every call; --yes lets them be sent.'
    throw invalid('--level', `--level ${options.level} changes data of the provider.`, hint)
  }
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const folder = dirname(values.out ?? values.settings ?? JOURNAL)
  const { url } = options.provider
  const journal = options.level === 'read' ? undefined : openJournal(join(folder, JOURNAL), url)
  report(await measure({ ...options, journal, onStep: showLine }), values)
}

function toDryStart({ expected, user, token, provider }: CalibrateOptions): ModelStart {
  return {
    settings: expected,
    user: user === undefined ? undefined : { email: user, accessibleBy: [], outstanding: [] },
    webhookUrl: undefined,
    withToken: token !== undefined,
    withReceiver: provider.receiver !== undefined,
    now: Date.now(),
  }
}

/** Wrong options end with 1, too: with 2, a caller would take them for differences. */
export const calibrate: Command = {
  ...parsed,
  async run(args) {
    try {
      await parsed.run(args)
    } catch (error) {
      if (error instanceof NotMeasured) printProblems(invalid('--api-key', error.message))
      else if (error instanceof DomainError) printProblems(error)
      else throw error
      process.exitCode = 1
    }
  },
}

function report(calibration: Calibration, values: CalibrateValues) {
  const { findings, level, leftBehind, secrets } = calibration
  const settings = toSettingsFile(findings)
  const file = values.settings === undefined ? undefined : readFile(values.settings)
  const additional = toChoice('--ignore-additional', values['ignore-additional'] ?? 'yes', [
    'yes',
    'no',
  ])
  const ignoresAdditional = additional === 'yes'
  const judged = judge(calibration, { file, ignored: values.ignore, ignoresAdditional })
  const { accepted, outcome, rows } = judged
  const url = values.against ?? ''
  const hide = (text: string) => redact(text, secrets)
  const markdown = hide(formatReport(calibration, rows, { url, keep: values.keep }))
  const isMeasured = Object.keys(settings).length > 0
  if (values.out !== undefined && isMeasured) {
    const description = `What ramp-sandbox calibrate found at ${new URL(url).host} (level ${level})`
    const text = `${JSON.stringify({ description, settings, accepted }, null, 2)}\n`
    writeOutput('--out', values.out, hide(text))
  }
  if (values.report !== undefined) writeOutput('--report', values.report, markdown)
  if (values.junit !== undefined) {
    writeOutput(
      '--junit',
      values.junit,
      hide(formatJunit('calibrate', url, toCases(calibration, judged))),
    )
  }
  if (values.json) process.stdout.write(`${toSafeJson(hide(toJson(calibration, judged)))}\n`)
  else
    process.stdout.write(
      toPrintableLines(values.report === undefined ? markdown : tableOf(markdown)),
    )
  const say = (text: string) => process.stderr.write(`ramp-sandbox: ${toPrintable(hide(text))}\n`)
  say(formatCounts(calibration))
  for (const text of leftBehind) say(`put back by hand: ${text}`)
  process.exitCode = EXIT_CODES[outcome]
}

/** Where the report goes to a file, the terminal has the table alone. */
const tableOf = (markdown: string) => `${markdown.split('\n\n## Responses')[0]}\n`

function toJson(calibration: Calibration, { rows, outcome }: Judged): string {
  const { level, findings, drift, leftBehind } = calibration
  const settings = toSettingsFile(findings)
  return JSON.stringify({ level, outcome, settings, findings, drift, rows, leftBehind }, null, 2)
}

/** What an earlier run wrote; a file of settings alone accepts nothing. */
function readFile(path: string) {
  const settings = readSettingsFile('--settings', path)
  const { accepted } = JSON.parse(readTextFile(path)) as { accepted?: Partial<Accepted> }
  const { differences = {}, settings: others = {}, steps = [] } = accepted ?? {}
  return { settings, accepted: { differences, settings: others, steps } }
}

/** A case for each setting that was measured, and for each other difference. */
function toCases({ findings }: Calibration, { rows }: Judged): JunitCase[] {
  const base = { ms: 0, out: '', detail: '' }
  const agreeing = findings.flatMap(({ setting, verdict, why }): JunitCase[] => {
    if (verdict === 'agrees') return [{ ...base, name: setting, result: 'passed', message: '' }]
    if (verdict !== 'not known') return []
    return [{ ...base, name: setting, result: 'skipped', message: why ?? '' }]
  })
  const others = rows.map(({ what, provider, sandbox, isNew }): JunitCase => {
    const message = `The provider has ${provider}, the sandbox ${sandbox}.`
    return { ...base, name: what, result: isNew ? 'failure' : 'passed', message }
  })
  return [...agreeing, ...others]
}
