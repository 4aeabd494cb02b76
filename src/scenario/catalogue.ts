import { existsSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import type { ScenarioSummary } from '../http/plays.ts'
import { listPackageFolder, packageFolder } from '../package-folder.ts'
import { suggest } from '../world/nearest.ts'
import { loadScenario } from './load.ts'
import type { Scenario } from './types.ts'

export interface Listed {
  name: string
  file: string
}

export async function listScenarios(): Promise<ScenarioSummary[]> {
  return Promise.all(
    allScenarios().map(async ({ name, file }) => {
      const { title, description, play } = await loadScenario(file)
      return { name, title, description, steps: stepsOf(play) }
    }),
  )
}

/** The titles that are written out; one that is put together is known only when it plays. */
function stepsOf(play: Scenario['play']): string[] {
  const calls = play.toString().matchAll(/\bstep\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g)
  const titles = [...calls].map(([, , title = '']) => title.replace(/\\(.)/g, '$1'))
  return titles.filter((title) => !title.includes('${'))
}

/** A word that stands for no scenario, and what would work. */
export class UnknownScenario extends Error {}

/** A scenario by its name, or by the path of its file: that ends in `.js` or has a slash. */
export function findScenario(word: string): Listed | UnknownScenario {
  return /\.[cm]?js$|[\\/]/.test(word) ? findFile(word) : findNamedScenario(word)
}

export function findNamedScenario(name: string): Listed | UnknownScenario {
  const names = scenarioNames()
  if (names.includes(name)) return toListed(name)
  return new UnknownScenario(`There is no scenario ${name}${suggest(name, names)}`)
}

export const allScenarios = (): Listed[] => scenarioNames().map(toListed)

function findFile(path: string): Listed | UnknownScenario {
  const file = resolve(path)
  if (!existsSync(file)) return new UnknownScenario(`There is no file ${path}.`)
  return { name: basename(file, extname(file)), file }
}

const toListed = (name: string): Listed => ({
  name,
  file: join(packageFolder(), 'scenarios', `${name}.js`),
})

const scenarioNames = () => listPackageFolder('scenarios', '.js')
