import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PlayEvent, Played, PlayedStep, PlayRequest } from '../http/plays.ts'
import { packageFolder } from '../package-folder.ts'
import { realTime } from '../real-time.ts'
import { locate } from './locate.ts'

export {
  allScenarios,
  findNamedScenario,
  findScenario,
  type Listed,
  listScenarios,
  UnknownScenario,
} from './catalogue.ts'

const STEP_MAX_MS = 30_000
/** A whole scenario may take as long as this many steps of the longest kind. */
const LONG_STEPS_MAX = 10
const HEAP_MAX_MB = 512

export interface PlayOptions {
  stepMaxMs?: number | undefined
  onEvent?: ((event: PlayEvent) => void) | undefined
}

/**
 * Plays the scenario of a file against a sandbox that listens, in a thread that is ended when it
 * takes too long. What is wrong with the scenario is in the result, never thrown.
 */
export async function playScenario(
  request: PlayRequest,
  options: PlayOptions = {},
): Promise<Played> {
  const worker = new Worker(join(packageFolder(), 'dist', 'scenario', 'worker.js'), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    stdout: true,
    stderr: true,
  })
  // What a scenario prints would spoil a transcript.
  for (const output of [worker.stdout, worker.stderr]) {
    output.on('data', (printed: Buffer) => process.stderr.write(printed))
  }
  try {
    return await watch(worker, request, options)
  } finally {
    await worker.terminate()
  }
}

function watch(
  worker: Worker,
  { name, file }: PlayRequest,
  { stepMaxMs = STEP_MAX_MS, onEvent }: PlayOptions,
): Promise<Played> {
  const steps: PlayedStep[] = []
  const begun: string[] = []
  let at = basename(file)
  return new Promise((resolve) => {
    const allMaxMs = stepMaxMs * LONG_STEPS_MAX
    const whole = realTime.setTimeout(() => end(tooLong('The scenario', allMaxMs)), allMaxMs)
    const inStep = realTime.setTimeout(() => end(tooLong('The step', stepMaxMs)), stepMaxMs)
    worker.on('message', (event: PlayEvent) => {
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
