import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scenario } from './types.ts'

const SYNTAX_CHECK_MAX_MS = 5_000
const HOW =
  'a scenario is `export default { title, description, async play(stage) { … } }`, where ' +
  'title and description are strings'

/** Thrown for a file that is not a valid scenario, with the line of the mistake. */
export class BrokenScenario extends Error {
  readonly at: string

  constructor(message: string, at: string) {
    super(message)
    this.name = 'BrokenScenario'
    this.at = at
  }
}

/** The scenario that a file exports; throws if it cannot be read, throws, or exports none. */
export async function loadScenario(file: string): Promise<Scenario> {
  const module = await importFile(file)
  // A file without any export is read as one of CommonJS, whose exports are then empty.
  const names = Object.keys(module).filter((name) => JSON.stringify(module[name]) !== '{}')
  const lack = lackOf(module.default)
  if (lack === undefined) return module.default as Scenario
  const what = names.includes('default')
    ? `Its default export lacks ${lack}`
    : `Its default export is missing or empty${names.length > 0 ? `, and it exports only ${names.join(', ')}` : ''}`
  throw new BrokenScenario(`${what}; ${HOW}.`, `${basename(file)}:1`)
}

async function importFile(file: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const why = `It cannot be loaded: ${said}${isTakenForCommonJs(error, file) ? RENAME : ''}`
    throw new BrokenScenario(why, placeOf(error, file))
  }
}

const RENAME = '. Its package.json makes it CommonJS: rename the file to .mjs, or move it'

/** Recognises an import or export in a file that its package says is of CommonJS. */
const isTakenForCommonJs = (error: unknown, file: string) =>
  file.endsWith('.js') &&
  error instanceof SyntaxError &&
  /^Unexpected token 'export'|^Cannot use import statement/.test(error.message)

function placeOf(error: unknown, file: string): string {
  const isUnparsed = error instanceof SyntaxError && findLine(error, file) === undefined
  return (isUnparsed ? findSyntaxError(file) : undefined) ?? locate(error, file)
}

/** Finds the line in what Node prints; none of the file runs, because it does not parse. */
function findSyntaxError(file: string): string | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    timeout: SYNTAX_CHECK_MAX_MS,
  })
  const [, place, line] = /^(?:file:\/\/)?(\S.*):(\d+)$/m.exec(stderr ?? '') ?? []
  return place && `${basename(place)}:${line}`
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

function lackOf(value: unknown): string | undefined {
  const { title, description, play } = (value ?? {}) as Partial<Scenario>
  if (!isText(title)) return 'a title'
  if (!isText(description)) return 'a description'
  return typeof play === 'function' ? undefined : 'a play function'
}

/** Line of a scenario that an error comes from, as `buy-completes.js:12`; if none, `otherwise`. */
export function locate(error: unknown, file: string, otherwise = basename(file)): string {
  const line = findLine(error, file)
  return line === undefined ? otherwise : `${basename(file)}:${line}`
}

function findLine(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = [pathToFileURL(file).href, file].find((name) => stack.includes(`${name}:`))
  if (place === undefined) return undefined
  return /^:(\d+)/.exec(stack.slice(stack.indexOf(`${place}:`) + place.length))?.[1]
}
