#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts'

enableCompileCache()
const { runProgram } = await import('./run-program.ts')
await runProgram(process.argv.slice(2))
