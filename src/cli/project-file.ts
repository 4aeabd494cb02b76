import { existsSync } from 'node:fs'
import { readTextFile } from '../text-file.ts'
import { suggest } from '../world/nearest.ts'
import type { OptionSpec, OptionSpecs } from './command.ts'
import { invalid, isMap, orInvalid } from './option-values.ts'

/** File of the working folder that holds options of `start`. */
export const PROJECT_FILE = 'ramp-sandbox.json'

/**
 * Converts the options of the project to command-line arguments. Typed options come after them and
 * win. Options that are set in the environment are left out.
 */
export function readProjectArgs(options: OptionSpecs, skipped: readonly string[] = []): string[] {
  if (!existsSync(PROJECT_FILE)) return []
  const problem = `${PROJECT_FILE} cannot be read`
  const document: unknown = orInvalid(PROJECT_FILE, problem, () =>
    JSON.parse(readTextFile(PROJECT_FILE)),
  )
  if (!isMap(document)) {
    throw invalid(PROJECT_FILE, `${PROJECT_FILE} must hold an object of options.`)
  }
  return Object.entries(document).flatMap(([name, value]) => {
    const spec = Object.hasOwn(options, name) ? options[name] : undefined
    if (spec === undefined) throw unknownOption(name, Object.keys(options))
    const args = toArgs(name, spec, value)
    const isFromEnv = spec.env !== undefined && Boolean(process.env[spec.env])
    return isFromEnv || skipped.includes(name) ? [] : args
  })
}

function unknownOption(name: string, known: readonly string[]) {
  const problem = `${PROJECT_FILE}: start has no option ${name}${suggest(name, known)}`
  return invalid(PROJECT_FILE, problem, 'ramp-sandbox start --help lists them.')
}

/** Turns one option into arguments; `set` may be an object of settings. */
function toArgs(name: string, spec: OptionSpec, value: unknown): string[] {
  const option = `--${name}`
  if (spec.value === undefined) {
    if (typeof value !== 'boolean') throw wrongValue(name, 'true or false', value)
    return value ? [option] : []
  }
  const texts = textsOf(name, spec, value)
  const label = `${name} of ${PROJECT_FILE}`
  for (const text of texts) spec.read?.(label, text)
  return texts.map((text) => `${option}=${text}`)
}

function textsOf(name: string, { many }: OptionSpec, value: unknown): string[] {
  if (name === 'set' && isMap(value)) {
    return Object.entries(value).map(([id, each]) => `${id}=${toText(name, each)}`)
  }
  if (many && Array.isArray(value)) return value.map((each) => toText(name, each))
  return [toText(name, value)]
}

function toText(name: string, value: unknown): string {
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  if (isText) return String(value)
  throw wrongValue(name, 'a text or a number', value)
}

const wrongValue = (name: string, expected: string, value: unknown) =>
  invalid(
    PROJECT_FILE,
    `${PROJECT_FILE}: ${name} must be ${expected}, not ${JSON.stringify(value)}.`,
  )
