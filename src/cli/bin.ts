#!/usr/bin/env node
import * as module from 'node:module'

// The reader of a pipe may stop early, as `| head` does, and a disk may be full. A sandbox goes on
// without anyone who reads; a command whose output was lost for another reason says so.
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1
})

// Node 22.1 and later keep the compiled code from one start to the next.
const { enableCompileCache } = module as { enableCompileCache?: () => void }
enableCompileCache?.()

try {
  const { main } = await import('./main.ts')
  const { bypassProxyForLoopback } = await import('./proxy.ts')
  bypassProxyForLoopback(process.env)
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A bug: only the stack, because Node would print the whole line of the bundle before it.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
