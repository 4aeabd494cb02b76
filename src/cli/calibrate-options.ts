import { setTimeout as sleep } from 'node:timers/promises'
import type { CalibrateOptions } from '../agreement/calibrate/calibrate.ts'
import { LEVELS } from '../agreement/calibrate/step.ts'
import { parseSettings, toSettings } from '../world/settings/index.ts'
import { checkAnswer, openModel } from './calibrate-model.ts'
import type { OptionSpecs, Values } from './command.ts'
import { createCodeSource } from './login-codes.ts'
import { invalid, readSettings, toBaseUrl, toChoice, toLength } from './option-values.ts'

export const CALIBRATE_OPTIONS = {
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
    help: 'addresses of yours for about 15 new users, such as qa+*@example.com',
  },
  webhooks: { value: 'PORT', help: 'a free port of this machine, to receive events at' },
  'webhook-url': {
    value: 'URL',
    help: 'where the provider reaches that port, such as a tunnel; http://127.0.0.1:PORT by default',
  },
  'second-api-key': { value: 'env:NAME', help: 'the key of another integrator of yours' },
  settings: {
    value: 'FILE',
    help: 'compare with what an earlier --out wrote: 0 when nothing is new, 2 when something is',
  },
  out: {
    value: 'FILE',
    help: 'write the settings that were found and the differences, for --settings FILE',
  },
  ignore: { value: 'PATH', many: true, help: 'a field that may differ, such as errors.code' },
  'ignore-additional': {
    value: 'yes|no',
    help: 'whether fields that only the provider has are no difference; yes by default',
  },
  junit: { value: 'FILE', help: 'write the results there, in the format of JUnit' },
  report: { value: 'FILE', help: 'write the report, in Markdown, there and not to the output' },
  keep: { value: 'PATH', many: true, help: 'a field the report may show, such as errors.message' },
  timeout: { value: 'LENGTH', help: 'how long one call may take; 10s by default' },
  json: { help: 'print the findings, differences and responses as JSON' },
} as const satisfies OptionSpecs

export type CalibrateValues = Values<typeof CALIBRATE_OPTIONS>

const EXAMPLE = 'https://api.example.com'
const TIMEOUT_MS = 10_000
/** How long a run waits in all where the provider asks it to slow down. */
const WAIT_MAX_MS = 180_000

export function toOptions(values: CalibrateValues, signal: AbortSignal): CalibrateOptions {
  const { user, 'code-from': from } = values
  return {
    provider: {
      url: toBaseUrl('--against', values.against ?? needed('--against', 'URL'), EXAMPLE),
      fetch: (url, init) => fetch(url, init),
      apiKey: fromEnvironment('--api-key', values['api-key']) ?? needed('--api-key', 'env:NAME'),
      secondApiKey: fromEnvironment('--second-api-key', values['second-api-key']),
      codes: from === undefined ? undefined : createCodeSource(from, signal),
    },
    level: toChoice('--level', values.level ?? 'read', LEVELS),
    expected: toSettings(parseSettings(readSettings({ settings: values.settings }))),
    user,
    token: fromEnvironment('--token', values.token),
    newUsers: toPattern(values['new-users']),
    tag: Date.now().toString(36),
    timeoutMs: toLength('--timeout', values.timeout) ?? TIMEOUT_MS,
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

/** Not the value itself: other users of the machine see the arguments of a process. */
function fromEnvironment(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, name = ''] = /^env:(\w+)$/.exec(text) ?? []
  if (name === '') throw invalid(option, `${option} must be env:NAME, with the name of a variable.`)
  const value = process.env[name]
  if (value) return value
  throw invalid(option, `${option}: the variable ${name} is not set.`)
}

const PATTERN = /^[^\s@*]+\+[^\s@*]*\*[^\s@*]*@[^\s@*]+\.[^\s@*]+$/

function toPattern(text: string | undefined): string | undefined {
  if (text === undefined || PATTERN.test(text)) return text
  const message = `--new-users must be a plus address with a *, such as qa+*@example.com, not ${text}.`
  throw invalid('--new-users', message)
}

function needed(option: string, value: string): never {
  throw invalid(option, `calibrate needs ${option} ${value}.`)
}

/** Progress goes beside the output, so that the report can be piped. */
export function showLine(text: string) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
