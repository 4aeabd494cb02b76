import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { createControl } from '../client/control.ts'
import { createHttpClient, until } from '../client/http.ts'
import type { PlayEvent, Played, PlayRequest, ScenarioSummary } from '../control-api/plays.ts'
import { listPackageFolder, packageFolder } from '../package-folder.ts'
import { realTime } from '../real-time.ts'
import { suggest } from '../world/nearest.ts'
import { loadScenario } from './load.ts'
import { PlayEnded, perform, toEnd } from './perform.ts'
import { Steps } from './steps.ts'
import type { Scenario } from './types.ts'

const STEP_MAX_MS = 30_000

export interface PlayOptions {
  stepMaxMs?: number | undefined
  onEvent?: ((event: PlayEvent) => void) | undefined
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Ends the play; the reason is an error that nobody awaited. */
  escaped?: AbortSignal | undefined
}

/**
 * Plays the scenario of a file in this thread, in a world of its own. What is wrong with the
 * scenario is in the result, never thrown. Only a script that never yields cannot be ended.
 */
export async function playScenario(
  request: PlayRequest,
  { stepMaxMs = STEP_MAX_MS, onEvent, fetch = globalThis.fetch, escaped }: PlayOptions = {},
): Promise<Played> {
  const { name, file, url, controlToken } = request
  const late = new AbortController()
  const timer = realTime.setTimeout(() => late.abort(tooLate(stepMaxMs)), stepMaxMs)
  const ending = new AbortController()
  // Each call under way adds a listener.
  setMaxListeners(0, ending.signal)
  const http = createHttpClient({
    url,
    controlToken,
    ends: [ending.signal],
    fetch: (target, init) => fetch(target, { ...init, redirect: 'manual' }),
  })
  const control = createControl(http)
  const steps = new Steps({ http, control, file, emit })
  let title = name
  try {
    const end = await until([late.signal, escaped], play).catch(async (error) => {
      await steps.end().catch(() => undefined)
      return toEnd(escaped?.aborted ? toEscaped(escaped.reason) : error, steps, file)
    })
    return { name, title, ...end, steps: steps.all }
  } finally {
    realTime.clearTimeout(timer)
    ending.abort()
  }

  async function play() {
    const scenario = await loadScenario(file)
    title = scenario.title
    return await perform(scenario, { request, control, steps, emit })
  }

  function emit(event: PlayEvent) {
    if (event.kind === 'began') timer.refresh()
    onEvent?.(event)
  }
}

const tooLate = (ms: number) =>
  new PlayEnded(`The step took longer than ${ms / 1000} s, so it was ended.`)

const toEscaped = (error: unknown) =>
  new PlayEnded(`An error escaped from it (is an await missing?): ${error}`, { cause: error })

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

/** Finds the titles that are written out; computed ones are known only when the scenario plays. */
function stepsOf(play: Scenario['play']): string[] {
  const calls = play.toString().matchAll(/\bstep\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g)
  const titles = [...calls].map(([, , title = '']) => title.replace(/\\(.)/g, '$1'))
  return titles.filter((title) => !title.includes('${'))
}

/** Says that a word names no scenario, and which names there are. */
export class UnknownScenario extends Error {}

/** Finds a scenario by name or by path; a path ends in `.js` or has a slash. */
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
