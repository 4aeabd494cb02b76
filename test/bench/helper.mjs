// A process of the benchmark: each message names a function of the module that it was started with,
// and gets what that returns.
const jobs = await import(process.argv[2])

process.on('message', async ({ job, order }) => {
  try {
    process.send((await jobs[job](order)) ?? {})
  } catch (error) {
    process.send({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
