import { Log } from '../host/log.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { createCommand } from './command.ts'
import { COVERAGE_OPTIONS, isCovered, reportCoverageOf } from './coverage-options.ts'
import { gatherEvidence, openOwn, openPrivateWorld, runIn } from './exec-place.ts'
import { LOG_LEVEL, LogPrinter, printLogsIn } from './live-log.ts'
import { invalid } from './option-values.ts'
import { readOutside } from './outside-options.ts'
import { READINGS_OPTIONS } from './readings-suite.ts'
import { SERVING_OPTIONS } from './serving-options.ts'

export const exec = createCommand({
  usage: 'exec [options] -- COMMAND [ARGUMENT]…',
  about:
    'Starts a sandbox on a free port, runs a command that finds it in RAMP_SANDBOX_URL,\n' +
    'RAMP_SANDBOX_API_KEY and RAMP_SANDBOX_CONTROL_URL, and ends with the exit code of the command.',
  options: {
    on: {
      value: 'URL',
      help: 'use a private world of the sandbox at URL for as long as the command runs',
    },
    ...COVERAGE_OPTIONS,
    ...READINGS_OPTIONS,
    ...SERVING_OPTIONS,
    log: {
      ...LOG_LEVEL,
      standard: 'off',
      help: 'print to stderr why calls were refused (errors), or each call and webhook (all)',
    },
    json: {
      short: 'j',
      help: 'print JSON to stderr: where the sandbox is, the log, how the command ended; with --readings, print the result as JSON',
    },
  },
  likeStart: SERVING_OPTIONS,
  // A sandbox that runs has its options already.
  outside: (options, args) => (isOn(args) ? [] : readOutside(options)),
  exits: {
    N: 'The exit code of the command; 128 and the number of a signal that ended it.',
    1: 'The command ended with 1, or there is no result: it made no contract call, or it passes whatever happens.',
    3: 'The command ended with 0, and a required situation was not met, or it fails under a reading that is not accepted.',
  },
  async act({ values, named, texts, rest: [command, ...args] }) {
    if (command === undefined) {
      throw invalid('command', 'There is no command to run.', 'ramp-sandbox exec -- npm test')
    }
    const { on, json } = values
    const given = { values, named, texts }
    if (on === undefined && values.readings !== undefined) {
      const { execReadings } = await import('./readings.ts')
      process.exitCode = await execReadings(given, { command, args })
      return
    }
    if (on === undefined) assertForReadings(named)
    const printer = new LogPrinter({ json, stream: process.stderr })
    const level = values.log === 'off' ? undefined : values.log
    const log = level && new Log(level, printer.print)
    const place = await (on === undefined ? openOwn(given, { log }) : openPrivateWorld(on, given))
    const { url, apiKey, controlUrl } = place
    const report = (event: object) => {
      if (json) process.stderr.write(`${JSON.stringify(event)}\n`)
    }
    report({ event: 'ready', url, apiKey, controlUrl })
    try {
      const folder = createTemporaryFolder()
      const stopPrinting = level && printLogsIn(folder, printer)
      const ended = await runIn(place, {
        command,
        args,
        ...(isCovered(values) && { folder }),
        ...(level && { log: { level, folder } }),
      })
      stopPrinting?.()
      const judged = isCovered(values)
        ? reportCoverageOf(await gatherEvidence(place, folder), values)
        : 0
      process.exitCode = ended === 0 ? judged : ended
      report({ event: 'ended', command, exitCode: process.exitCode })
    } finally {
      await place.close()
    }
  },
})

/** Rejects options that only runs under other readings have. */
function assertForReadings(named: readonly string[]) {
  const lost = named.find((name) => name in READINGS_OPTIONS)
  if (lost !== undefined) throw invalid(`--${lost}`, `--${lost} needs --readings.`)
}

const isOn = (args: readonly string[]) => {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((arg) => /^--on(=|$)/.test(arg))
}
