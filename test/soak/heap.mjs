// Loaded into the sandbox before it starts: reports the heap after a forced collection, when asked.
import { setTimeout as wait } from 'node:timers/promises'

/** What is let go by one collection may hold what the next can take. */
const PASSES = 4
const BETWEEN_MS = 25

process.on('message', async () => {
  for (let pass = 0; pass < PASSES; pass++) {
    globalThis.gc()
    await wait(BETWEEN_MS)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heap: heapUsed + external, rss })
})
// The sandbox must still end on a signal.
process.channel.unref()
