import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fixture, FixtureDocument } from './fixture/format.ts'
import { readDocument } from './fixture/schema.ts'
import { suggest } from './nearest.ts'
import { Refusal } from './world/errors.ts'

export type { Fixture } from './fixture/format.ts'
export { fixtureToState } from './fixture/state.ts'

/** What a fixture goes by that was given as an object. */
const INLINE = 'inline'

/**
 * A fixture by its name, by the path of its file (ends in `.json` or has a slash), or as itself.
 * Refuses one that is not there or not a fixture, naming what would work.
 */
export function loadFixture(source: string | object): Fixture {
  if (typeof source === 'object') return { ...readDocument(source), name: INLINE }
  if (/\.json$|[\\/]/.test(source)) return readFixture(source, source)
  const folder = fixtureFolder()
  const names = fixtureNames(folder)
  if (!names.includes(source)) {
    const message = `There is no fixture ${source}${suggest(source, names)}`
    const hint = `A file is named with its path, such as ./${source}.json.`
    throw new Refusal('invalid', 'fixture', message, { hint })
  }
  return readOwnFixture(folder, source)
}

export interface FixtureSummary {
  name: string
  description: string
}

/** The fixtures that come with the sandbox. */
export function listFixtures(): FixtureSummary[] {
  const folder = fixtureFolder()
  return fixtureNames(folder).map((name) => {
    const { description = '' } = readOwnFixture(folder, name)
    return { name, description }
  })
}

/** Not checked, because the tests do it: checking takes a tenth of the time of a start. */
function readOwnFixture(folder: string, name: string): Fixture {
  return { ...(parseFile(join(folder, `${name}.json`)) as FixtureDocument), name }
}

function readFixture(name: string, path: string): Fixture {
  const document = parseFile(path)
  try {
    return { ...readDocument(document), name }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw Refusal.ofMany(error.problems, { hint: `In the fixture ${name}.` })
  }
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `The fixture ${path} cannot be read: ${why}.`
    throw new Refusal('invalid', 'fixture', message)
  }
}

/** In the package, one or two folders above this file: sources and bundle lie differently deep. */
function fixtureFolder(): string {
  for (const way of ['..', '../..']) {
    const folder = join(import.meta.dirname, way, 'fixtures')
    if (existsSync(join(folder, 'default.json'))) return folder
  }
  throw new Error('The folder fixtures/ of the package is missing; install it again.')
}

function fixtureNames(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.map((file) => file.slice(0, -'.json'.length)).sort()
}
