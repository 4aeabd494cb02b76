import { setTimeout as sleep } from 'node:timers/promises'
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
import { LEVELS, type Level } from '../agreement/calibrate/probe.ts'
import {
  type CalibrationOutcome,
  formatCounts,
  formatFinding,
  formatReport,
  outcomeOf,
} from '../agreement/calibrate/report.ts'
import { DomainError } from '../world/domain-error.ts'
import { parseDuration } from '../world/duration.ts'
import { parseSettings, type Settings, toSettings } from '../world/settings/index.ts'
import { checkAnswer, openModel } from './calibrate-model.ts'
import {
  type Command,
  createCommand,
  type OptionSpecs,
  printProblems,
  readSettingsFile,
  toPort,
  type Values,
} from './command.ts'
import { openEventReceiver } from './event-receiver.ts'
import { createCodeSource } from './login-codes.ts'
import { writeOutput } from './output.ts'

const OPTIONS = {
  against: { value: 'URL', help: 'the base URL of the provider, without /v2' },
  'api-key': { value: 'env:NAME', help: 'the variable of the environment that holds the API key' },
  level: {
    value: 'read|write|money',
    help: 'how far to go; read by default, which changes nothing',
  },
  yes: { help: 'go further than read: needed for write and money' },
  list: { help: 'list which settings can be found, at which level, and why not the others' },
  'dry-run': { help: 'print every call, and send none' },
  user: { value: 'EMAIL', help: 'an existing, verified user of yours' },
  'code-from': {
    value: 'stdin|URL|COMMAND',
    help: 'where the login codes of that user come from; {email} in a URL, RAMP_SANDBOX_EMAIL for a command',
  },
  token: { value: 'env:NAME', help: 'an access token of that user, instead of a login' },
  'new-users': {
    value: 'PATTERN',
    help: 'addresses of yours for new users, such as qa+*@example.com',
  },
  webhooks: { value: 'PORT', help: 'a free port of this machine, to receive events at' },
  'webhook-url': {
    value: 'URL',
    help: 'where the provider reaches that port, such as a tunnel; http://127.0.0.1:PORT by default',
  },
  'second-api-key': { value: 'env:NAME', help: 'the key of another integrator of yours' },
  settings: { value: 'FILE', help: 'compare with these settings, as an earlier --out wrote them' },
  out: { value: 'FILE', help: 'write the settings that were found, for --settings FILE' },
  report: { value: 'FILE', help: 'write the report, in Markdown, there and not to the output' },
  keep: { value: 'PATH', many: true, help: 'a field the report may show, such as errors.message' },
  timeout: { value: 'LENGTH', help: 'how long one call may take; 10s by default' },
  json: { help: 'print the findings as JSON' },
} as const satisfies OptionSpecs

const EXIT_CODES: Record<CalibrationOutcome, number> = { confirmed: 0, differs: 2, failed: 1 }
const TIMEOUT_MS = 10_000
/** How long a run waits in all where the provider asks it to slow down. */
const WAIT_MAX_MS = 180_000

const parsed = createCommand({
  usage: 'calibrate --against URL --api-key env:NAME [options]',
  about:
    'Finds out with which settings the sandbox answers as a real provider does, and what no setting\n' +
    'explains. Ends with 0 when all that was measured is confirmed, with 2 when something differs,\n' +
    'and with 1 when it could not be done.',
  options: OPTIONS,
  async act({ values }) {
    if (values.list) {
      process.stdout.write(formatObservability())
      return
    }
    const stop = new AbortController()
    const options = toOptions(values, stop.signal)
    const { 'webhook-url': url, webhooks: port } = values
    const receiver =
      port === undefined
        ? undefined
        : await openEventReceiver({ url, port: toPort(port, '--webhooks') })
    options.provider.receiver = receiver
    await act(options, values, stop).finally(() => receiver?.close())
  },
})

async function act(
  options: CalibrateOptions,
  values: Values<typeof OPTIONS>,
  stop: AbortController,
) {
  if (values['dry-run']) {
    process.stdout.write(formatPlan(await rehearse(options, toDryStart(options))))
    return
  }
  if (options.level !== 'read' && !values.yes) {
    const hint = '--dry-run prints every call; --yes lets them be sent.'
    throw wrong('--level', `--level ${options.level} changes data of the provider.`, hint)
  }
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  report(await measure({ ...options, onFinding: showFinding }), values)
}

/** A sandbox with the user that is named. */
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
  options: parsed.options,
  help: parsed.help,
  async run(args) {
    try {
      await parsed.run(args)
    } catch (error) {
      if (error instanceof NotMeasured) printProblems(wrong('--api-key', error.message))
      else if (error instanceof DomainError) printProblems(error)
      else throw error
      process.exitCode = 1
    }
  },
}

const showFinding = (finding: Finding) => showLine(formatFinding(finding))

/** Progress goes beside the output, so that the report can be piped. */
function showLine(text: string) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}

function report(calibration: Calibration, values: Values<typeof OPTIONS>) {
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

function toOptions(values: Values<typeof OPTIONS>, signal: AbortSignal): CalibrateOptions {
  const { user, 'code-from': from } = values
  return {
    provider: {
      url: toBaseUrl(values.against),
      fetch: (url, init) => fetch(url, init),
      apiKey: fromEnvironment('--api-key', values['api-key']) ?? needed('--api-key', 'env:NAME'),
      secondApiKey: fromEnvironment('--second-api-key', values['second-api-key']),
      codes: from === undefined ? undefined : createCodeSource(from, signal),
    },
    level: toLevel(values.level ?? 'read'),
    expected: toExpected(values.settings),
    user,
    token: fromEnvironment('--token', values.token),
    newUsers: toPattern(values['new-users']),
    tag: Date.now().toString(36),
    timeoutMs: toTimeout(values.timeout),
    waitMaxMs: WAIT_MAX_MS,
    now: Date.now,
    async wait(ms) {
      showLine(`the provider limits the rate of calls: waiting ${Math.ceil(ms / 1000)} s`)
      await sleep(ms, undefined, { signal }).catch(() => undefined)
    },
    signal,
    openModel,
    check: checkAnswer,
  }
}

function toExpected(file: string | undefined): Settings {
  return toSettings(parseSettings(file === undefined ? {} : readSettingsFile('--settings', file)))
}

function toBaseUrl(text: string | undefined): string {
  if (text === undefined) return needed('--against', 'URL')
  const isUrl = /^https?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text)
  if (isUrl) return text.replace(/\/+$/, '')
  throw wrong(
    '--against',
    `--against must be a base URL such as https://api.example.com, not ${text}.`,
  )
}

function toLevel(text: string): Level {
  const level = LEVELS.find((known) => known === text)
  if (level) return level
  throw wrong('--level', `--level must be ${LEVELS.join(', ')}, not ${text}.`)
}

/** Not the value itself: other users of the machine see the arguments of a process. */
function fromEnvironment(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, name = ''] = /^env:(\w+)$/.exec(text) ?? []
  if (name === '') throw wrong(option, `${option} must be env:NAME, with the name of a variable.`)
  const value = process.env[name]
  if (value) return value
  throw wrong(option, `${option}: the variable ${name} is not set.`)
}

const PATTERN = /^[^\s@*]+\+[^\s@*]*\*[^\s@*]*@[^\s@*]+\.[^\s@*]+$/

function toPattern(text: string | undefined): string | undefined {
  if (text === undefined || PATTERN.test(text)) return text
  const message = `--new-users must be a plus address with a *, such as qa+*@example.com, not ${text}.`
  throw wrong('--new-users', message)
}

function toTimeout(text: string | undefined): number {
  const ms = text === undefined ? TIMEOUT_MS : parseDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw wrong('--timeout', `--timeout must be a length of time such as 10s, not ${text}.`)
}

function needed(option: string, value: string): never {
  throw wrong(option, `calibrate needs ${option} ${value}.`)
}

const wrong = (option: string, message: string, hint?: string) =>
  new DomainError('invalid', option, message, hint === undefined ? {} : { hint })
