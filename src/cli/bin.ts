#!/usr/bin/env node
import * as module from 'node:module'

// Node 22.1 and later keep the compiled code from one start to the next.
const { enableCompileCache } = module as { enableCompileCache?: () => void }
enableCompileCache?.()

const { runProgram } = await import('./run-program.ts')
await runProgram(process.argv.slice(2))
