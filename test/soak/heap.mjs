// Loaded into the sandbox before it starts: tells what is left after a forced collection, when asked.
process.on('message', () => {
  for (let pass = 0; pass < 3; pass++) globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heap: heapUsed + external, rss })
})
// The sandbox must still end when it is told to.
process.channel.unref()
