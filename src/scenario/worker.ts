import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { PlayEvent, Played, PlayRequest } from '../control-api/plays.ts'
import { BrokenScenario, loadScenario } from './load.ts'
import { perform } from './perform.ts'
import { ThreadClient } from './thread-client.ts'

// A scenario plays in a thread of its own, so that one that hangs can be ended.
if (parentPort) void playFor(parentPort, workerData)

async function playFor(parent: MessagePort, request: PlayRequest): Promise<void> {
  const emit = (event: PlayEvent) => parent.postMessage(event)
  const http = new ThreadClient(parent, request.url)
  emit({ kind: 'ended', played: await play() })

  async function play(): Promise<Played> {
    try {
      const scenario = await loadScenario(request.file)
      return await perform(scenario, { request, http, fetch, emit })
    } catch (error) {
      if (!(error instanceof BrokenScenario)) throw error
      const { name } = request
      const problem = { step: null, message: error.message, differences: [], at: error.at }
      return { name, title: name, outcome: 'broken', problem, steps: [] }
    }
  }
}
