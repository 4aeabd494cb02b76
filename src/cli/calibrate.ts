import {
  type CalibrateOptions,
  type Calibration,
  type ModelStart,
  calibrate as measure,
  rehearse,
  toSettingsFile,
} from '../agreement/calibrate/calibrate.ts'
import type { Finding } from '../agreement/calibrate/findings.ts'
import { NotMeasured } from '../agreement/calibrate/not-measured.ts'
import { formatObservability, formatPlan } from '../agreement/calibrate/plan.ts'
import {
  type CalibrationOutcome,
  formatCounts,
  formatFinding,
  formatReport,
  outcomeOf,
} from '../agreement/calibrate/report.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import {
  CALIBRATE_OPTIONS,
  type CalibrateValues,
  showLine,
  toOptions,
} from './calibrate-options.ts'
import { type Command, createCommand, printProblems } from './command.ts'
import { openEventReceiver } from './event-receiver.ts'
import { invalid, toPort, writeOutput } from './option-values.ts'

const EXIT_CODES: Record<CalibrationOutcome, number> = { confirmed: 0, differs: 2, failed: 1 }

const parsed = createCommand({
  usage: 'calibrate --against URL --api-key env:NAME [options]',
  about:
    'Finds out with which settings the sandbox answers as a real provider does, and what no setting\n' +
    'explains. Ends with 0 when all that was measured is confirmed, with 2 when something differs,\n' +
    'and with 1 when it could not be done.',
  options: CALIBRATE_OPTIONS,
  exits: {
    0: 'All that was measured is confirmed.',
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
    process.stdout.write(formatPlan(await rehearse(options, toDryStart(options))))
    return
  }
  if (options.level !== 'read' && !values.yes) {
    const hint = '--dry-run prints every call; --yes lets them be sent.'
    throw invalid('--level', `--level ${options.level} changes data of the provider.`, hint)
  }
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  report(await measure({ ...options, onFinding: showFinding }), values)
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

const showFinding = (finding: Finding) => showLine(formatFinding(finding))

function report(calibration: Calibration, values: CalibrateValues) {
  const { findings, drift, level, leftBehind } = calibration
  const settings = toSettingsFile(findings)
  const outcome = outcomeOf(calibration)
  const url = values.against ?? ''
  const markdown = formatReport(calibration, { url, keep: values.keep })
  if (values.out !== undefined) {
    const description = `What ramp-sandbox calibrate found at ${new URL(url).host} (level ${level})`
    writeOutput('--out', values.out, `${JSON.stringify({ description, settings }, null, 2)}\n`)
  }
  if (values.report !== undefined) writeOutput('--report', values.report, markdown)
  const all = { level, outcome, settings, findings, drift, leftBehind }
  if (values.json) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
  else if (values.report === undefined) process.stdout.write(markdown)
  process.stderr.write(`ramp-sandbox: ${formatCounts(calibration)}\n`)
  for (const text of leftBehind) process.stderr.write(`ramp-sandbox: put back by hand: ${text}\n`)
  process.exitCode = EXIT_CODES[outcome]
}
