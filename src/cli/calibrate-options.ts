import type { Accepted } from '../calibrate/judge.ts'
import { LEVELS } from '../calibrate/run.ts'
import { readTextFile } from '../text-file.ts'
import type { OptionSpecs, Values } from './command.ts'
import {
  BASE_URL,
  invalid,
  isMap,
  LENGTH,
  NUMBER,
  oneOf,
  PORT,
  readSettingsFile,
} from './option-values.ts'

export const OPTIONS = {
  against: {
    ...BASE_URL,
    help: 'the base URL of the provider, without /v2',
  },
  'api-key': { value: 'env:NAME', help: 'the environment variable that holds the API key' },
  level: { ...oneOf(LEVELS), standard: 'read', help: 'how far to go; read changes nothing' },
  yes: { help: 'go further than read: needed for write and money' },
  'dry-run': { help: 'print every call, and send none' },
  user: { value: 'EMAIL', help: 'an existing, verified user of yours' },
  'code-from': {
    value: 'stdin|URL|COMMAND',
    help: 'where the login codes of that user come from; {email} in a URL, RAMP_SANDBOX_EMAIL for a command',
  },
  'new-users': {
    value: 'PATTERN',
    help: 'addresses for the users that it creates (they stay): qa+*@example.com',
  },
  webhooks: { ...PORT, help: 'a free port of this machine on which to receive events' },
  'webhook-url': {
    value: 'URL',
    help: 'where the provider reaches that port, such as a tunnel; http://127.0.0.1:PORT by default',
  },
  'second-api-key': { value: 'env:NAME', help: 'the key of another integrator of yours' },
  settings: {
    value: 'FILE',
    help: 'compare with the file of an earlier --out, and use its options; exit 2 for what is new',
  },
  'allow-unchecked': {
    ...NUMBER,
    standard: '0',
    help: 'how many settings of that file may stay unchecked',
  },
  out: { value: 'FILE', help: 'write the settings and the differences, for --settings FILE' },
  ignore: { value: 'PATH', many: true, help: 'a field that may differ, such as errors.code' },
  'ignore-additional': {
    ...oneOf(['yes', 'no']),
    standard: 'yes',
    help: 'ignore fields and headers that only the provider has',
  },
  junit: { value: 'FILE', help: 'write the results to this file, in JUnit format' },
  report: { value: 'FILE', help: 'write the report to this file, in Markdown, not to stdout' },
  timeout: { ...LENGTH, standard: '10s', help: 'how long one call may take' },
  json: { short: 'j', help: 'print the findings, differences and responses as JSON' },
} as const satisfies OptionSpecs
export type CalibrateValues = Values<typeof OPTIONS>

/**
 * Options of a run that its settings file records. A key is recorded as the name of its variable.
 */
const MEASURED = [
  'against',
  'api-key',
  'level',
  'user',
  'code-from',
  'new-users',
  'webhooks',
  'webhook-url',
  'second-api-key',
] as const satisfies readonly (keyof typeof OPTIONS)[]
type MeasuredOption = (typeof MEASURED)[number]
type Measured = Partial<Record<MeasuredOption, string | number>>

const NOTHING_ACCEPTED: Accepted = {
  differences: {},
  settings: {},
  shownBy: {},
  steps: [],
  checked: {},
}

/** Reads what an earlier run wrote; a file of settings alone accepts nothing. */
export function readCalibration(path: string) {
  const settings = readSettingsFile('--settings', path)
  const document: { accepted?: unknown; measured?: unknown } = JSON.parse(readTextFile(path))
  const { accepted = {}, measured } = document
  if (!isAccepted(accepted)) {
    const example = 'accepted must be as calibrate --out wrote it'
    throw invalid('--settings', `--settings ${path}: ${example}, or be left out.`)
  }
  return {
    settings,
    accepted: { ...NOTHING_ACCEPTED, ...accepted },
    measured: readMeasured(measured),
  }
}

function isAccepted(value: unknown): value is Partial<Accepted> {
  if (!isMap(value)) return false
  const { differences = {}, settings = {}, shownBy = {}, steps = [], checked = {} } = value
  const areMaps = isMapOf(differences, (one) => isMapOf(one, isTexts)) && isMapOf(settings, isText)
  return areMaps && isMapOf(shownBy, isTexts) && isMapOf(checked, isTexts) && isTexts(steps)
}

const isMapOf = (value: unknown, isEntry: (entry: unknown) => boolean): boolean =>
  isMap(value) && Object.values(value).every(isEntry)

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

function readMeasured(measured: unknown): Measured {
  if (measured === null || typeof measured !== 'object') return {}
  const known = Object.entries(measured).filter(([name, value]) => {
    const isText = typeof value === 'string' || typeof value === 'number'
    return isText && MEASURED.some((option) => option === name)
  })
  return Object.fromEntries(known)
}

/** Options of a command line, completed with those recorded in its settings file. */
export interface Completed {
  values: CalibrateValues
  /** The options whose values came from the file. */
  kept: MeasuredOption[]
  /** True if the command line asks for a lower level than the file records. */
  isLowerLevel: boolean
}

export function completeOptions(
  values: CalibrateValues,
  given: readonly string[],
  measured: Measured,
): Completed {
  const kept = MEASURED.filter((name) => measured[name] !== undefined && !given.includes(name))
  const read = kept.map((name) => [name, readKept(name, String(measured[name]))])
  const completed: CalibrateValues = { ...values, ...Object.fromEntries(read) }
  const levelBefore = LEVELS.map(String).indexOf(String(measured.level))
  return { values: completed, kept, isLowerLevel: LEVELS.indexOf(completed.level) < levelBefore }
}

function readKept(name: MeasuredOption, text: string) {
  const spec = OPTIONS[name]
  const option = `--settings: ${name}`
  return 'read' in spec ? spec.read(option, text) : text
}

/** Picks the options that a later run needs to repeat this one. */
export function toMeasured(values: CalibrateValues): Measured {
  const given = MEASURED.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** Throws if the level changes data and `--yes` is missing. */
export function assertYes({ level, yes }: CalibrateValues) {
  if (level === 'read' || yes) return
  const hint = '--dry-run prints every call; --yes lets them be sent.'
  throw invalid('--level', `--level ${level} changes data of the provider.`, hint)
}
