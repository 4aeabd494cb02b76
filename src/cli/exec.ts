import type { Coverage } from '../control-api/wire.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { formatCoverage, judgeCoverage } from '../variations/coverage.ts'
import { createCommand } from './command.ts'
import { ExecLog } from './exec-log.ts'
import { gatherCoverage, openOwn, openPrivateWorld, runIn } from './exec-place.ts'
import { LOG_LEVEL } from './live-log.ts'
import { invalid, type Reader } from './option-values.ts'
import { readOutside } from './outside-options.ts'
import { SERVING_OPTIONS, START_OPTIONS } from './serving-options.ts'
import { printText } from './terminal.ts'
import { readMode, VARIATION_OPTIONS } from './variation-options.ts'

const readIds: Reader<string[]> = (option, text) => {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^[\w./-]+$/.test(id))) return ids
  throw invalid(option, `${option} must be ids such as expired-sell,response-lost, not ${text}.`)
}

export const exec = createCommand({
  usage: 'exec [options] -- COMMAND [ARGUMENT]…',
  about:
    'start a sandbox on a free port, run a command with RAMP_SANDBOX_URL, RAMP_SANDBOX_API_KEY and\n' +
    'RAMP_SANDBOX_CONTROL_URL in its environment, and exit with its exit code',
  options: {
    on: {
      value: 'URL',
      help: 'run the command against a private world of the sandbox at URL',
    },
    ...VARIATION_OPTIONS,
    coverage: { help: 'list on stderr the situations that are not covered' },
    'coverage-require': {
      value: 'ID,…',
      read: readIds,
      many: true,
      help: 'exit with 2 if one of these situations is not covered (1 if there were no API calls)',
    },
    ...SERVING_OPTIONS,
    log: {
      ...LOG_LEVEL,
      standard: 'off',
      help: 'print to stderr why calls were refused (errors), or each call and webhook (all); an explicit off also omits the summary after a failure',
    },
    json: {
      short: 'j',
      help: 'print JSON to stderr: the sandbox URL, the log and the exit status; the report of --variants or --unchecked goes to stdout',
    },
  },
  start: START_OPTIONS,
  // A sandbox that runs has its options already.
  outside: (options, args) => (isOn(args) ? [] : readOutside(options)),
  exits: {
    N: 'the exit code of the command, or 128 plus the number of the signal that ended it',
    1: 'the command exited with 1, or there is no verdict: it made no API calls, fails even when nothing is changed, or passes whatever happens',
    2: 'the command exited with 0, but a required situation is not covered, or it fails with a variant that is not ignored',
  },
  async act({ values, named, texts, rest: [command, ...args] }) {
    if (command === undefined) {
      throw invalid('command', 'There is no command to run.', 'ramp-sandbox exec -- npm test')
    }
    const { on, json } = values
    const given = { values, named, texts }
    const mode = readMode(values, named)
    if (mode !== undefined) {
      const { execVariants, execUnchecked } = await import('./exec-variations.ts')
      const execVaried = mode === 'variants' ? execVariants : execUnchecked
      return await execVaried(given, { command, args })
    }
    const isSilent = values.log === 'off' && named.includes('log')
    const log = new ExecLog({ level: values.log, isSilent, json })
    const place = await (on === undefined ? openOwn(given, log) : openPrivateWorld(on, given))
    const { url, apiKey, controlUrl } = place
    const report = (event: object) => {
      if (json) process.stderr.write(`${JSON.stringify(event)}\n`)
    }
    report({ event: 'ready', url, apiKey, controlUrl })
    const required = values['coverage-require'].flat()
    const isCovered = values.coverage || required.length > 0
    const reportCoverage = (coverage: Coverage) => {
      if (json) report({ event: 'coverage', ...coverage })
      else if (values.coverage && coverage.calls > 0)
        printText(formatCoverage(coverage), process.stderr)
      const { exitCode, problems } = judgeCoverage(coverage, required)
      for (const problem of problems) printText(`ramp-sandbox: ${problem}`, process.stderr)
      return exitCode
    }
    try {
      const folder = createTemporaryFolder()
      if (on !== undefined) await log.followWorld(place)
      const ended = await runIn(place, {
        command,
        args,
        ...(isCovered && { folder }),
        log: log.follow(folder),
      })
      await log.end(ended, place)
      const judged = isCovered ? reportCoverage(await gatherCoverage(place, folder)) : 0
      const exitCode = ended === 0 ? judged : ended
      report({ event: 'ended', command, exitCode })
      return exitCode
    } finally {
      await place.close()
    }
  },
})

const isOn = (args: readonly string[]) => {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((arg) => /^--on(=|$)/.test(arg))
}
