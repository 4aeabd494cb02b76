import { createSandbox } from '../host/create-sandbox.ts'
import { compareProvider } from '../variations/compare.ts'
import {
  formatComparison,
  type KnownDifference,
  reportComparison,
  toExitCode,
} from '../variations/compare-report.ts'
import { messageOf } from '../world/domain-error.ts'
import { isEmail } from '../world/profile.ts'
import type { GivenSettings } from '../world/settings/index.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import { createCodeSource } from './login-codes.ts'
import { BASE_URL, invalid, isMap, readJsonFile } from './option-values.ts'
import { readOutside } from './outside-options.ts'
import { readSettings, SETTING_OPTIONS } from './serving-options.ts'
import { printJson, printText } from './terminal.ts'

const OPTIONS = {
  against: { ...BASE_URL, help: 'base URL of the provider' },
  'api-key': { value: 'env:NAME', help: 'environment variable that holds your API key' },
  user: { value: 'EMAIL', help: 'one of your verified users, who is sent one login code' },
  'code-from': {
    value: 'stdin|URL|COMMAND',
    help: 'where to get that code: stdin (you type it), a URL, or the output of a command',
  },
  known: { value: 'FILE', help: 'accepted differences, as --json printed them' },
  ...SETTING_OPTIONS,
  json: { short: 'j', help: 'print the differences as JSON' },
} as const satisfies OptionSpecs

export const compare = createCommand({
  usage: 'compare --against URL --api-key env:NAME [options]',
  about:
    'make the same read-only calls to a provider and to a new sandbox, and print how the shapes of\n' +
    'the responses differ, with the setting that makes the sandbox match; nothing changes at the\n' +
    'provider, and no values are printed',
  hasFindings: true,
  exits: {
    0: 'No difference.',
    1: 'There is no verdict, or the command line is wrong; the output says why.',
    2: 'There are differences.',
  },
  outside: readOutside,
  options: OPTIONS,
  async act({ values }) {
    const { against, user: email, json, known } = values
    if (against === undefined) throw invalid('--against', 'compare needs --against URL.')
    if (values['code-from'] !== undefined && email === undefined) {
      throw invalid('--code-from', '--code-from needs --user EMAIL.')
    }
    const apiKey = readApiKey(values['api-key'])
    const user = email === undefined ? undefined : { email, readCode: codesOf(values, email) }
    const accepted = known === undefined ? [] : readKnown(known)
    await using sandbox = await openSandbox(values)
    const comparison = await compareProvider({ url: against, apiKey, user }, sandbox)
    const report = reportComparison(comparison, { against, accepted, isWhole: user !== undefined })
    const exitCode = toExitCode(report)
    if (json) printJson({ ...report, exitCode })
    else printText(formatComparison(report))
    return exitCode
  },
})

type Given = Values<typeof OPTIONS>

function readApiKey(given: string | undefined): string {
  const [, name] = /^env:(.+)$/.exec(given ?? '') ?? []
  if (name === undefined) {
    const message = '--api-key must name an environment variable, such as env:PROVIDER_API_KEY.'
    throw invalid(
      '--api-key',
      message,
      'Other users of this machine can see keys on a command line.',
    )
  }
  const key = process.env[name]?.trim()
  if (key) return key
  throw invalid('--api-key', `--api-key env:${name}: ${name} is not set.`)
}

function codesOf({ 'code-from': from }: Given, email: string) {
  if (from !== undefined) return createCodeSource(from, email)
  throw invalid('--code-from', '--user needs --code-from: stdin, a URL or a command.')
}

function readKnown(file: string): KnownDifference[] {
  const document = readJsonFile('--known', file)
  const { differences, known = [] } = isMap(document) ? document : {}
  if (Array.isArray(differences) && Array.isArray(known)) return [...differences, ...known]
  throw invalid('--known', `--known ${file} must contain the output of compare --json.`)
}

/** A sandbox with one user, who is verified as the one of the provider is. */
async function openSandbox(values: Given) {
  const { user } = values
  if (user !== undefined && !isEmail(user)) {
    throw invalid('--user', `--user must be an e-mail address, not ${user}.`)
  }
  const fixture = {
    integrators: [{ name: 'main', apiKey: 'sandbox-key' }],
    users: user === undefined ? [] : [{ email: user, status: 'verified' as const }],
  }
  const settings = readSettings(values) as GivenSettings
  return createSandbox({ fixture, settings, listen: false }).catch((error: unknown) => {
    throw invalid('--set', messageOf(error))
  })
}
