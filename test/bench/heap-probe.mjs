// Loaded into a sandbox that is asked how much it holds: collects the garbage, then counts.
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  process.send({ bytes: heapUsed + external })
})
