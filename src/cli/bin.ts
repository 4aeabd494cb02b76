#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ramp-sandbox needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(2)
}
// Only now, as they use what an older Node lacks.
const { enableCompileCache } = await import('./compile-cache.ts')
enableCompileCache()
const { runProgram } = await import('./run-program.ts')
await runProgram(process.argv.slice(2))
