import { existsSync } from 'node:fs'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import {
  inSource,
  type OptionSpec,
  type OptionSpecs,
  type Outside,
  readArgs,
  toArgs,
} from './command.ts'
import { invalid, isMap, readJsonFile } from './option-values.ts'
import { START_OPTIONS } from './serving-options.ts'

/** File of the working folder that holds options of `start`. */
export const PROJECT_FILE = 'ramp-sandbox.json'
const ENV = 'RAMP_SANDBOX_OPTIONS'

/** Without the variables of options: what is wrong with one is no fault of the file. */
const START = {
  usage: 'start',
  options: Object.fromEntries(
    Object.entries<OptionSpec>(START_OPTIONS).map(([name, { env: _, ...option }]) => [
      name,
      option,
    ]),
  ),
}

/**
 * Reads the options of `start` that the project's file and the environment give, as arguments for
 * a command that takes some of them. The later ones win, and those of the command line come last.
 */
export function readOutside(taken: OptionSpecs): Outside[] {
  const project = readFrom(PROJECT_FILE, taken, readProjectFile).filter(([name]) => {
    const { env = '' } = taken[name] ?? {}
    return !process.env[env]
  })
  const env = readFrom(ENV, taken, () => (process.env[ENV] ?? '').split(/\s+/).filter(Boolean))
  return Object.entries({ [PROJECT_FILE]: project, [ENV]: env }).map(([source, options]) => ({
    source,
    args: options.flatMap((option) => toArgs(Object.fromEntries([option]))),
  }))
}

function readFrom(
  source: string,
  taken: OptionSpecs,
  read: () => readonly string[],
): [name: string, text: unknown][] {
  try {
    return Object.entries(readArgs(START, read()).texts).filter(([name]) => name in taken)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw inSource(error, source)
  }
}

function readProjectFile(): string[] {
  if (!existsSync(PROJECT_FILE)) return []
  const document = readJsonFile(PROJECT_FILE, PROJECT_FILE, PROJECT_FILE)
  if (!isMap(document)) {
    throw invalid(PROJECT_FILE, `${PROJECT_FILE} must contain an object of options.`)
  }
  return Object.entries(document).flatMap(([name, value]) => toOptions(name, value))
}

/** Turns one option into arguments; `set` may be an object of settings. */
function toOptions(name: string, value: unknown): string[] {
  const { [name]: option } = START.options
  if (option === undefined) {
    const names = Object.keys(START.options)
    throw invalid(PROJECT_FILE, `there is no option ${toVisible(name)}${suggest(name, names)}`)
  }
  if (option.value === undefined && typeof value !== 'boolean') {
    throw invalid(PROJECT_FILE, `${name} must be true or false, not ${JSON.stringify(value)}.`)
  }
  if (value === true) return [`--${name}`]
  if (value === false) return []
  if (Array.isArray(value)) return value.flatMap((each) => toOptions(name, each))
  if (name === 'set' && isMap(value)) {
    return Object.entries(value).map(([id, each]) => `--set=${id}=${toText(id, each)}`)
  }
  return [`--${name}=${toText(name, value)}`]
}

function toText(name: string, value: unknown): string {
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  if (isText) return String(value)
  const problem = `${name} must be a string or a number, not ${JSON.stringify(value)}.`
  throw invalid(PROJECT_FILE, problem)
}
