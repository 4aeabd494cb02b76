import { parentPort, workerData } from 'node:worker_threads'
import type { PlayEvent, Played, PlayRequest } from '../levers/plays.ts'
import { BrokenScenario, loadScenario } from './load.ts'
import { perform } from './perform.ts'

// A scenario plays in a thread of its own, so that one that hangs can be ended.
const request = workerData as PlayRequest
const played = await play()
parentPort?.postMessage({ kind: 'ended', played } satisfies PlayEvent)

async function play(): Promise<Played> {
  try {
    const scenario = await loadScenario(request.file)
    const emit = (event: PlayEvent) => parentPort?.postMessage(event)
    return await perform(scenario, { request, fetch, emit })
  } catch (error) {
    if (!(error instanceof BrokenScenario)) throw error
    const { name } = request
    const problem = { step: null, message: error.message, differences: [], at: error.at }
    return { name, title: name, outcome: 'broken', problem, steps: [] }
  }
}
