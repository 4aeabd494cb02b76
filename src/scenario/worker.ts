import { parentPort, workerData } from 'node:worker_threads'
import type { Casting, Cue, Played } from '../http/plays.ts'
import { BrokenScenario, loadScenario } from './load.ts'
import { perform } from './perform.ts'

// A scenario plays in a thread of its own, so that one that never lets go can be ended.
const casting = workerData as Casting
const played = await play()
parentPort?.postMessage({ kind: 'ended', played } satisfies Cue)

async function play(): Promise<Played> {
  try {
    const scenario = await loadScenario(casting.file)
    const cue = (said: Cue) => parentPort?.postMessage(said)
    return await perform(scenario, { casting, fetch, cue })
  } catch (error) {
    if (!(error instanceof BrokenScenario)) throw error
    const { name } = casting
    const problem = { step: null, message: error.message, differences: [], at: error.at }
    return { name, title: name, outcome: 'broken', problem, steps: [] }
  }
}
