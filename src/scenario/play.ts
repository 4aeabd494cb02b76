import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createHttpClient, type HttpClient } from '../client/http.ts'
import type {
  PlayEvent,
  Played,
  PlayedStep,
  PlayRequest,
  ScenarioSummary,
} from '../control-api/plays.ts'
import { listPackageFolder, packageFolder } from '../package-folder.ts'
import { realTime } from '../real-time.ts'
import { suggest } from '../world/nearest.ts'
import { loadScenario, locate } from './load.ts'
import { callFor, type ThreadCall } from './thread-client.ts'
import type { Scenario } from './types.ts'

const STEP_MAX_MS = 30_000
/** A whole scenario may take as long as this many steps of the longest kind. */
const LONG_STEPS_MAX = 10
const HEAP_MAX_MB = 512

export interface PlayOptions {
  stepMaxMs?: number | undefined
  onEvent?: ((event: PlayEvent) => void) | undefined
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
}

/**
 * Plays the scenario of a file against a sandbox that listens, in a thread that is ended when it
 * takes too long. What is wrong with the scenario is in the result, never thrown.
 */
export async function playScenario(
  request: PlayRequest,
  options: PlayOptions = {},
): Promise<Played> {
  const worker = new Worker(join(packageFolder(), 'dist', 'scenario', 'worker.cjs'), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    stdout: true,
    stderr: true,
  })
  // What a scenario prints would spoil a transcript.
  for (const output of [worker.stdout, worker.stderr]) {
    output.on('data', (printed: Buffer) => process.stderr.write(printed))
  }
  const ending = new AbortController()
  try {
    return await watch(worker, request, {
      ...options,
      http: createPlayClient(request, options, ending),
    })
  } finally {
    ending.abort()
    await worker.terminate()
  }
}

/** The client that makes the calls of a thread until the play has ended. */
function createPlayClient(
  { url, controlToken }: PlayRequest,
  { fetch = globalThis.fetch }: PlayOptions,
  { signal }: AbortController,
) {
  // Each call under way adds a listener.
  setMaxListeners(0, signal)
  return createHttpClient({
    url,
    controlToken,
    ends: [signal],
    fetch: (target, init) => fetch(target, { ...init, redirect: 'manual' }),
  })
}

function watch(
  worker: Worker,
  { name, file }: PlayRequest,
  { stepMaxMs = STEP_MAX_MS, onEvent, http }: PlayOptions & { http: HttpClient },
): Promise<Played> {
  const steps: PlayedStep[] = []
  const begun: string[] = []
  let at = basename(file)
  return new Promise((resolve) => {
    const allMaxMs = stepMaxMs * LONG_STEPS_MAX
    const whole = realTime.setTimeout(() => end(tooLong('The scenario', allMaxMs)), allMaxMs)
    const inStep = realTime.setTimeout(() => end(tooLong('The step', stepMaxMs)), stepMaxMs)
    worker.on('message', (event: PlayEvent | ThreadCall) => {
      if (event.kind === 'call') return void callFor(worker, event, http)
      if (event.kind === 'ended') return settle(event.played)
      if (event.kind === 'passed') steps.push(event.step)
      if (event.kind === 'began') {
        begun.push(event.title)
        at = event.at
        inStep.refresh()
      }
      onEvent?.(event)
    })
    worker.on('error', (error) => {
      end(`An error escaped from it (is an await missing?): ${error}`, locate(error, file, at))
    })
    worker.on('exit', () => end('It ended before play() did: something it awaits never comes.'))

    function end(message: string, place = at) {
      const problem = { step: begun.at(-1) ?? null, message, differences: [], at: place }
      // The calls of the last steps were lost with the thread.
      const rest = begun.slice(steps.length).map((title) => ({ title, calls: [], deliveries: [] }))
      settle({ name, title: name, outcome: 'broken', problem, steps: [...steps, ...rest] })
    }
    function settle(played: Played) {
      realTime.clearTimeout(whole)
      realTime.clearTimeout(inStep)
      resolve(played)
    }
  })
}

const tooLong = (what: string, ms: number) =>
  `${what} took longer than ${ms / 1000} s, so it was ended.`

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
