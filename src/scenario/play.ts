import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Casting, Cue, Played, PlayedStep } from '../http/plays.ts'
import { packageFolder } from './catalogue.ts'
import { locate } from './locate.ts'

export {
  allScenarios,
  findNamedScenario,
  findScenario,
  type Listed,
  listScenarios,
  UnknownScenario,
} from './catalogue.ts'

/** Longest wall time of one step, unless it is said otherwise. */
const STEP_MAX_MS = 30_000
/** Steps of the longest kind that all of a scenario may take. */
const LONG_STEPS_MAX = 10
const HEAP_MAX_MB = 512

export interface PlayOptions {
  stepMaxMs?: number | undefined
  /** Hears of each step as it begins and passes. */
  onCue?: ((cue: Cue) => void) | undefined
}

/**
 * Plays the scenario of a file against a sandbox that listens, in a thread that is ended when it
 * takes too long. Whatever is wrong with the scenario is told, never thrown.
 */
export async function playScenario(casting: Casting, options: PlayOptions = {}): Promise<Played> {
  const worker = new Worker(join(packageFolder(), 'dist', 'scenario', 'worker.js'), {
    workerData: casting,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    stdout: true,
  })
  // What a scenario prints would spoil a transcript.
  worker.stdout.pipe(process.stderr, { end: false })
  try {
    return await watch(worker, casting, options)
  } finally {
    await worker.terminate()
  }
}

function watch(
  worker: Worker,
  { name, file }: Casting,
  { stepMaxMs = STEP_MAX_MS, onCue }: PlayOptions,
): Promise<Played> {
  const steps: PlayedStep[] = []
  const begun: string[] = []
  let at = basename(file)
  return new Promise((resolve) => {
    const allMaxMs = stepMaxMs * LONG_STEPS_MAX
    const whole = setTimeout(() => end(tooLong('The scenario', allMaxMs)), allMaxMs)
    const inStep = setTimeout(() => end(tooLong('The step', stepMaxMs)), stepMaxMs)
    worker.on('message', (cue: Cue) => {
      if (cue.kind === 'ended') return settle(cue.played)
      if (cue.kind === 'passed') steps.push(cue.step)
      if (cue.kind === 'began') {
        begun.push(cue.title)
        at = cue.at
        inStep.refresh()
      }
      onCue?.(cue)
    })
    worker.on('error', (error) => {
      end(`An error escaped from it (is an await missing?): ${error}`, locate(error, file, at))
    })
    worker.on('exit', () => end('It ended before play() did: something it awaits never comes.'))

    function end(message: string, place = at) {
      const problem = { step: begun.at(-1) ?? null, message, differences: [], at: place }
      // What was said in the last steps died with the thread.
      const rest = begun.slice(steps.length).map((title) => ({ title, calls: [], deliveries: [] }))
      const told = [...steps, ...rest]
      settle({ name, title: name, outcome: 'broken', problem, steps: told })
    }
    function settle(played: Played) {
      clearTimeout(whole)
      clearTimeout(inStep)
      resolve(played)
    }
  })
}

const tooLong = (what: string, ms: number) =>
  `${what} took longer than ${ms / 1000} s, so it was ended.`
