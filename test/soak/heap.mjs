// Loaded into the sandbox before it starts: tells what a forced collection leaves, when asked.
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
// The sandbox must still end when it is told to.
process.channel.unref()
