#!/usr/bin/env node
import * as module from 'node:module'
import { main } from './main.ts'

// The reader of a pipe may stop early, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Node 22.1 and later keep the compiled code from one start to the next.
const { enableCompileCache } = module as { enableCompileCache?: () => void }
enableCompileCache?.()

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A bug: only the stack, because Node would print the whole line of the bundle before it.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
