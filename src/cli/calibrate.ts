import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CalibrateOptions,
  type Calibration,
  createJournal,
  dryRun,
  type Model,
  calibrate as measure,
} from '../calibrate/calibrate.ts'
import { toSettingsFile } from '../calibrate/findings.ts'
import { type CalibrationOutcome, type Judged, judge, type ReportRow } from '../calibrate/judge.ts'
import { isOk, NotMeasured } from '../calibrate/reading.ts'
import { formatCounts, formatPlan, formatReport, redact, toMasked } from '../calibrate/report.ts'
import { createReceiver } from '../client/receiver.ts'
import type { FixtureDocument } from '../fixture/format.ts'
import { toProfile } from '../fixture/profile.ts'
import { createSandbox } from '../host/create-sandbox.ts'
import { OPERATIONS } from '../host/operations.ts'
import { messageOf } from '../world/domain-error.ts'
import { formatInstant } from '../world/duration.ts'
import { parseSettings, toSettings } from '../world/settings/index.ts'
import {
  assertYes,
  type CalibrateValues,
  type Completed,
  completeOptions,
  OPTIONS,
  readCalibration,
  toMeasured,
} from './calibrate-options.ts'
import { createCommand } from './command.ts'
import { formatJunit, type JunitCase } from './junit.ts'
import { createCodeSource } from './login-codes.ts'
import { invalid, writeOutput } from './option-values.ts'
import { printText, toSafeJson } from './terminal.ts'

const EXIT_CODES: Record<CalibrationOutcome, number> = { confirmed: 0, differs: 2, failed: 1 }
/** The longest wait for an event of the provider. */
const EVENT_WAIT_MS = 10_000
const JOURNAL = 'calibrate-journal.json'
/** The longest wait in all where the provider asks a run to slow down. */
const WAIT_MAX_MS = 180_000

export const calibrate = createCommand({
  usage: 'calibrate --against URL --api-key env:NAME [options]',
  about:
    'Finds the settings with which the sandbox responds like a real provider, and what no setting\n' +
    'explains. Ends with 0 when nothing differs, or nothing new since --settings; with 2 when something\n' +
    'does; and with 1 when it could not be done.',
  options: OPTIONS,
  hasFindings: true,
  exits: {
    0: 'Nothing differs, or nothing new since the file of --settings.',
    1: 'The run failed, or the command line is wrong.',
    2: 'Something differs.',
  },
  async act({ values: given, named }) {
    const file = given.settings === undefined ? undefined : readCalibration(given.settings)
    const completed = completeOptions(given, named, file?.measured ?? {})
    const { values, kept } = completed
    const stop = new AbortController()
    const options = toOptions(values, { file, signal: stop.signal })
    await using receiver = await openReceiver(values)
    options.provider.receiver = receiver
    if (values['dry-run']) {
      process.stdout.write(formatPlan((await dryRun(options)).readings))
      return
    }
    assertYes(values)
    if (kept.includes('code-from')) say(`login codes come from: ${values['code-from']}`)
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    const folder = dirname(values.out ?? values.settings ?? JOURNAL)
    try {
      const journal = join(folder, JOURNAL)
      if (values.level !== 'read') {
        options.journal = createJournal(journal, options.provider.url)
      } else if (existsSync(journal)) {
        say(`${journal}: an earlier run was not put back; --level write does it`)
      }
      report(await measure(options), { ...completed, file })
    } catch (error) {
      throw error instanceof NotMeasured ? invalid('--api-key', error.message) : error
    }
  },
})

interface RunInput {
  file: SettingsFile | undefined
  signal: AbortSignal
}

type SettingsFile = ReturnType<typeof readCalibration>

function toOptions(values: CalibrateValues, { file, signal }: RunInput): CalibrateOptions {
  const { against, user, level, timeout } = values
  const { 'code-from': from, 'new-users': newUsers } = values
  if (newUsers !== undefined && !PATTERN.test(newUsers)) {
    const example = 'a plus address with a *, such as qa+*@example.com'
    throw invalid('--new-users', `--new-users must be ${example}, not ${newUsers}.`)
  }
  const provider = {
    url: against ?? needed('--against', 'URL'),
    fetch,
    apiKey: fromEnvironment('--api-key', values['api-key']) ?? needed('--api-key', 'env:NAME'),
    secondApiKey: fromEnvironment('--second-api-key', values['second-api-key']),
    codes: from === undefined ? undefined : createCodeSource(from, signal),
  }
  return {
    provider,
    operations: OPERATIONS,
    settings: toSettings(parseSettings(file?.settings ?? {})),
    earlier: file && { settings: file.settings, others: file.accepted.settings },
    level,
    user,
    newUsers,
    signal,
    openModel,
    say,
    tag: Date.now().toString(36),
    timeoutMs: timeout,
    waitMaxMs: WAIT_MAX_MS,
    now: Date.now,
    async wait(ms) {
      const text = `the provider limits the rate of calls: waiting ${Math.ceil(ms / 1000)} s`
      say(text, { isProgress: true })
      await sleep(ms, undefined, { signal }).catch(() => undefined)
    },
  }
}

/** Options name a variable, because other users of the machine can see a process's arguments. */
function fromEnvironment(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, name = ''] = /^env:(\w+)$/.exec(text) ?? []
  if (name === '') throw invalid(option, `${option} must be env:NAME, with the name of a variable.`)
  if (process.env[name]) return process.env[name]
  throw invalid(option, `${option}: the variable ${name} is not set.`)
}

const PATTERN = /^[^\s@*]+\+[^\s@*]*\*[^\s@*]*@[^\s@*]+\.[^\s@*]+$/

function needed(option: string, value: string): never {
  throw invalid(option, `calibrate needs ${option} ${value}.`)
}

/** Prints to stderr, so that the report can be piped. Progress appears only on a terminal. */
function say(text: string, { isProgress } = { isProgress: false }) {
  if (!isProgress || process.stderr.isTTY) printText(`ramp-sandbox: ${text}`, process.stderr)
}

async function openReceiver({ 'webhook-url': url, webhooks: port }: CalibrateValues) {
  if (port === undefined) return undefined
  try {
    const receiver = await createReceiver({ port, respond: 204 })
    return { ...receiver, url: url ?? receiver.url, waitMs: EVENT_WAIT_MS }
  } catch (error) {
    throw invalid('--webhooks', `--webhooks ${port} cannot be used: ${messageOf(error)}.`)
  }
}

interface Reporting extends Completed {
  file: SettingsFile | undefined
}

function report(calibration: Calibration, { values, file, isLowerLevel }: Reporting) {
  const { findings, level, notPutBack, secrets, isInterrupted } = calibration
  const url = values.against ?? ''
  const settings = toSettingsFile(findings)
  // An interrupted run must not overwrite the file of a complete one.
  const canWrite = values.out !== undefined && Object.keys(settings).length > 0 && !isInterrupted
  const judged = judge(calibration, {
    file,
    canWrite,
    replaces: values.out !== undefined && isSameFile(values.out, values.settings),
    allowedUnchecked: values['allow-unchecked'],
    isLowerLevel,
    ignored: values.ignore,
    ignoresAdditional: values['ignore-additional'] === 'yes',
  })
  const { rows, outcome, accepted, isWritten, whyNotWritten } = judged
  const hide = (text: string) => redact(text, secrets)
  const write = (option: 'report' | 'junit', text: string) => {
    const file = values[option]
    if (file !== undefined) writeOutput(`--${option}`, file, hide(text))
  }
  if (isWritten) {
    const description = `What ramp-sandbox calibrate found at ${new URL(url).host} (level ${level})`
    const found = JSON.parse(hide(JSON.stringify({ description, settings, accepted })))
    const file = { ...found, measured: toMeasured(values) }
    writeOutput('--out', values.out ?? '', `${JSON.stringify(file, null, 2)}\n`)
  }
  if (whyNotWritten !== null) say(`${values.out} is not written: ${whyNotWritten}`)
  const markdown = formatReport(calibration, judged, url)
  write('report', markdown)
  write(
    'junit',
    formatJunit(
      'calibrate',
      url,
      rows.map((row) => toCase(row, judged)),
    ),
  )
  if (values.json) {
    process.stdout.write(`${toSafeJson(hide(toJson(calibration, judged, settings)))}\n`)
  } else {
    // Where the report goes to a file, the terminal has the table alone.
    const [table = ''] = markdown.split('\n\n## Responses')
    printText(hide(values.report === undefined ? markdown : table))
  }
  say(hide(formatCounts(judged)))
  for (const text of notPutBack) say(hide(`put back by hand: ${text}`))
  process.exitCode = EXIT_CODES[outcome]
}

const isSameFile = (one: string, other = ''): boolean => resolve(one) === resolve(other)

/** Everything that a run found, for tools. */
function toJson(calibration: Calibration, judged: Judged, settings: object): string {
  const { level, findings, drift, notes, leftBehind, notPutBack, readings } = calibration
  const { outcome, rows, unchecked } = judged
  const responses = toMasked(readings)
  const json = { level, outcome, settings, findings, drift, rows, unchecked, notes, leftBehind }
  return JSON.stringify({ ...json, notPutBack, responses }, null, 2)
}

function toCase(row: ReportRow, { isFirst }: Judged): JunitCase {
  const { verdict, where, what, provider, sandbox, isNew, isUnchecked, isFailure } = row
  const name = where === '' ? what : `${where}: ${what}`
  if (verdict === 'not known') {
    // The file of an earlier run claims nothing of what failed then, and the run ends with 0.
    const isError = isUnchecked || (isFirst && isFailure)
    const message = `${isUnchecked ? 'Not checked' : 'Not known'}, ${provider}.`
    return { name, result: isError ? 'error' : 'skipped', message }
  }
  const message = `The provider has ${provider}, the sandbox ${sandbox}.`
  return { name, result: isNew ? 'failure' : 'passed', message }
}

const [KEY, SECOND_KEY] = ['model-key', 'model-key-2']
const NO_RECEIVER = 'https://webhooks.invalid/'
/** In this process, a message is there once it was sent, and a webhook once the outbox is empty. */
const WAIT_MS = 0

/** Opens a local sandbox for the same calls, starting from the state that the provider showed. */
export const openModel: CalibrateOptions['openModel'] = async (options, settings, readings) => {
  const { user: email, now, provider } = options
  const dataOf = (step: string) =>
    readings.flatMap((reading) => (reading.step === step && isOk(reading) ? [reading.data] : []))
  const [found] = dataOf('findUser').flat()
  const isFound = email !== undefined && (found !== undefined || dataOf('findUser').length === 0)
  const [requirements] = [...dataOf('requirements'), ...dataOf('requirementsOfUser')]
  const rows = Array.isArray(requirements) ? requirements : requirements?.outstanding
  const outstanding = Array.isArray(rows) ? rows.map((row) => String(row?.field)) : []
  const webhook = typeof dataOf('webhooks')[0]?.url === 'string' && {
    webhook: { url: NO_RECEIVER },
  }
  const fixture: FixtureDocument = {
    integrators: [
      { name: 'first', apiKey: KEY, ...webhook },
      { name: 'second', apiKey: SECOND_KEY },
    ],
    users: isFound ? [{ email, status: 'verified', profile: toProfile(outstanding) }] : [],
  }
  const clock = `running@${formatInstant(now())}`
  const sandbox = await createSandbox({ fixture, settings, clock, listen: false })
  const receiver = provider.receiver && (await createReceiver({ respond: 204 }))
  return {
    url: sandbox.url,
    fetch: (url, init) => sandbox.fetch(url, init),
    apiKey: KEY,
    secondApiKey: SECOND_KEY,
    codes: async (address) => () =>
      sandbox.inbox.loginCode(address, { timeout: WAIT_MS }).catch(() => undefined),
    receiver: receiver && {
      url: receiver.url,
      waitMs: WAIT_MS,
      async next(matches, waitMs) {
        await sandbox.webhooks.drain()
        return await receiver.next(matches, waitMs)
      },
    },
    async close() {
      await receiver?.close()
      await sandbox.close()
    },
  } satisfies Model
}
